#include "technology/binding_table.h"

#include <gtest/gtest.h>

#include <sstream>

namespace xlatperf::technology {
namespace {

const std::string names = "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr\n";

BindingTable table_of(const std::string& text) {
    std::istringstream in(text);
    return read_binding_table(in);
}
std::string problem_of(const std::string& text) {
    try {
        table_of(text);
        return "";
    } catch (const BindingTableError& error) {
        return error.what();
    }
}

TEST(BindingTable, HasARowForEachSoftwire) {  // R7596-6.1
    const auto table = table_of("# customers\n" + names +
                                "2001:db8::1,192.0.2.1,0,6,1,2001:db8:ffff::1\r\n"
                                "\n"
                                "2001:db8::2,192.0.2.1,0,6,63,2001:db8:ffff::1\n"
                                "2001:db8::3,192.0.2.2,0,0,0,2001:db8:ffff::2\n"
                                "2001:db8::4,192.0.2.3,6,8,52,2001:db8:ffff::1");
    ASSERT_EQ(table.rows.size(), 4U);
    EXPECT_EQ(table.groups.size(), 3U);
    EXPECT_EQ(table.of, (std::vector<std::uint8_t>{0, 0, 1, 2}));
    EXPECT_EQ(wire::to_text(wire::Ipv6Address{table.rows[1].ipv6_bits()}), "2001:db8::2");
    EXPECT_EQ(wire::to_text(wire::Ipv4Address{table.rows[1].ipv4}), "192.0.2.1");
    EXPECT_EQ(table.rows[1].psid, 63);
    EXPECT_EQ(table.groups[2].psid_offset, 6U);
    EXPECT_EQ(wire::to_text(table.groups[1].lwaftr), "2001:db8:ffff::2");
}

TEST(BindingTable, IsReadAsItIsWritten) {
    // Addresses that are the row before's, that aren't, and that are again.
    const std::string text = names +
                             "2001:db8::1,192.0.2.1,0,6,1,2001:db8:ffff::1\n"
                             "2001:db8::2,192.0.2.1,0,6,2,2001:db8:ffff::1\n"
                             "2001:db8::3,192.0.2.2,6,8,255,2001:db8:ffff::2\n"
                             "2001:db8::4,192.0.2.1,0,6,3,2001:db8:ffff::1\n";
    const auto table = table_of(text);
    std::vector<BindingRow> rows;
    for (std::size_t i = 0; i < table.rows.size(); ++i) rows.push_back({table.groups[table.of[i]], table.rows[i]});
    std::ostringstream out;
    write_binding_table(out, rows);
    EXPECT_EQ(out.str(), text);
}

TEST(BindingTable, AByteOrderMarkIsNoPartOfIt) {
    const std::string text = names + "2001:db8::1,192.0.2.1,0,6,1,2001:db8:ffff::1\n";
    EXPECT_EQ(table_of("\xef\xbb\xbf" + text).rows.size(), 1U);
    EXPECT_THROW(table_of("\n\xef\xbb\xbf" + text), BindingTableError) << "only the file's first";
}

TEST(BindingTable, SaysInOneLineWhatIsWrong) {
    const std::string row = "2001:db8::1,192.0.2.1,0,6,1,2001:db8:ffff::1\n";
    const std::pair<std::string, std::string> cases[] = {
        {"", "it has no softwires"},
        {names, "it has no softwires"},
        {row, "line 1: \"2001:db8::1,192.0.2.1,0,6,1,2001:db8:ffff::1\" is not allowed: the names of the columns, ipv6,"},
        {names + "2001:db8::1,192.0.2.1\n", "line 2: \"2001:db8::1,192.0.2.1\" is not allowed: six values, ipv6,"},
        {names + "2001:db8::1,192.0.2.1,0,6,1,::1,7\n",
         "line 2: \"2001:db8::1,192.0.2.1,0,6,1,::1,7\" is not allowed: six values"},
        {"\n" + names + "2001:db8,192.0.2.1,0,6,1,::1\n", "line 3: ipv6: \"2001:db8\" is not allowed: an IPv6 address"},
        {names + "::1,192.0.2,0,6,1,::1\n", "line 2: ipv4: \"192.0.2\" is not allowed: an IPv4 address"},
        {names + "::1,192.0.2.1,16,0,0,::1\n", "line 2: psid_offset: \"16\" is not allowed: a whole number, 0 to 15"},
        {names + "::1,192.0.2.1,6,11,0,::1\n", "line 2: psid_length: \"11\" is not allowed: a whole number, 0 to 10"},
        {names + "::1,192.0.2.1,0,6,64,::1\n", "line 2: psid: \"64\" is not allowed: a whole number, 0 to 63"},
        {names + "::1,192.0.2.1,0,6,-1,::1\n", "line 2: psid: \"-1\" is not allowed"},
        {names + "::1,192.0.2.1,0,6, 1,::1\n", "line 2: psid: \" 1\" is not allowed"},
        {names + "::1,192.0.2.1,0,6,1,br\n", "line 2: lwaftr: \"br\" is not allowed: an IPv6 address"},
        {names + row + row,
         "line 2 (2001:db8::1 with 192.0.2.1, PSID 1 of 6 bits) and line 3 (2001:db8::1 with 192.0.2.1, PSID 1 of 6 bits) are "
         "not allowed: port sets of one IPv4 address beside"},
        {names + row + "2001:db8::2,192.0.2.1,0,6,1,::1\n",
         "line 2 (2001:db8::1 with 192.0.2.1, PSID 1 of 6 bits) and line 3 (2001:db8::2 with 192.0.2.1, PSID 1 of 6 bits) are "
         "not allowed: port sets of one IPv4 address beside"},
        {names + row + "2001:db8::2,192.0.2.1,0,5,0,::1\n",
         "line 2 (2001:db8::1 with 192.0.2.1, PSID 1 of 6 bits) and line 3 (2001:db8::2 with 192.0.2.1, PSID 0 of 5 bits) are "
         "not allowed: port sets of one IPv4 address beside"},
        {names + row + "2001:db8::2,192.0.2.1,0,0,0,::1\n",
         "line 2 (2001:db8::1 with 192.0.2.1, PSID 1 of 6 bits) and line 3 (2001:db8::2 with 192.0.2.1, PSID 0 of 0 bits) are "
         "not allowed: port sets of one IPv4 address beside"},
        {names + row + "2001:db8::2,192.0.2.1,4,6,2,::1\n",
         "line 2 (2001:db8::1 with 192.0.2.1, PSID 1 of 6 bits) and line 3 (2001:db8::2 with 192.0.2.1, PSID 2 of 6 bits) are "
         "not allowed: one psid_offset for each IPv4 address"},
        {names + row + "2001:db8:ffff::1,192.0.2.2,0,6,1,2001:db8:ffff::2\n",
         "line 3 (2001:db8:ffff::1 with 192.0.2.2, PSID 1 of 6 bits) is not allowed: an lwB4's address is no lwaftr"},
        {"# customers\n" + names + "\n" + row + "2001:db8::2,192.0.2.1,0,6,1,::1\n",
         "line 4 (2001:db8::1 with 192.0.2.1, PSID 1 of 6 bits) and line 5 (2001:db8::2 with"},
    };
    for (const auto& [text, begins] : cases) {
        const auto found = problem_of(text);
        EXPECT_EQ(found.substr(0, begins.size()), begins) << text;
        EXPECT_EQ(found.find('\n'), std::string::npos);
    }
    EXPECT_EQ(problem_of(names + row + "2001:db8::2,192.0.2.1,0,5,1,::1\n"), "") << "PSID 1 of 5 bits is 2 and 3 of 6";
    EXPECT_EQ(problem_of(names + row + "2001:db8::1,192.0.2.2,0,6,1,::1\n2001:db8::1,192.0.2.1,0,6,2,::2\n"), "")
        << "several softwires of one lwB4";
}

TEST(BindingTable, HasSixtyFourCombinationsAtMost) {
    std::string text = names;
    for (int i = 0; i < 65; ++i)
        text += "2001:db8::" + std::to_string(i) + ",192.0.2." + std::to_string(i) +
                ",0,0,0,2001:db8:ffff::" + std::to_string(i) + "\n";
    EXPECT_EQ(problem_of(text), "line 66: more than 64 combinations of lwaftr, psid_offset and psid_length");
}

}  // namespace
}  // namespace xlatperf::technology
