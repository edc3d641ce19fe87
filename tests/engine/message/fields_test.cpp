#include "message/fields.h"

#include <gtest/gtest.h>

#include <limits>
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

// What `read` reads, where nothing is wrong with it.
template <typename Value, typename Read> Value value_of(const std::string& text, Value initial, Read read) {
    const json message = json::parse(text);
    Fields fields(&message, "m", nullptr);
    read(fields, initial);
    return initial;
}

enum class Order : std::uint8_t { fixed, random };
constexpr wire::Word<Order> order_words[] = {{"random", Order::random}, {"fixed", Order::fixed}};

std::string number_error(const std::string& value) {
    return error_of(R"({"n": )" + value + "}", [n = 1.0](Fields& f) mutable { f.read("n", n, 0.5, 1e9, ""); });
}
std::string integer_error(const std::string& value) {
    return error_of(R"({"n": )" + value + "}", [n = 1](Fields& f) mutable { f.read("n", n, -5, 10, ""); });
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
    const auto boolean = [k = false](Fields& f) mutable { f.read("k", k, ""); };
    EXPECT_EQ(with("1", boolean), "m.k: 1 is not allowed: true or false");
    EXPECT_EQ(with("true", boolean), "");
    const auto bits = [](Fields& f) { f.bits("k", 16, 0, ""); };
    EXPECT_EQ(with("\"0x10000\"", bits), "m.k: \"0x10000\" is not allowed: a string of 0x and up to 4 hexadecimal digits");
    for (const char* wrong : {"\"0x\"", "\"ffff\"", "\"0xg\"", "\"\"", "16", "\"0x-1\""})
        EXPECT_NE(with(wrong, bits), "") << wrong;
    EXPECT_EQ(with("\"0xFfff\"", bits), "");
    const auto string = [k = std::string()](Fields& f) mutable { f.require("k", k, ""); };
    EXPECT_EQ(with("5", string), "m.k: 5 is not allowed: a string");
    EXPECT_EQ(with("null", string), "m.k: missing: a string");
    const auto word = [k = Order::fixed](Fields& f) mutable { f.read("k", k, order_words, ""); };
    EXPECT_EQ(with("\"up\"", word), R"(m.k: "up" is not allowed: "random", "fixed")");
    EXPECT_EQ(with("1", word), R"(m.k: 1 is not allowed: "random", "fixed")");
    EXPECT_EQ(with("\"random\"", word), "");
    const auto required = [k = Order::fixed](Fields& f) mutable { f.require("k", k, order_words, ""); };
    EXPECT_EQ(with("null", required), R"(m.k: missing: "random", "fixed")");
    const auto integers = [](Fields& f) { f.integers("k", 0, 9, {1}, ""); };
    for (const char* bad : {"[]", "1", "{}", "[10]", "[-1]", "[1.5]", "[\"1\"]", "[[1]]", "[18446744073709551615]"}) {
        EXPECT_NE(with(bad, integers).find("is not allowed: a list of 1 to 1024 whole numbers, 0 to 9"), std::string::npos)
            << bad;
    }
    EXPECT_EQ(with("[0, 9]", integers), "");
    const auto choices = [](Fields& f) { f.choices("k", {"forward", "reverse"}, {"forward", "reverse"}, ""); };
    for (const char* bad : {"[]", "\"forward\"", "[\"up\"]", "[1]", "[null]"}) {
        EXPECT_NE(with(bad, choices).find(R"(is not allowed: a list of "forward", "reverse")"), std::string::npos) << bad;
    }
    const auto v4 = [k = wire::Ipv4Address()](Fields& f) mutable { f.require("k", k, ""); };
    const auto v6 = [k = wire::Ipv6Address()](Fields& f) mutable { f.require("k", k, ""); };
    const auto p4 = [k = wire::Ipv4Prefix()](Fields& f) mutable { f.require("k", k, ""); };
    const auto p6 = [k = wire::Ipv6Prefix()](Fields& f) mutable { f.require("k", k, ""); };
    const auto mac = [k = std::optional<wire::Mac>()](Fields& f) mutable { f.read("k", k, ""); };
    EXPECT_EQ(with("null", v4), "m.k: missing: an IPv4 address");
    EXPECT_EQ(with("\"::1\"", v4), R"(m.k: "::1" is not allowed: an IPv4 address)");
    EXPECT_EQ(with("\"192.0.2.1\\u0000x\"", v4), R"(m.k: "192.0.2.1\u0000x" is not allowed: an IPv4 address)");
    EXPECT_EQ(with("\"1.2.3.4\"", v6), R"(m.k: "1.2.3.4" is not allowed: an IPv6 address)");
    EXPECT_EQ(with("\"1.2.3.4/33\"", p4), R"(m.k: "1.2.3.4/33" is not allowed: an IPv4 prefix, as 198.18.0.0/24)");
    EXPECT_EQ(with("\"::/129\"", p6), R"(m.k: "::/129" is not allowed: an IPv6 prefix, as 2001:db8::/96)");
    EXPECT_EQ(with("5", p6), R"(m.k: 5 is not allowed: an IPv6 prefix, as 2001:db8::/96)");
    EXPECT_EQ(with("\"02:00\"", mac), R"(m.k: "02:00" is not allowed: a MAC address, as 02:00:00:00:00:01)");
    EXPECT_EQ(with("null", mac), "");
    EXPECT_EQ(with("5", [](Fields& f) { f.object("k", "", [](Fields&) {}); }), "m.k: 5 is not allowed: an object");
    EXPECT_EQ(with("{}", [](Fields& f) { f.objects("k", "", [](Fields&) {}); }), "m.k: {} is not allowed: a list of objects");
    EXPECT_EQ(with("[{}, 5]", [](Fields& f) { f.objects("k", "", [](Fields&) {}); }), "m.k[1]: 5 is not allowed: an object");
}

