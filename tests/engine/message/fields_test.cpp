#include "message/fields.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace xlatperf::message {
namespace {

using nlohmann::json;

// What is thrown when `read` reads `text`: one line, or nothing.
template <typename Read> std::string error_of(const std::string& text, Read read) {
    const json message = json::parse(text);
    try {
        Fields fields(&message, "m", nullptr);
        read(fields);
        return "";
    } catch (const MessageError& error) {
        const std::string line = error.what();
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        EXPECT_LT(line.size(), 400U) << line;
        return line;
    }
}

std::string number_error(const std::string& value) {
    return error_of(R"({"n": )" + value + "}", [](Fields& f) { f.number("n", 0.5, 1e9, 1, ""); });
}
std::string integer_error(const std::string& value) {
    return error_of(R"({"n": )" + value + "}", [](Fields& f) { f.integer("n", -5, 10, 1, ""); });
}

TEST(Fields, ErrorsNameFieldValueAndAllowed) {
    EXPECT_EQ(number_error("0"), "m.n: 0 is not allowed: 0.5 to 1000000000");
    EXPECT_EQ(number_error("1e10"), "m.n: 10000000000.0 is not allowed: 0.5 to 1000000000");
    EXPECT_EQ(number_error("\"5\""), "m.n: \"5\" is not allowed: 0.5 to 1000000000");
    EXPECT_EQ(number_error("true"), "m.n: true is not allowed: 0.5 to 1000000000");
    EXPECT_EQ(number_error("[1]"), "m.n: [1] is not allowed: 0.5 to 1000000000");
    EXPECT_EQ(number_error("0.5"), "");
    EXPECT_EQ(number_error("1000000000"), "");
    EXPECT_EQ(number_error("null"), "") << "null is as if absent";
    EXPECT_EQ(integer_error("11"), "m.n: 11 is not allowed: whole numbers, -5 to 10");
    EXPECT_EQ(integer_error("-6"), "m.n: -6 is not allowed: whole numbers, -5 to 10");
    EXPECT_EQ(integer_error("1.0"), "m.n: 1.0 is not allowed: whole numbers, -5 to 10");
    EXPECT_EQ(integer_error("18446744073709551615"), "m.n: 18446744073709551615 is not allowed: whole numbers, -5 to 10");
    EXPECT_EQ(integer_error("9223372036854775808"), "m.n: 9223372036854775808 is not allowed: whole numbers, -5 to 10");
    EXPECT_EQ(integer_error("-9223372036854775808"), "m.n: -9223372036854775808 is not allowed: whole numbers, -5 to 10");
    EXPECT_EQ(integer_error("-5"), "");
    EXPECT_EQ(integer_error("10"), "");
}

TEST(Fields, EveryKindRefusesWhatItIsNot) {
    const auto with = [](const std::string& value, auto read) { return error_of(R"({"k": )" + value + "}", read); };
    const auto boolean = [](Fields& f) { f.boolean("k", false, ""); };
    EXPECT_EQ(with("1", boolean), "m.k: 1 is not allowed: true or false");
    EXPECT_EQ(with("true", boolean), "");
    const auto bits = [](Fields& f) { f.bits("k", 16, 0, ""); };
    EXPECT_EQ(with("\"0x10000\"", bits), "m.k: \"0x10000\" is not allowed: a string of 0x and up to 4 hexadecimal digits");
    for (const char* wrong : {"\"0x\"", "\"ffff\"", "\"0xg\"", "\"\"", "16", "\"0x-1\""})
        EXPECT_NE(with(wrong, bits), "") << wrong;
    EXPECT_EQ(with("\"0xFfff\"", bits), "");
    const auto string = [](Fields& f) { f.string("k", std::nullopt, ""); };
    EXPECT_EQ(with("5", string), "m.k: 5 is not allowed: a string");
    EXPECT_EQ(with("null", string), "m.k: missing: a string");
    const auto choice = [](Fields& f) { f.choice("k", {"left", "right"}, "left", ""); };
    EXPECT_EQ(with("\"up\"", choice), R"(m.k: "up" is not allowed: "left", "right")");
    EXPECT_EQ(with("1", choice), R"(m.k: 1 is not allowed: "left", "right")");
    EXPECT_EQ(with("\"right\"", choice), "");
    const auto integers = [](Fields& f) { f.integers("k", 0, 9, {1}, ""); };
    for (const char* bad : {"[]", "1", "{}", "[10]", "[-1]", "[1.5]", "[\"1\"]", "[[1]]", "[18446744073709551615]"}) {
        EXPECT_NE(with(bad, integers).find("is not allowed: a list of whole numbers, 0 to 9"), std::string::npos) << bad;
    }
    EXPECT_EQ(with("[0, 9]", integers), "");
    const auto choices = [](Fields& f) { f.choices("k", {"forward", "reverse"}, ""); };
    for (const char* bad : {"[]", "\"forward\"", "[\"up\"]", "[1]", "[null]"}) {
        EXPECT_NE(with(bad, choices).find(R"(is not allowed: a list of "forward", "reverse")"), std::string::npos) << bad;
    }
    const auto v4 = [](Fields& f) { f.ipv4("k", ""); };
    const auto v6 = [](Fields& f) { f.ipv6("k", ""); };
    const auto p4 = [](Fields& f) { f.ipv4_prefix("k", ""); };
    const auto p6 = [](Fields& f) { f.ipv6_prefix("k", ""); };
    const auto mac = [](Fields& f) { f.mac("k", ""); };
    EXPECT_EQ(with("\"::1\"", v4), R"(m.k: "::1" is not allowed: an IPv4 address)");
    EXPECT_EQ(with("\"192.0.2.1\\u0000x\"", v4), R"(m.k: "192.0.2.1\u0000x" is not allowed: an IPv4 address)");
    EXPECT_EQ(with("\"1.2.3.4\"", v6), R"(m.k: "1.2.3.4" is not allowed: an IPv6 address)");
    EXPECT_EQ(with("\"1.2.3.4/33\"", p4), R"(m.k: "1.2.3.4/33" is not allowed: an IPv4 prefix, as 198.18.0.0/24)");
    EXPECT_EQ(with("\"::/129\"", p6), R"(m.k: "::/129" is not allowed: an IPv6 prefix, as 2001:db8::/96)");
    EXPECT_EQ(with("5", p6), R"(m.k: 5 is not allowed: an IPv6 prefix, as 2001:db8::/96)");
    EXPECT_EQ(with("\"02:00\"", mac), R"(m.k: "02:00" is not allowed: a MAC address, as 02:00:00:00:00:01)");
    EXPECT_EQ(with("null", mac), "");
    EXPECT_EQ(with("5", [](Fields& f) { f.object("k", ""); }), "m.k: 5 is not allowed: an object");
    EXPECT_EQ(with("{}", [](Fields& f) { f.objects("k", ""); }), "m.k: {} is not allowed: a list of objects");
    EXPECT_EQ(with("[{}, 5]", [](Fields& f) { f.objects("k", ""); }), "m.k[1]: 5 is not allowed: an object");
}

TEST(Fields, DefaultsAndPaths) {
    const json message = json::parse(R"({"inner": {"n": 3}, "list": [{"n": 4}, {"n": 99}]})");
    Fields fields(&message, "m", nullptr);
    EXPECT_EQ(fields.number("absent", 0, 10, 2.5, ""), 2.5);
    EXPECT_EQ(fields.string("absent", "x", ""), "x");
    EXPECT_EQ(fields.integers("absent", 0, 9, {7}, ""), std::vector<std::int64_t>{7});
    EXPECT_EQ(fields.choices("absent", {"a", "b"}, ""), (std::vector<std::string>{"a", "b"}));
    auto inner = fields.object("inner", "");
    EXPECT_EQ(inner.integer("n", 0, 10, 0, ""), 3);
    EXPECT_EQ(inner.path_of("n"), "m.inner.n");
    auto list = fields.objects("list", "");
    ASSERT_EQ(list.size(), 2U);
    EXPECT_EQ(list[0].integer("n", 0, 10, 0, ""), 4);
    try {
        list[1].integer("n", 0, 10, 0, "");
        FAIL();
    } catch (const MessageError& error) {
        EXPECT_STREQ(error.what(), "m.list[1].n: 99 is not allowed: whole numbers, 0 to 10");
    }
    EXPECT_EQ(fields.object("nothing", "").integer("n", 0, 10, 5, ""), 5) << "an absent object has defaults";
}

TEST(Fields, UnknownKeysNameTheNearest) {
    const auto read = [](Fields& f) {
        f.number("rate_fps", 0, 1, 1, "");
        f.number("duration_s", 0, 1, 1, "");
        f.no_more();
    };
    EXPECT_EQ(error_of(R"({"rate_fsp": 1})", read), "m.rate_fsp: unknown key, the nearest is rate_fps");
    EXPECT_EQ(error_of(R"({"duration": 1})", read), "m.duration: unknown key, the nearest is duration_s");
    EXPECT_EQ(error_of(R"({"zzz": 1})", read), "m.zzz: unknown key");
    EXPECT_EQ(error_of(R"({"": 1})", read), "m.: unknown key");
    EXPECT_EQ(error_of(R"({"rate_fps": 1})", read), "");
}

TEST(Fields, ErrorsAreOneShortLineWhateverTheMessageHas) {
    const auto read = [](Fields& f) {
        f.number("n", 0, 1, 1, "");
        f.no_more();
    };
    EXPECT_NE(error_of(R"({"a\nb": 1})", read), "");
    EXPECT_NE(error_of("{\"" + std::string(100'000, 'k') + "\": 1}", read), "");
    EXPECT_NE(error_of("{\"n\": \"" + std::string(100'000, 'v') + "\"}", read), "");
    EXPECT_NE(error_of(R"({"n": "a\nb"})", read), "");
}

// A message may be nested as deeply as a line is long; saying what is wrong with it must not take a stack as deep.
TEST(Fields, DeeplyNestedValuesAreRefused) {
    for (const auto& [open, close] : {std::pair<std::string, std::string>{"[", "]"}, {"{\"a\":", "}"}}) {
        std::string value;
        constexpr int depth = 200'000;
        for (int i = 0; i < depth; ++i) value += open;
        value += "1";
        for (int i = 0; i < depth; ++i) value += close;
        EXPECT_NE(number_error(value), "");
    }
}

TEST(Nearest, ByEdits) {
    const std::set<std::string> words = {"open", "configure", "describe", "show", "resolve", "trial", "stop", "quit"};
    EXPECT_EQ(nearest("tiral", words), "trial");
    EXPECT_EQ(nearest("configur", words), "configure");
    EXPECT_EQ(nearest("stopp", words), "stop");
    EXPECT_EQ(nearest("open", words), "open");
    EXPECT_EQ(nearest("xyz", words), "");
    EXPECT_EQ(nearest("", words), "");
    EXPECT_EQ(nearest("anything", {}), "");
}

TEST(Fields, HelpComesFromTheSameCalls) {
    std::vector<FieldHelp> help;
    Fields fields(nullptr, "m", &help);
    EXPECT_TRUE(fields.only_help());
    fields.number("rate", 1, 2, std::nullopt, "how fast");
    fields.choice("order", {"a", "b"}, "a", "");
    fields.object("inner", "").boolean("flag", true, "");
    for (auto& one : fields.objects("rows", "")) one.ipv4("address", "");
    fields.no_more();
    ASSERT_EQ(help.size(), 6U);
    EXPECT_EQ(help[0].path, "m.rate");
    EXPECT_EQ(help[0].allowed, "1 to 2");
    EXPECT_EQ(help[0].initial, "required");
    EXPECT_EQ(help[0].text, "how fast");
    EXPECT_EQ(help[1].initial, "\"a\"");
    EXPECT_EQ(help[3].path, "m.inner.flag");
    EXPECT_EQ(help[5].path, "m.rows[].address");
}

}  // namespace
}  // namespace xlatperf::message
