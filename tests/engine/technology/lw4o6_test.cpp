// Lw4o6 as requests ask for it: who the lwB4s are, generated and from a file; what is routed, written, refused.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "technology/forwarded.h"
#include "technology/read_technology.h"
#include "technology/softwires.h"
#include "technology/texts.h"
#include "technology/tunnelled.h"

namespace xlatperf::technology {
namespace {

// RFC 7596 §5.1, figure 3: an operator's prefix for each lwB4, then zeros, IPv4 address and PSID.
const std::string generated =
    R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "psid_length": 8, "lwaftr": "2001:db8:ffff::1")";
std::string lw4o6(const std::string& softwires, const std::string& role = "lwaftr") {
    return R"({"name": "lw4o6", "role": ")" + role + R"(", "softwires": {)" + softwires + "}}";
}

class TableFile {
  public:
    explicit TableFile(const std::string& rows)
        : path_(std::filesystem::temp_directory_path() /
                ("xlatperf-table-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + ".csv")) {
        std::ofstream(path_) << "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr\n" << rows;
    }
    TableFile(const TableFile&) = delete;
    ~TableFile() { std::filesystem::remove(path_); }
    std::string text() const { return path_.string(); }
    std::string key() const { return R"("table": ")" + path_.string() + "\""; }
    std::string content() const {
        std::ifstream file(path_);
        std::ostringstream all;
        all << file.rdbuf();
        return all.str();
    }

  private:
    std::filesystem::path path_;
};
const std::string three_rows =
    "2001:db8::1,192.0.2.1,0,6,1,2001:db8:ffff::1\n2001:db8::2,192.0.2.1,0,6,2,2001:db8:ffff::1\n"
    "2001:db8::3,192.0.2.2,0,0,0,2001:db8:ffff::2\n";

TEST(Lw4o6, AddressesAreFormedAsInFigure3) {  // R7596-5.1
    const auto lwb4 = read_technology(lw4o6(generated + R"(, "number": 4660)", "lwb4"));
    const auto all = subscribers_of(*lwb4);
    ASSERT_EQ(all->count(), 1U);
    const auto who = (*all)(0);
    EXPECT_EQ(wire::to_text(all->ipv6(who, 0)), "2001:db8:12:3400:0:c000:212:34");
    EXPECT_EQ(wire::to_text(all->ipv4(who, 0)), "192.0.2.18");
    const flow::PortRange increasing(flow::Order::increasing, 0, 65535);
    EXPECT_EQ(all->port(who, increasing, 0, 0), 13312) << "PSID 0x34 of 8 bits, offset 0: 256 ports in a row";
    EXPECT_EQ(all->port(who, increasing, 255, 0), 13567);
    EXPECT_EQ(all->port(who, increasing, 256, 0), 13312);
    EXPECT_EQ(lwb4->routes(Side::right), std::vector<std::string>{"2001:db8:ffff::1/128"});
    EXPECT_EQ(lwb4->routes(Side::left), std::vector<std::string>{"192.0.2.18/32"});
    EXPECT_FALSE(lwb4->tunnel(Side::left));
    ASSERT_TRUE(lwb4->tunnel(Side::right));
    const auto whole = read_technology(
        lw4o6(R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "psid_length": 0, "lwaftr": "2001:db8:ffff::1", "number": 18)",
              "lwb4"));
    EXPECT_EQ(wire::to_text(subscribers_of(*whole)->ipv6((*subscribers_of(*whole))(0), 0)), "2001:db8:12::c000:212:0")
        << "no PSID: zeros";
}

TEST(Lw4o6, HairpinningIsBetweenTwoSoftwiresOnTheLeft) {  // R7596-6.2
    const auto asked = [](const std::string& role, const std::string& softwires) {
        return R"({"name": "lw4o6", "hairpinning": true, "role": ")" + role + R"(", "softwires": {)" + softwires + "}}";
    };
    const auto lwaftr = read_technology(asked("lwaftr", generated + R"(, "count": 2)"));
    EXPECT_TRUE(lwaftr->hairpins());
    for (const auto side : flow::both_sides) EXPECT_TRUE(std::holds_alternative<OfSubscriber>(lwaftr->names(side, Side::left)));
    EXPECT_FALSE(read_technology(lw4o6(generated))->hairpins());
    EXPECT_THROW(read_technology(asked("lwaftr", generated + R"(, "count": 1)")), message::MessageError) << "it takes two";
    EXPECT_THROW(read_technology(asked("lwb4", generated + R"(, "number": 4660)")), message::MessageError);
}

