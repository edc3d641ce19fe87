// Lw4o6 in both roles, and the lwB4 with NAPT44: headers, the binding table, hairpinning, each check switched on and off.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bed.h"
#include "both_links.h"
#include "control/config.h"
#include "technologies/binding_table.h"

namespace xlatperf::reference {
namespace {

using namespace test;

const char *const first_b4 = "2001:db8:12:3400:0:c000:212:34", *const second_b4 = "2001:db8::2", *const whole_b4 = "2001:db8::3",
                  *const lwaftr = "2001:db8:ffff::1", *const shared4 = "192.0.2.18", *const whole4 = "192.0.2.19",
                  *const lw_far = "198.19.0.2";
const std::string column_names = "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr\n";
const std::string first_row = "2001:db8:12:3400:0:c000:212:34,192.0.2.18,0,8,52,2001:db8:ffff::1\n";  // ports 13312 to 13567
const std::string other_rows =
    "2001:db8::2,192.0.2.18,0,4,1,2001:db8:ffff::1\n"  // ports 4096 to 8191
    "2001:db8::3,192.0.2.19,0,0,0,2001:db8:ffff::2\n";

class TableOf {
  public:
    explicit TableOf(const std::string& text)
        : path_(std::filesystem::temp_directory_path() / ("xlatperf-lw4o6-" + std::to_string(getpid()) + ".csv")) {
        std::ofstream(path_) << text;
    }
    TableOf(const TableOf&) = delete;
    ~TableOf() { std::filesystem::remove(path_); }
    std::string path() const { return path_.string(); }