TEST(Fields, AbsentFieldsLeaveMembersAsTheyAre) {
    const auto number = [](Fields& f, auto& n) { f.read("n", n, 0, 10, ""); };
    EXPECT_EQ(value_of("{}", 2.5, number), 2.5);
    EXPECT_EQ(value_of(R"({"n": 3})", 2.5, number), 3);
    EXPECT_EQ(value_of(R"({"n": 3})", std::uint8_t{7}, number), 3);
    EXPECT_EQ(value_of("{}", std::optional<unsigned>(), number), std::nullopt);
    EXPECT_EQ(value_of("{}", std::optional<unsigned>(4), number), 4U);
    EXPECT_EQ(value_of(R"({"n": 0})", std::optional<unsigned>(4), number), 0U);
    const auto string = [](Fields& f, auto& s) { f.read("s", s, ""); };
    EXPECT_EQ(value_of("{}", std::string("x"), string), "x");
    EXPECT_EQ(value_of(R"({"s": ""})", std::string("x"), string), "");
    const auto word = [](Fields& f, auto& w) { f.read("w", w, order_words, ""); };
    EXPECT_EQ(value_of("{}", Order::fixed, word), Order::fixed);
    EXPECT_EQ(value_of(R"({"w": "random"})", Order::fixed, word), Order::random);
    static constexpr wire::Word<bool> either_words[] = {{"yield", true}, {"poll", false}};
    const auto either = [](Fields& f, bool& w) { f.read("w", w, either_words, ""); };
    EXPECT_EQ(value_of("{}", true, either), true);
    EXPECT_EQ(value_of(R"({"w": "poll"})", true, either), false);
    const auto mac = [](Fields& f, auto& m) { f.read("m", m, ""); };
    EXPECT_EQ(value_of("{}", std::optional<wire::Mac>(), mac), std::nullopt);
    EXPECT_EQ(value_of(R"({"m": "02:00:00:00:00:01"})", std::optional<wire::Mac>(), mac), (wire::Mac{2, 0, 0, 0, 0, 1}));
}

// Each number that the range has fits into its member: the widest ones too.
TEST(Fields, NumbersOfEveryWidth) {
    const auto all = [](Fields& f, auto& n) {
        using Limits = std::numeric_limits<std::remove_reference_t<decltype(n)>>;
        const auto most = static_cast<std::int64_t>(std::min<std::uint64_t>(Limits::max(), INT64_MAX));
        f.read("n", n, Limits::min(), static_cast<std::remove_reference_t<decltype(n)>>(most), "");
    };
    EXPECT_EQ(value_of(R"({"n": 255})", std::uint8_t{0}, all), 255);
    EXPECT_EQ(value_of(R"({"n": 9223372036854775807})", std::uint64_t{0}, all), std::uint64_t{INT64_MAX});
    EXPECT_EQ(value_of(R"({"n": -9223372036854775808})", std::int64_t{0}, all), INT64_MIN);
    const auto beyond = [&](const char* text, auto initial) { return error_of(text, [&](Fields& f) { all(f, initial); }); };
    EXPECT_EQ(beyond(R"({"n": 256})", std::uint8_t{0}), "m.n: 256 is not allowed: whole numbers, 0 to 255");
    EXPECT_EQ(beyond(R"({"n": -1})", std::uint64_t{0}), "m.n: -1 is not allowed: whole numbers, 0 to 9223372036854775807");
}