TEST(Lw4o6, LwAftrHasTheTunnelsOnTheLeft) {  // R8219-4.2-3
    const auto lwaftr = read_technology(lw4o6(generated));
    EXPECT_EQ(lwaftr->link_family(Side::left), wire::Family::ipv6);
    EXPECT_EQ(lwaftr->link_family(Side::right), wire::Family::ipv4);
    EXPECT_EQ(lwaftr->ip_headers(Side::left), 60U);
    EXPECT_EQ(subscribers_of(*lwaftr)->count(), 1000U);
    EXPECT_EQ(lwaftr->routes(Side::left), std::vector<std::string>{"2001:db8::/40"});
    EXPECT_EQ(lwaftr->routes(Side::right), std::vector<std::string>{"198.19.0.0/24"});
    EXPECT_EQ(lwaftr->arrives(Side::left), tunnelled(forwarded_ipv4));
    EXPECT_EQ(lwaftr->arrives(Side::right), forwarded_ipv4);
    EXPECT_EQ(to_text(list_in(lwaftr->tunnel(Side::left)->ends[1])->at(0)), "2001:db8:ffff::1");
}

TEST(Lw4o6, PortsBelow1024AreNobodys) {  // R7596-5.1: RECOMMENDED
    for (const auto& [length, nobodys] : {std::pair(1, 1), std::pair(6, 1), std::pair(7, 2), std::pair(10, 16)}) {
        const unsigned of_address = (1U << length) - static_cast<unsigned>(nobodys);
        const std::string rule =
            R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/30", "lwaftr": "::1", "psid_length": )" + std::to_string(length);
        const auto all = subscribers_of(*read_technology(lw4o6(rule + R"(, "count": )" + std::to_string(4 * of_address))));
        std::set<std::pair<std::uint32_t, std::uint16_t>> seen;
        for (std::uint32_t i = 0; i < all->count(); ++i) {
            const auto who = (*all)(i);
            const auto ports = all->rule(0).ports(who.number);
            ASSERT_GE(ports.port(0), 1024);
            seen.insert({all->ipv4(who, 0).value, ports.psid()});
        }
        EXPECT_EQ(seen.size(), 4 * of_address) << "each once";
        const auto error = error_of(lw4o6(rule + R"(, "count": )" + std::to_string(4 * of_address + 1)));
        EXPECT_NE(error.find("is not allowed: whole numbers, 1 to " + std::to_string(4 * of_address)), std::string::npos)
            << error;
    }
    const auto with_offset = read_technology(lw4o6(generated + R"(, "psid_offset": 6, "count": 65536)"));
    EXPECT_EQ(subscribers_of(*with_offset)->count(), 65536U) << "A = 0 is nobody's anyway";
}