  private:
    std::filesystem::path path_;
};

Json lw_technology(const std::string& role, const std::string& name = "lw4o6") {
    Json json;
    json["name"] = name;
    if (!role.empty()) json["role"] = role;
    json["rows"] = role == "lwaftr" ? first_row + other_rows : first_row;
    return json;
}

GatewaySettings lw_settings(Json technology) {
    const TableOf table(column_names + technology["rows"].get<std::string>());
    technology.erase("rows");
    technology["table"] = table.path();
    Json json = both_links();
    if (technology.value("role", "lwb4") == "lwaftr") {
        json["left"]["routes"] = {{{"prefix", "2001:db8::/40"}, {"via", "2001:2:0:7fff::2"}}};
        json["right"]["routes"] = {{{"prefix", "198.19.0.0/17"}, {"via", "198.19.255.2"}}};
    } else {
        json["left"]["routes"] = {{{"prefix", "192.0.2.0/24"}, {"via", "10.255.0.2"}},
                                  {{"prefix", "10.0.0.0/16"}, {"via", "10.255.0.2"}}};
        json["right"]["routes"] = {{{"prefix", "2001:db8:ffff::/48"}, {"via", "2001:2:0:ffff::2"}}};
    }
    json["technology"] = technology;
    return config_from_json(Json::parse(json.dump())).gateway;
}

struct LwBed : Bed {
    explicit LwBed(const Json& technology) : Bed(lw_settings(technology)) {}
    ~LwBed() {
        EXPECT_EQ(pool.live(), 0u);
        EXPECT_EQ(pool.wrongly_freed, 0u);
    }
};

Octets carried(const char* source, const char* destination, const Octets& packet) {
    return ipv6(source, destination, 4, packet, 64, 0xb8);
}

TEST(LwAftr, R7596_6_2_EncapsulatesByTheBindingTable) {
    LwBed bed(lw_technology("lwaftr"));
    EXPECT_EQ(bed.through(Side::left, carried(first_b4, lwaftr, v4(shared4, lw_far, 13312, 80))),
              hop(v4(shared4, lw_far, 13312, 80)));
    EXPECT_EQ(bed.through(Side::right, v4(lw_far, shared4, 80, 13567)),
              carried(lwaftr, first_b4, hop(v4(lw_far, shared4, 80, 13567))));
    EXPECT_EQ(bed.through(Side::right, v4(lw_far, shared4, 80, 8191)),
              carried(lwaftr, second_b4, hop(v4(lw_far, shared4, 80, 8191))))
        << "PSIDs of another length";
    EXPECT_EQ(bed.through(Side::right, v4(lw_far, whole4, 80, 80)),
              carried("2001:db8:ffff::2", whole_b4, hop(v4(lw_far, whole4, 80, 80))))
        << "another lwAFTR, all ports";
}

TEST(LwAftr, R7596_6_2_SeveralSoftwiresOfOneLwB4) {
    const char *const own4 = "192.0.2.20", *const other_lwaftr = "2001:db8:ffff::2";
    Json several = lw_technology("lwaftr");
    several["rows"] = first_row + other_rows + "2001:db8::2,192.0.2.18,0,8,53,2001:db8:ffff::1\n" +  // ports 13568 to 13823
                      "2001:db8::2,192.0.2.20,0,0,0,2001:db8:ffff::2\n";
    LwBed bed(several);
    const std::pair<const char*, Octets> right[] = {{lwaftr, v4(shared4, lw_far, 4096, 80)},
                                                    {lwaftr, v4(shared4, lw_far, 13568, 80)},
                                                    {other_lwaftr, v4(own4, lw_far, 13312, 80)}};
    for (const auto& [end, packet] : right) EXPECT_EQ(bed.through(Side::left, carried(second_b4, end, packet)), hop(packet));
    EXPECT_EQ(bed.through(Side::right, v4(lw_far, shared4, 80, 13823)),
              carried(lwaftr, second_b4, hop(v4(lw_far, shared4, 80, 13823))));
    EXPECT_EQ(bed.through(Side::right, v4(lw_far, own4, 80, 1)), carried(other_lwaftr, second_b4, hop(v4(lw_far, own4, 80, 1))));

    const auto refused = [&](const char* source, const char* end, const Octets& packet, Fate fate) {
        LwBed fresh(several);
        EXPECT_TRUE(fresh.through(Side::left, carried(source, end, packet)).empty());
        EXPECT_EQ(fresh.refused(Direction::forward, fate), 1u);
    };
    refused(second_b4, lwaftr, v4(shared4, lw_far, 13312, 80), Fate::wrong_source_port);  // the first lwB4's
    refused(first_b4, lwaftr, v4(shared4, lw_far, 13568, 80), Fate::wrong_source_port);
    refused(second_b4, lwaftr, v4(whole4, lw_far, 80, 80), Fate::wrong_source_address);
    refused(first_b4, lwaftr, v4(own4, lw_far, 13312, 80), Fate::wrong_source_address);
    refused(second_b4, other_lwaftr, v4(shared4, lw_far, 13568, 80), Fate::wrong_tunnel_end);  // that of its other softwire
    refused(second_b4, lwaftr, v4(own4, lw_far, 80, 80), Fate::wrong_tunnel_end);
}

TEST(LwB4, EncapsulatesToItsLwAftr) {  // RFC 7596 §5.2
    LwBed bed(lw_technology("lwb4"));
    EXPECT_EQ(bed.through(Side::left, v4(shared4, lw_far, 13312, 80)),
              carried(first_b4, lwaftr, hop(v4(shared4, lw_far, 13312, 80))));
    EXPECT_EQ(bed.through(Side::right, carried(lwaftr, first_b4, v4(lw_far, shared4, 80, 13313))),
              hop(v4(lw_far, shared4, 80, 13313)));
}

TEST(LwB4, WithNapt44HasItsPortsAlone) {  // RFC 7596 §5
    LwBed bed(lw_technology("", "lw4o6-b4"));
    EXPECT_EQ(bed.through(Side::left, v4("10.0.0.2", lw_far, 5000, 80)),
              carried(first_b4, lwaftr, hop(v4(shared4, lw_far, 13312, 80))));
    EXPECT_EQ(bed.through(Side::right, carried(lwaftr, first_b4, v4(lw_far, shared4, 80, 13312))),
              hop(v4(lw_far, "10.0.0.2", 80, 5000)));
    EXPECT_TRUE(bed.through(Side::right, carried(lwaftr, first_b4, v4(lw_far, shared4, 80, 13313))).empty());
    EXPECT_EQ(bed.refused(Direction::reverse, Fate::no_mapping), 1u);
}

TEST(LwAftr, R7596_6_2_Hairpinning) {
    const Octets packet = v4(shared4, whole4, 13312, 80);
    LwBed bed(lw_technology("lwaftr"));
    bed.recorder.sent.clear();
    bed.from_left(0x86dd, carried(first_b4, lwaftr, packet));
    ASSERT_EQ(bed.recorder.sent.size(), 1u);
    EXPECT_EQ(bed.recorder.sent[0].side, Side::left);
    const Octets& frame = bed.recorder.sent[0].octets;
    EXPECT_EQ(Octets(frame.begin() + 14, frame.end()), carried("2001:db8:ffff::2", whole_b4, hop(packet)));
    Json off = lw_technology("lwaftr");
    off["hairpinning"] = false;
    LwBed without(off);
    without.from_left(0x86dd, carried(first_b4, lwaftr, packet));
    EXPECT_EQ(without.refused(Direction::forward, Fate::no_route), 1u);
}

TEST(LwAftr, R6040_4_2_CongestionInTheTunnelOfAHairpin) {
    LwBed bed(lw_technology("lwaftr"));
    Octets capable = v4(shared4, whole4, 13312, 80);
    capable[1] |= 2;
    put16(capable, 10, 0);
    put16(capable, 10, static_cast<std::uint16_t>(~ones_sum(capable, 0, 20)));
    bed.recorder.sent.clear();
    Octets congested = carried(first_b4, lwaftr, capable);
    congested[1] |= 0x30;
    bed.from_left(0x86dd, congested);
    ASSERT_EQ(bed.recorder.sent.size(), 1u);
    const Octets& frame = bed.recorder.sent[0].octets;
    EXPECT_EQ(frame[14 + 40 + 1] & 3, 3);
    EXPECT_EQ(frame[14 + 1] & 0x30, 0x30);
    EXPECT_EQ(ones_sum(frame, 14 + 40, 14 + 40 + 20), 0xffff);
    congested = carried(first_b4, lwaftr, v4(shared4, whole4, 13312, 80));
    congested[1] |= 0x30;
    bed.from_left(0x86dd, congested);
    EXPECT_EQ(bed.refused(Direction::forward, Fate::not_ecn_capable), 1u);
}

TEST(LwAftr, EchoesAreKnownByTheirIdentifier) {  // RFC 7596 §8.1
    LwBed bed(lw_technology("lwaftr"));
    const Octets echo = with_checksum(ipv4(shared4, lw_far, 1, hex("08 00 0000 3400 0001")), 1, 2, false);
    EXPECT_FALSE(bed.through(Side::left, carried(first_b4, lwaftr, echo)).empty());
    const Octets others = with_checksum(ipv4(shared4, lw_far, 1, hex("08 00 0000 3500 0001")), 1, 2, false);
    EXPECT_TRUE(bed.through(Side::left, carried(first_b4, lwaftr, others)).empty());
    EXPECT_EQ(bed.refused(Direction::forward, Fate::wrong_source_port), 1u);
}

/// A packet that one check alone is against.
struct WrongPacket {
    const char *role, *check;
    Side side;
    Octets packet;
    Fate fate;
};

void arrive(LwBed& bed, const WrongPacket& wrong) {
    const std::uint16_t type = wrong.packet[0] >> 4 == 4 ? 0x0800 : 0x86dd;
    wrong.side == Side::left ? bed.from_left(type, wrong.packet) : bed.from_right(type, wrong.packet);
}

TEST(Lw4o6Checks, EachDropsWhatItIsForAndNothingElseDoes) {  // RFC 7596 §5.2, §6.2
    const Octets up = v4(shared4, lw_far, 13312, 80), down = v4(lw_far, shared4, 80, 13312);
    const Side left = Side::left, right = Side::right;
    const std::vector<WrongPacket> all = {
        {"lwaftr", "softwire", left, carried("2001:db8:12:3400:1:c000:212:34", lwaftr, up), Fate::unknown_softwire},
        {"lwaftr", "source_address", left, carried(first_b4, lwaftr, v4("192.0.2.20", lw_far, 13312, 80)),
         Fate::wrong_source_address},
        {"lwaftr", "source_address", left, carried(whole_b4, "2001:db8:ffff::2", up), Fate::wrong_source_address},
        {"lwaftr", "source_port", left, carried(first_b4, lwaftr, v4(shared4, lw_far, 13311, 80)), Fate::wrong_source_port},
        {"lwaftr", "source_port", left, carried(second_b4, lwaftr, up), Fate::wrong_source_port},
        {"lwaftr", "lwaftr", left, carried(first_b4, "2001:db8:ffff::2", up), Fate::wrong_tunnel_end},
        {"lwaftr", "lwaftr", left, carried(first_b4, "2001:db8:fffe::1", up), Fate::no_route},
        {"lwaftr", "destination_port", right, v4(lw_far, shared4, 80, 1023), Fate::wrong_destination_port},
        {"lwb4", "source_address", left, v4(whole4, lw_far, 13312, 80), Fate::wrong_source_address},
        {"lwb4", "source_port", left, v4(shared4, lw_far, 13568, 80), Fate::wrong_source_port},
        {"lwb4", "lwaftr", right, carried("2001:db8:ffff::2", first_b4, down), Fate::wrong_tunnel_end},
        {"lwb4", "destination_address", right, carried(lwaftr, first_b4, v4(lw_far, whole4, 80, 13312)),
         Fate::wrong_destination_address},
        {"lwb4", "destination_port", right, carried(lwaftr, first_b4, v4(lw_far, shared4, 80, 13568)),
         Fate::wrong_destination_port},
    };
    for (const WrongPacket& wrong : all) {
        const std::string what = std::string(wrong.role) + " " + wrong.check;
        const Direction direction = direction_from(wrong.side);
        LwBed strict(lw_technology(wrong.role));
        arrive(strict, wrong);
        EXPECT_EQ(strict.refused(direction, wrong.fate), 1u) << what;
        EXPECT_EQ(strict.gateway.counters(direction).translated, 0u) << what;
        Json lenient = lw_technology(wrong.role);
        lenient["checks"] = {{wrong.check, false}};
        LwBed lax(lenient);
        arrive(lax, wrong);
        EXPECT_EQ(lax.gateway.counters(direction).translated, 1u) << what;
    }
}

TEST(LwAftr, R7596_6_2_TheSenderMayBeTold) {
    Json answers = lw_technology("lwaftr");
    answers["answers"] = true;
    for (const Json& technology : {answers, lw_technology("lwaftr")}) {
        LwBed bed(technology);
        bed.recorder.sent.clear();
        bed.from_left(0x86dd, carried("2001:db8::9", lwaftr, v4(shared4, lw_far, 13312, 80)));
        ASSERT_EQ(bed.recorder.sent.size(), technology.contains("answers") ? 1u : 0u);
        if (!bed.recorder.sent.empty()) {
            EXPECT_EQ(get16(bed.recorder.sent[0].octets, 14 + 40), 0x0105);
        }
    }
}

TEST(LwConfig, TablesAndErrors) {
    const auto error_of = [](const Json& technology) -> std::string {
        try {
            lw_settings(technology);
        } catch (const message::MessageError& error) {
            return error.what();
        }
        return "";
    };
    const auto ends_with = [&](const std::string& rows, const std::string& role, const std::string& end) {
        Json json = lw_technology(role);
        json["rows"] = rows;
        const std::string error = error_of(json);
        EXPECT_EQ(error.rfind("technology.table: ", 0), 0u) << error;
        EXPECT_EQ(error.substr(error.size() - std::min(error.size(), end.size())), end) << error;
    };
    ends_with("", "lwaftr", ": it has no softwires");
    ends_with("2001:db8::1,192.0.2.1\n", "lwaftr", ": line 2: not six values");
    ends_with("2001:db8::1,192.0.2.1,0,6,1,::1,2\n", "lwaftr", ": line 2: not six values");
    ends_with("2001:db8::1,192.0.2.1,0,6,64,::1\n", "lwaftr", ": line 2: 64 is more than 63");
    ends_with("2001:db8::1,192.0.2.1,0,x,1,::1\n", "lwaftr", ": line 2: \"x\" is not a number");
    ends_with("lwb4,192.0.2.1,0,6,1,::1\n", "lwaftr", ": line 2: \"lwb4\" is not an address");
    ends_with(first_row + other_rows, "lwb4", "technology.table: 3 is not allowed: one softwire, the lwB4's own");
    Json role = lw_technology("lwaftr");
    role["role"] = "br";
    EXPECT_EQ(error_of(role), "technology.role: \"br\" is not allowed: \"lwaftr\", \"lwb4\"");
    Json check = lw_technology("lwb4");
    check["checks"] = {{"softwire", false}};
    EXPECT_EQ(error_of(check),
              "technology.checks.softwire: unknown key; known: destination_address, destination_port, lwaftr, source_address, "
              "source_port");
    EXPECT_EQ(error_of(lw_technology("lwb4", "lw4o6-b4")).rfind("technology.role: unknown key", 0), 0u);
    EXPECT_THROW(BindingTable::read("/nonexistent.csv"), std::runtime_error);
}

TEST(BindingTableOfDevice, PortsWithAnOffset) {  // RFC 7597 §5.1
    const TableOf file(column_names + "2001:db8::1,192.0.2.18,6,8,52,::1\n2001:db8::2,192.0.2.18,6,8,53,::1\n");
    const BindingTable table = BindingTable::read(file.path());
    const wire::Ipv4Address address = *wire::parse_ipv4(shared4);
    const auto who = [&](std::uint16_t port) { return table.find(address, port); };
    EXPECT_EQ(who(1232), table.find(*wire::parse_ipv6("2001:db8::1")));
    EXPECT_EQ(who(64723), table.find(*wire::parse_ipv6("2001:db8::1")));
    EXPECT_EQ(who(1236), table.find(*wire::parse_ipv6("2001:db8::2")));
    EXPECT_EQ(who(208), nullptr) << "A = 0";
    EXPECT_EQ(who(1240), nullptr);
    EXPECT_EQ(table.find(*wire::parse_ipv4("192.0.2.19"), 1232), nullptr);
}

}  // namespace
}  // namespace xlatperf::reference