TEST(Fields, ObjectsAndPaths) {
    const json message = json::parse(R"({"inner": {"n": 3}, "list": [{"n": 4}, {"n": 99}]})");
    Fields fields(&message, "m", nullptr);
    EXPECT_EQ(fields.integers("absent", 0, 9, {7}, ""), std::vector<std::int64_t>{7});
    EXPECT_EQ(fields.choices("absent", {"a", "b"}, {"a"}, ""), (std::vector<std::string>{"a"}));
    EXPECT_TRUE(fields.choices("none", {"a", "b"}, {}, "").empty());
    int n = 5;
    const auto read = [&](Fields& own) { own.read("n", n, 0, 10, ""); };
    fields.object("nothing", "", read);
    EXPECT_EQ(n, 5) << "an absent object has defaults";
    fields.object("inner", "", read);
    EXPECT_EQ(n, 3);
    EXPECT_EQ(fields.path_of("n"), "m.n");
    EXPECT_EQ(Fields(&message, "", nullptr).path_of("n"), "n");
    try {
        fields.objects("list", "", read);
        FAIL();
    } catch (const MessageError& error) {
        EXPECT_STREQ(error.what(), "m.list[1].n: 99 is not allowed: whole numbers, 0 to 10");
    }
    EXPECT_EQ(n, 4) << "the first of the list was read";
    const auto nobody = [](Fields&) {};
    EXPECT_EQ(error_of(R"({"o": {"n": 1}})", [&](Fields& f) { f.object("o", "", nobody); }), "m.o.n: unknown key");
    EXPECT_EQ(error_of(R"({"o": [{"n": 1}]})", [&](Fields& f) { f.objects("o", "", nobody); }), "m.o[0].n: unknown key");
}

TEST(Fields, UnknownKeysNameTheNearest) {
    const auto read = [](Fields& f) {
        double n = 1;
        f.read("rate_fps", n, 0, 1, "");
        f.read("duration_s", n, 0, 1, "");
        f.no_more();
    };
    EXPECT_EQ(error_of(R"({"rate_fsp": 1})", read), "m.rate_fsp: unknown key, the nearest is rate_fps");
    EXPECT_EQ(error_of(R"({"duration": 1})", read), "m.duration: unknown key, the nearest is duration_s");
    EXPECT_EQ(error_of(R"({"zzz": 1})", read), "m.zzz: unknown key; known: duration_s, rate_fps");
    EXPECT_EQ(error_of(R"({"": 1})", read), "m.: unknown key; known: duration_s, rate_fps");
    EXPECT_EQ(error_of(R"({"rate_fps": 1})", read), "");
}

TEST(Fields, ErrorsAreOneShortLineWhateverTheMessageHas) {
    const auto read = [](Fields& f) {
        double n = 1;
        f.read("n", n, 0, 1, "");
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

TEST(Fields, HelpComesFromTheSameRows) {
    std::vector<FieldHelp> help;
    Fields fields(nullptr, "m", &help);
    EXPECT_TRUE(fields.only_help());
    double rate = 7;
    auto order = Order::fixed;
    std::optional<unsigned> some;
    bool flag = true;
    wire::Ipv4Address address;
    fields.require("rate", rate, 1, 2, "how fast");
    fields.read("order", order, order_words, "");
    fields.object("inner", "", [&](Fields& own) { own.read("flag", flag, ""); });
    fields.objects("rows", "", [&](Fields& own) { own.require("address", address, ""); });
    fields.read("some", some, 1, 2, "");
    fields.check(false, "some", 3, "nothing is wrong where there is nothing");
    fields.no_more();
    EXPECT_EQ(rate, 7) << "nothing was read";
    ASSERT_EQ(help.size(), 7U);
    EXPECT_EQ(help[0].path, "m.rate");
    EXPECT_EQ(help[0].allowed, "1 to 2");
    EXPECT_EQ(help[0].initial, "required");
    EXPECT_EQ(help[0].text, "how fast");
    EXPECT_EQ(help[1].initial, "\"fixed\"");
    EXPECT_EQ(help[3].path, "m.inner.flag");
    EXPECT_EQ(help[3].initial, "true");
    EXPECT_EQ(help[5].path, "m.rows[].address");
    EXPECT_EQ(help[6].initial, "null");
}

}  // namespace
}  // namespace xlatperf::message