TEST(Lw4o6, ATableIsReadFromAFile) {  // R7596-6.1: any addresses, several lwAFTRs, port sets of several sizes
    const TableFile file(three_rows);
    const auto lwaftr = read_technology(lw4o6(file.key()));
    const auto all = subscribers_of(*lwaftr);
    ASSERT_EQ(all->count(), 3U);
    ASSERT_EQ(all->domains(), 2U);
    std::set<std::string> seen;
    const flow::PortRange ports(flow::Order::increasing, 5000, 5000);
    for (std::uint32_t i = 0; i < 3; ++i) {
        const auto who = (*all)(i);
        seen.insert(wire::to_text(all->ipv6(who, 0)) + " " + wire::to_text(all->ipv4(who, 0)) + " " +
                    std::to_string(all->port(who, ports, 0, 0)));
    }
    EXPECT_EQ(seen,
              (std::set<std::string>{"2001:db8::1 192.0.2.1 1024", "2001:db8::2 192.0.2.1 2048", "2001:db8::3 192.0.2.2 5000"}));
    EXPECT_EQ(lwaftr->routes(Side::left), std::vector<std::string>{"2001:db8::/126"});
    const auto tunnel = lwaftr->tunnel(Side::left);
    const auto& ends = *list_in(tunnel->ends[1]);
    EXPECT_EQ(to_text(ends.at(1)), "2001:db8:ffff::2");
    EXPECT_TRUE(all->domain(0).covers(*wire::parse_ipv6("2001:db8::1")));
    EXPECT_FALSE(all->domain(0).covers(*wire::parse_ipv6("2001:db8::4")));
    EXPECT_TRUE(all->domain(1).covers(*wire::parse_ipv4("192.0.2.2")));
    EXPECT_FALSE(all->domain(1).covers(*wire::parse_ipv4("192.0.2.1")));
}

TEST(Lw4o6, SomeOfATable) {
    const TableFile file(three_rows);
    EXPECT_EQ(subscribers_of(*read_technology(lw4o6(file.key() + R"(, "psid_length": 6)")))->count(), 2U);
    EXPECT_EQ(subscribers_of(*read_technology(lw4o6(file.key() + R"(, "count": 2)")))->count(), 2U);
    const auto lwb4 = read_technology(lw4o6(file.key() + R"(, "number": 1)", "lwb4"));
    EXPECT_EQ(wire::to_text(subscribers_of(*lwb4)->ipv6((*subscribers_of(*lwb4))(0), 0)), "2001:db8::2");
    std::set<std::uint32_t> first;
    for (const int count : {1, 2, 3}) {  // fewer are some of more: a DUT needs one table for a series
        std::set<std::uint32_t> found;
        const auto all = subscribers_of(*read_technology(lw4o6(file.key() + R"(, "count": )" + std::to_string(count))));
        for (std::uint32_t i = 0; i < all->count(); ++i) found.insert(static_cast<std::uint32_t>(all->ipv6((*all)(i), 0).value));
        EXPECT_TRUE(std::includes(found.begin(), found.end(), first.begin(), first.end()));
        first = found;
    }
}

/// "domain: number, number ..." of who is simulated.
std::string who_of(const std::string& softwires) {
    const auto all = subscribers_of(*read_technology(lw4o6(softwires)));
    std::vector<std::set<std::uint64_t>> numbers(all->domains());
    for (std::uint32_t i = 0; i < all->count(); ++i) {
        const auto who = (*all)(i);
        numbers[who.domain].insert(all->known_as(who));
    }
    std::string text;
    for (const auto& domain : numbers) {
        text += text.empty() ? "" : "; ";
        for (const auto number : domain) text += (number == *domain.begin() ? "" : ", ") + std::to_string(number);
    }
    return text;
}

TEST(Lw4o6, ASoftwireIsKnownAsItsRowOfTheFile) {
    // Two of one lwB4, in different groups; an lwAFTR of its own.
    const TableFile file(
        "2001:db8::1,192.0.2.2,0,0,0,2001:db8:ffff::2\n2001:db8::2,192.0.2.1,0,6,1,2001:db8:ffff::1\n"
        "2001:db8::3,192.0.2.3,0,0,0,2001:db8:ffff::1\n2001:db8::2,192.0.2.4,0,0,0,2001:db8:ffff::2\n"
        "2001:db8::4,192.0.2.1,0,6,2,2001:db8:ffff::1\n");
    EXPECT_EQ(who_of(file.key()), "0, 3; 1, 4; 2");
    EXPECT_EQ(who_of(file.key() + R"(, "psid_length": 6)"), "1, 4");
    EXPECT_EQ(who_of(file.key() + R"(, "number": 3)"), "3");
    EXPECT_EQ(who_of(file.key() + R"(, "psid_length": 0, "count": 3)"), "0, 3; 2") << "as many as are wanted, of those";
    EXPECT_EQ(who_of(file.key() + R"(, "part": {"psid_length": 6, "psid_offset": 0})"), "1, 4");
    EXPECT_EQ(who_of(file.key() + R"(, "number": 3, "part": {"psid_length": 0})"), "3");
    for (int count = 1; count <= 5; ++count) {  // a part has nobody who isn't simulated
        const std::string some = file.key() + R"(, "count": )" + std::to_string(count), all = who_of(some);
        try {
            const std::string part = who_of(some + R"(, "part": {"psid_length": 6})");
            EXPECT_NE(all.find(part), std::string::npos) << all << " has not " << part;
        } catch (const message::MessageError&) {
            EXPECT_EQ(all.find_first_of("14"), std::string::npos) << all;
        }
    }
}

TEST(Lw4o6, WidelyScatteredAddressesAreRoutedByPrefixesThatSomebodyRoutes) {
    std::string rows;
    for (int i = 0; i < 200; ++i)
        rows += "2001:db8:" + std::to_string(i) + "::1,10." + std::to_string(i) + ".0.1,0,0,0,2001:db8:ffff::1\n";
    const TableFile file(rows);
    const auto routes = read_technology(lw4o6(file.key()))->routes(Side::left);
    EXPECT_EQ(routes.size(), 64U);
    for (int i = 0; i < 200; ++i) {
        const auto address = *wire::parse_ipv6("2001:db8:" + std::to_string(i) + "::1");
        EXPECT_EQ(std::count_if(routes.begin(), routes.end(),
                                [&](const auto& one) { return wire::parse_ipv6_prefix(one)->contains(address); }),
                  1);
    }
}

TEST(Lw4o6, TheTableIsWrittenAsItIsRead) {
    const TableFile out("");
    const auto lwaftr = read_technology(lw4o6(generated + R"(, "count": 500)"));
    EXPECT_EQ(write_softwires(*lwaftr, out.text()), 500U);
    const std::string first = out.content();
    EXPECT_EQ(std::count(first.begin(), first.end(), '\n'), 501);
    const auto again = read_technology(lw4o6(out.key()));
    EXPECT_EQ(subscribers_of(*again)->count(), 500U);
    const TableFile second("");
    write_softwires(*again, second.text());
    EXPECT_EQ(second.content(), first);
    const TableFile three(three_rows);
    write_softwires(*read_technology(lw4o6(three.key())), second.text());
    EXPECT_EQ(second.content(), three.content());
}

TEST(Lw4o6, OnlyWhatHasABindingTableWritesOne) {
    const auto ipv4 =
        read_technology(R"({"name": "map-e", "domains": [{"ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 16,
                                          "br": "::1"}]})");
    EXPECT_THROW(write_softwires(*ipv4, "/dev/null"), message::MessageError);
    EXPECT_THROW(write_softwires(*read_technology(lw4o6(generated)), "/nonexistent/x"), message::MessageError);
}

TEST(Lw4o6B4, IsAClientsGatewayToOneSoftwire) {  // R7596-5
    const auto lwb4 = read_stateful(R"({"name": "lw4o6-b4", "softwires": {)" + generated + R"(, "number": 4660}})");
    EXPECT_EQ(to_text(*lwb4->pool()), "192.0.2.18, PSID 52 (8 bits), ports 13312-13567");
    EXPECT_TRUE(lwb4->pool()->contains(13312));
    EXPECT_FALSE(lwb4->pool()->contains(13568));
    const auto tunnel = lwb4->tunnel(Side::right);
    ASSERT_TRUE(tunnel);
    EXPECT_EQ(to_text(list_in(tunnel->ends[0])->at(0)), "2001:db8:12:3400:0:c000:212:34");
    EXPECT_EQ(to_text(list_in(tunnel->ends[1])->at(0)), "2001:db8:ffff::1");
    EXPECT_FALSE(lwb4->tunnel(Side::left));
    EXPECT_EQ(lwb4->routes(Side::right), std::vector<std::string>{"2001:db8:ffff::1/128"});
    const TableFile out("");
    EXPECT_EQ(write_softwires(*lwb4, out.text()), 1U);
    EXPECT_NE(out.content().find("\n2001:db8:12:3400:0:c000:212:34,192.0.2.18,0,8,52,2001:db8:ffff::1\n"), std::string::npos);
    EXPECT_THROW(read_stateful(R"({"name": "lw4o6-b4", "softwires": {)" + generated + "}}"), message::MessageError);
}

TEST(Lw4o6, RefusesInOneLine) {
    const TableFile file(three_rows), empty("");
    const std::pair<std::string, std::string> cases[] = {
        {R"({"name": "lw4o6"})", "technology.softwires.ipv6: missing"},
        {lw4o6(R"("ipv6": "2001:db8::/52", "ipv4": "192.0.2.0/24", "psid_length": 6, "lwaftr": "::1")"),
         "technology.softwires.ipv6: 2001:db8::/52 is not allowed: a prefix of at most 50 bits, so that each of the 16384 lwB4s "
         "has"},
        {lw4o6(R"("ipv6": "2001:db8::/24", "ipv4": "192.0.0.0/7", "psid_length": 6, "lwaftr": "::1")"),
         "technology.softwires.ipv4: 192.0.0.0/7 is not allowed: a prefix of at least 8 bits"},
        {lw4o6(generated + R"(, "psid_offset": 9)"), "technology.softwires.psid_offset: 9 is not allowed: whole numbers, 0 to 8"},
        {lw4o6(generated + R"(, "count": 64513)"), "technology.softwires.count: 64513 is not allowed: whole numbers, 1 to 64512"},
        {lw4o6(generated + R"(, "number": 65536)"), "technology.softwires.number: 65536"},
        {lw4o6(generated + R"(, "number": 4608)"), "technology.softwires.number: 4608 is not allowed: a PSID of at least 4:"},
        {lw4o6(generated + R"(, "number": 4660, "count": 2)"), "technology.softwires.count: 2 is not allowed: 1 with number"},
        {lw4o6(generated, "lwb4"), "technology.softwires.number: missing"},
        {lw4o6(generated, "br"), "technology.role: \"br\" is not allowed: \"lwaftr\", \"lwb4\""},
        {lw4o6(generated + R"(, "speed": 1)"), "technology.softwires.speed: unknown key"},
        {lw4o6(file.key() + R"(, "ipv6": "2001:db8::/40")"), "technology.softwires.ipv6: unknown key"},
        {lw4o6(file.key() + R"(, "count": 4)"), "technology.softwires.count: 4 is not allowed: whole numbers, 1 to 3"},
        {lw4o6(file.key() + R"(, "number": 3)"), "technology.softwires.number: 3 is not allowed: whole numbers, 0 to 2"},
        {lw4o6(file.key() + R"(, "psid_length": 5)"),
         "technology.softwires.psid_length: 5 is not allowed: what a softwire of the table has"},
        {lw4o6(file.key() + R"(, "psid_length": 6, "count": 3)"),
         "technology.softwires.count: 3 is not allowed: whole numbers, 1 to 2"},
        {lw4o6(file.key() + R"(, "psid_length": 6, "number": 2)"),
         "technology.softwires.psid_length: 6 is not allowed: what the softwire with this number has"},
        {lw4o6(file.key() + R"(, "number": 0, "part": {"psid_length": 0})"),
         "technology.softwires.part.psid_length: 0 is not allowed: what a softwire has that is simulated"},
        {lw4o6(file.key(), "lwb4"), "technology.softwires.number: missing"},
        {lw4o6(R"("table": "/nonexistent.csv")"), "technology.softwires.table: /nonexistent.csv can't be read"},
        {lw4o6(R"("table": "/dev/zero")"), "technology.softwires.table: /dev/zero can't be read"},
        {lw4o6(empty.key()), "technology.softwires.table: " + empty.text() + ", it has no softwires"},
    };
    for (const auto& [message, begins] : cases) {
        const auto error = error_of(message);
        EXPECT_EQ(error.substr(0, begins.size()), begins) << message << "\n" << error;
        EXPECT_EQ(error.find('\n'), std::string::npos);
    }
}

}  // namespace
}  // namespace xlatperf::technology
