#include "control/requests.h"

#include "control/changed_messages.h"
#include "technology/forwarded.h"
#include "technology/translated.h"

namespace xlatperf::control {
namespace {

json open_message() {
    return json::parse(R"({"request": "open", "cores": [0], "left": {"port": "net_ring0"}, "right": {"port": "net_ring1"}})");
}
json configure_message() {
    return json::parse(R"({"request": "configure", "id": 2,
 "technology": {"name": "siit", "ipv6_side": "left", "prefix": "2001:db8:6464::/96", "eam": [{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}]},
 "left": {"ipv6": {"address": "2001:2:0:7fff::2", "gateway": "2001:2:0:7fff::1"}, "hosts": {"prefix": "198.18.0.0/24", "networks": 1, "host": 2},
          "background_hosts": {"prefix": "2001:2:0:1000::/64"}},
 "right": {"ipv4": {"address": "198.19.255.2", "gateway": "198.19.255.1"}, "ipv6": {"address": "2001:2:0:ffff::2", "gateway": "2001:2:0:ffff::1"},
           "gateway_mac": null, "hosts": {"prefix": "198.19.0.0/24", "networks": 1, "host": 2}, "background_hosts": {"prefix": "2001:2:0:9000::/64"}},
 "traffic": {"seed": 1, "foreground": {"take": 9, "of": 10}, "hop_limit": 10, "hops": 1, "traffic_class": 184, "dont_fragment": true,
             "forward": {"source_ports": {"order": "pseudorandom", "first": 1024, "last": 65535},
                         "destination_ports": {"order": "increasing", "first": 1, "last": 49151}},
             "reverse": {"source_ports": {"order": "fixed", "first": 7}, "destination_ports": {"order": "decreasing"}}}})");
}
json trial_message() {
    return json::parse(
        R"({"request": "trial", "number": 12, "frame_size": 84, "frame_size_of": "ipv6", "rate_fps": 50000, "duration_s": 5,
 "timeout_s": 2, "directions": ["forward", "reverse"], "frame_timeout_ms": null, "histograms": false, "samples": 4,
 "schedule": {"burst": 32, "catch_up": 2.0, "late_us": 10000, "late_share": 0.01, "overrun": 0.001}})");
}

TEST(Open, Defaults) {
    const auto request = read(open_message(), "open", read_open);
    EXPECT_EQ(request.ports[0], "net_ring0");
    EXPECT_EQ(request.eal.cores, std::vector<unsigned>{0});
    EXPECT_EQ(request.eal.memory_mb, 256U);
    EXPECT_EQ(request.eal.hugepages, eal::Hugepages::automatic);
    EXPECT_TRUE(request.eal.pci_addresses.empty());
    EXPECT_EQ(request.eal.nice, -5);
    EXPECT_TRUE(request.yield);
    EXPECT_EQ(request.largest_frame, 1522U);
    const auto pci =
        read(changed(open_message(), {{"/left/port", "\"0000:01:00.0\""}, {"/idle", "\"poll\""}, {"/hugepages", "\"never\""}}),
             "open", read_open);
    EXPECT_EQ(pci.eal.pci_addresses, std::vector<std::string>{"0000:01:00.0"});
    EXPECT_FALSE(pci.yield);
    EXPECT_EQ(pci.eal.hugepages, eal::Hugepages::never);
}

TEST(Open, Messages) {
    expect_cases(open_message(), "open", read_open,
                 {{"/left", "", "open.left.port: missing"},
                  {"/left/port", "5", "open.left.port: 5 is not allowed: a string"},
                  {"/left/portt", "5", "open.left.portt: unknown key, the nearest is port"},
                  {"/cores", "[]", "open.cores: [] is not allowed"},
                  {"/cores", "[1024]", "open.cores: 1024 is not allowed"},
                  {"/cores", "", ""},
                  {"/memory_mb", "63", "open.memory_mb: 63 is not allowed: whole numbers, 64 to"},
                  {"/hugepages", "\"yes\"", "open.hugepages: \"yes\" is not allowed: \"auto\", \"never\", \"require\""},
                  {"/nice", "-21", "open.nice: -21 is not allowed: whole numbers, -20 to 19"},
                  {"/nice", "19", ""},
                  {"/idle", "\"sleep\"", "open.idle"},
                  {"/link_timeout_s", "-1", "open.link_timeout_s: -1 is not allowed: 0 to 120"},
                  {"/largest_frame", "83", "open.largest_frame"},
                  {"/largest_frame", "9618", ""},
                  {"/id", "\"a\"", "open.id"},
                  {"/id", "-9223372036854775808", ""},
                  {"/hugepage", "1", "open.hugepage: unknown key, the nearest is hugepages"}});
}

TEST(Configure, ReadsEverything) {
    const auto configuration = read(configure_message(), "configure", read_configure);
    EXPECT_EQ(configuration.technology->arrives(flow::Side::left), technology::ipv6_from_ipv4);
    EXPECT_EQ(configuration.technology->family(flow::Side::left), wire::Family::ipv6);
    EXPECT_EQ(wire::to_text(configuration.technology->addresses(flow::Side::left, flow::Side::left)[0]), "2001:2::2");
    EXPECT_EQ(wire::to_text(configuration.technology->addresses(flow::Side::right, flow::Side::left)[0]),
              "2001:db8:6464::c613:2");
    EXPECT_EQ(configuration.foreground_take, 9U);
    EXPECT_EQ(configuration.foreground_of, 10U);
    EXPECT_EQ(configuration.traffic_class, 184);
    EXPECT_EQ(configuration.ports[0].destination.order(), flow::Order::increasing);
    EXPECT_EQ(configuration.ports[1].source.order(), flow::Order::fixed);
    EXPECT_EQ(configuration.ports[1].source.first(), 7);
    EXPECT_EQ(configuration.ports[1].destination.order(), flow::Order::decreasing);
    EXPECT_EQ(configuration.ports[1].destination.last(), 49151) << "R4814-4.5";
    EXPECT_FALSE(configuration.sides[0].ipv4);
    EXPECT_EQ(wire::to_text(configuration.sides[1].ipv4->gateway), "198.19.255.1");
}

TEST(Configure, TrafficDefaultsAreTheStandards) {
    const auto configuration = read(changed(configure_message(), {{"/traffic", ""}}), "configure", read_configure);
    EXPECT_EQ(configuration.foreground_take, 1U);
    EXPECT_EQ(configuration.hop_limit, 10) << "RFC 2544 C.2.6.4";
    EXPECT_EQ(configuration.traffic_class, 0);
    for (const auto& ports : configuration.ports) {  // R4814-4.5
        EXPECT_EQ(ports.source.order(), flow::Order::pseudorandom);
        EXPECT_EQ(ports.source.first(), 1024);
        EXPECT_EQ(ports.source.last(), 65535);
        EXPECT_EQ(ports.destination.first(), 1);
        EXPECT_EQ(ports.destination.last(), 49151);
    }
}

TEST(Configure, HopsOfADirectionAreThoseOfBothUnlessGiven) {
    const auto configuration =
        read(changed(configure_message(), {{"/traffic/hops", "3"}, {"/traffic/forward/hops", "2"}}), "configure", read_configure);
    EXPECT_EQ(configuration.hops, (std::array<std::array<std::uint8_t, 2>, 2>{{{2, 2}, {3, 3}}}));
    const auto other = read(
        changed(configure_message(),
                {{"/traffic/background_hops", "0"}, {"/traffic/reverse/hops", "5"}, {"/traffic/reverse/background_hops", "4"}}),
        "configure", read_configure);
    EXPECT_EQ(other.hops, (std::array<std::array<std::uint8_t, 2>, 2>{{{1, 0}, {5, 4}}}));
}

TEST(Configure, Messages) {
    expect_cases(
        configure_message(), "configure", read_configure,
        {{"/technology/name", "\"nat46\"",
          "configure.technology.name: \"nat46\" is not allowed: \"native\", \"siit\", \"nat44\", \"nat64\", \"nat66\""},
         {"/technology/name", "\"nat64\"", "configure.traffic.connections: missing: what connections with technology nat64"},
         {"/technology/pool", "{}", "configure.technology.pool: unknown key"},
         {"/traffic/connections", "{}", "configure.traffic.connections: unknown key"},
         {"/technology", "", "configure.technology.name: missing"},
         {"/technology/family", "\"ipv4\"", "configure.technology.family: unknown key"},
         {"/technology/prefix", "\"2001:db8::/97\"",
          "configure.technology.prefix: 2001:db8::/97 is not allowed: a length of 32, 40"},
         {"/technology/prefix", "\"2001:db8:0:0:ff00::/96\"",
          "configure.technology.prefix: 2001:db8:0:0:ff00::/96 is not allowed: bits 64 to 71 zero"},
         {"/technology/prefix", "\"2001:db8::/64\"", ""},
         {"/technology/prefix", "null", "configure.technology.eam: no mapping covers 198.19.0.2"},
         {"/technology/eam", "[]", ""},
         {"/technology/eam", "{}", "configure.technology.eam: {} is not allowed: a list of objects"},
         {"/technology/eam/0/ipv6", "\"2001:2::/121\"",
          "configure.technology.eam[0].ipv6: 2001:2::/121 is not allowed: a prefix whose suffix"},
         {"/technology/eam",
          R"([{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}, {"ipv4": "198.18.0.0/24", "ipv6": "2001:2:0:1::/120"}])",
          "configure.technology.eam[1].ipv4: 198.18.0.0/24 is not allowed: a network that eam[0] doesn't have"},
         {"/technology/eam",
          R"([{"ipv4": "198.18.0.0/24", "ipv6": "2001:2::/120"}, {"ipv4": "198.18.1.0/24", "ipv6": "2001:2::1/120"}])",
          "configure.technology.eam[1].ipv6: 2001:2::1/120 is not allowed: a network that eam[0] doesn't have"},
         {"/traffic/accept", R"(["traffic_class"])", ""},
         {"/traffic/accept", "[]", ""},
         {"/traffic/accept", R"(["tos"])", "configure.traffic.accept: \"tos\" is not allowed: a list of \"hop_limit\","},
         {"/technology/eam/0/ipv5", "1", "configure.technology.eam[0].ipv5: unknown key"},
         {"/technology/ipv6_side", "\"right\"", "configure.left.ipv4: missing"},
         {"/left/hosts", "", "configure.left.hosts: missing"},
         {"/left/hosts/prefix", "\"198.18.0.0/8\"",
          "configure.left.hosts.prefix: 198.18.0.0/8 is not allowed: a prefix of at least 9 bits"},
         {"/left/hosts/prefix", "\"198.18.0.0/32\"", "configure.left.hosts.host: 2 is not allowed: a host number that fits"},
         {"/left/hosts/host", "256", "configure.left.hosts.host: 256 is not allowed: a host number that fits into 198.18.0.0/24"},
         {"/left/hosts/host", "255", ""},
         {"/left/hosts/networks", "0", "configure.left.hosts.networks: 0 is not allowed: whole numbers, 1 to 256"},
         {"/left/hosts/networks", "257", "configure.left.hosts.networks"},
         {"/left/hosts/networks", "256", ""},
         {"/left/ipv4", "null", ""},
         {"/left/ipv6", "null", "configure.left.ipv6: missing: this side carries IPv6 frames"},
         {"/left/ipv6/gateway", "", "configure.left.ipv6.gateway: missing"},
         {"/right/ipv6", "null", "configure.right.ipv6: missing: this side carries IPv6 frames"},
         {"/right/background_hosts", "null", "configure.right.background_hosts: missing: needed for background frames"},
         {"/right/gateway_mac", "\"02:00:00:00:00:01\"", ""},
         {"/right/gateway_mac", "\"02\"", "configure.right.gateway_mac"},
         {"/loopback", "1", "configure.loopback: 1 is not allowed: true or false"},
         {"/traffic/foreground/take", "11", "configure.traffic.foreground.take: 11 is not allowed: whole numbers, 0 to 10"},
         {"/traffic/foreground/take", "0", ""},
         {"/traffic/hops", "10", "configure.traffic.hop_limit: 10 is not allowed: more than hops, 10"},
         {"/traffic/hops", "9", ""},
         {"/traffic/background_hops", "10", "configure.traffic.hop_limit: 10 is not allowed: more than hops, 10"},
         {"/traffic/forward/hops", "10", "configure.traffic.hop_limit: 10 is not allowed: more than hops, 10"},
         {"/traffic/reverse/background_hops", "10", "configure.traffic.hop_limit: 10 is not allowed: more than hops, 10"},
         {"/traffic/reverse/hops", "255", "configure.traffic.reverse.hops: 255 is not allowed: whole numbers, 0 to 254"},
         {"/traffic/traffic_class", "256", "configure.traffic.traffic_class"},
         {"/traffic/forward/source_ports/last", "1023",
          "configure.traffic.forward.source_ports.last: 1023 is not allowed: at least first, 1024"},
         {"/traffic/forward/source_ports/last", "65536", "configure.traffic.forward.source_ports.last: 65536 is not allowed"},
         {"/traffic/forward/source_ports/order", "\"random\"", "configure.traffic.forward.source_ports.order"},
         {"/traffic/forward/flows", "0", "configure.traffic.forward.flows: 0 is not allowed: whole numbers, 1 to 4294967295"},
         {"/traffic/reverse/flows", "1", "configure.traffic.reverse.flows: 1 is not allowed: none with ports in an order"},
         {"/traffic/seed", "9223372036854775807", ""},
         {"/traffic/sed", "1", "configure.traffic.sed: unknown key, the nearest is seed"}});
}

TEST(Configure, FlowsUpToWhatHostsAndPortsMake) {
    const auto of = [](const char* flows) {
        const json message = changed(configure_message(), {{"/traffic/forward/destination_ports/order", "\"fixed\""},
                                                           {"/right/hosts/networks", "2"},
                                                           {"/traffic/forward/flows", flows}});
        return error_of(message, "configure", read_configure);
    };
    EXPECT_EQ(of("129024"), "");
    EXPECT_EQ(of("null"), "");
    EXPECT_EQ(of("129025"), "configure.traffic.forward.flows: 129025 is not allowed: at most what hosts and ports make, 129024");
    EXPECT_EQ(read(changed(configure_message(),
                           {{"/traffic/forward/destination_ports/order", "\"fixed\""}, {"/traffic/forward/flows", "17"}}),
                   "configure", read_configure)
                  .ports[0]
                  .flows,
              17U);
}

TEST(Configure, NetworksEndWhereTheAddressSpaceDoes) {
    EXPECT_EQ(
        error_of(changed(configure_message(), {{"/right/hosts/prefix", "\"255.255.0.0/24\""}, {"/right/hosts/networks", "256"}}),
                 "configure", read_configure),
        "");
    EXPECT_EQ(
        error_of(changed(configure_message(), {{"/right/hosts/prefix", "\"255.255.1.0/24\""}, {"/right/hosts/networks", "256"}}),
                 "configure", read_configure),
        "configure.right.hosts.networks: 256 is not allowed: networks up to the end of the address space");
}

TEST(Configure, NativeHasHostsOfItsFamily) {
    const auto native = changed(configure_message(), {{"/technology", R"({"name": "native", "family": "ipv6"})"},
                                                      {"/left/hosts/prefix", "\"2001:2::/64\""},
                                                      {"/right/hosts/prefix", "\"2001:2:0:8000::/64\""}});
    expect_cases(
        native, "configure", read_configure,
        {{"/technology/family", "", "configure.technology.family: missing"},
         {"/technology/family", "\"ipv4\"", "configure.left.hosts.prefix: \"2001:2::/64\" is not allowed: an IPv4 prefix"},
         {"/technology/prefix", "\"64:ff9b::/96\"", "configure.technology.prefix: unknown key"},
         {"/left/hosts/host", "9223372036854775807", ""},
         {"/technology/double_translation", "true",
          "configure.technology.double_translation: true is not allowed: false with family ipv6"},
         {"/technology/double_translation", "1", "configure.technology.double_translation: 1 is not allowed"},
         {"/left/hosts/prefix", "\"2001:2::/127\"", "configure.left.hosts.host: 2 is not allowed"}});
}

TEST(Configure, DoubleTranslation) {
    for (const bool twice : {false, true}) {
        const std::string technology_text = R"({"name": "native", "family": "ipv4", "double_translation": )";
        const auto native = changed(configure_message(), {{"/technology", technology_text + (twice ? "true}" : "false}")},
                                                          {"/left/ipv4", configure_message()["right"]["ipv4"].dump()}});
        const auto technology = read(native, "configure", read_configure).technology;
        for (const auto side : flow::both_sides) {
            EXPECT_EQ(technology->arrives(side), twice ? technology::ipv4_from_ipv6 : technology::forwarded_ipv4);
            EXPECT_EQ(technology->family(side), wire::Family::ipv4);
        }
    }
}

TEST(Configure, LoopbackNeedsNoLinkAddresses) {
    EXPECT_EQ(error_of(changed(configure_message(),
                               {{"/loopback", "true"}, {"/left/ipv6", ""}, {"/right/ipv4", ""}, {"/right/ipv6", ""}}),
                       "configure", read_configure),
              "");
}

TEST(Trial, ReadsEverything) {
    const auto description = read(trial_message(), "trial", read_trial);
    EXPECT_EQ(description.number, 12U);
    EXPECT_EQ(description.frame_sizes, std::vector<std::size_t>{84});
    EXPECT_EQ(description.rates.size(), 1U);
    EXPECT_EQ(description.rates[0].rate_fps, 50000);
    EXPECT_EQ(description.duration_s(), 5);
    EXPECT_FALSE(description.frame_timeout_ms);
    EXPECT_EQ(read(changed(trial_message(), {{"/frame_timeout_ms", "10"}}), "trial", read_trial).frame_timeout_ms, 10);
    const auto one_way = read(changed(trial_message(), {{"/directions", "[\"reverse\"]"}}), "trial", read_trial);
    EXPECT_FALSE(one_way.directions[0]);
    EXPECT_TRUE(one_way.directions[1]);
    const auto extra = read(changed(trial_message(), {{"/then", R"([{"rate_fps": 25000, "duration_s": 60}])"},
                                                      {"/tags", R"({"count": 500, "from_s": 1})"},
                                                      {"/delay_variation", "true"},
                                                      {"/due_delays", "true"},
                                                      {"/follow_gateway", "true"}}),
                            "trial", read_trial);
    EXPECT_EQ(extra.rates.size(), 2U);
    EXPECT_EQ(extra.duration_s(), 65);
    EXPECT_EQ(extra.tags->count, 500U);
    EXPECT_TRUE(extra.delay_variation && extra.due_delays && extra.follow_gateway);
    EXPECT_FALSE(description.follow_gateway);
}

TEST(Trial, Messages) {
    expect_cases(trial_message(), "trial", read_trial,
                 {{"/rate_fps", "0", "trial.rate_fps: 0 is not allowed: 0.001 to 1000000000"},
                  {"/rate_fps", "\"fast\"", "trial.rate_fps: \"fast\" is not allowed"},
                  {"/rate_fps", "", "trial.rate_fps: missing"},
                  {"/rate_fps", "0.1", "trial.duration_s: 5.000000 is not allowed: at least one frame's time"},
                  {"/rate_fps", "0.2", ""},
                  {"/duration_s", "86401", "trial.duration_s"},
                  {"/number", "2048", "trial.number: 2048 is not allowed: whole numbers, 0 to 2047"},
                  {"/number", "-1", "trial.number"},
                  {"/frame_size", "", "trial.frame_size: missing"},
                  {"/frame_size", "59", "trial.frame_size"},
                  {"/frame_size_of", "\"ethernet\"", "trial.frame_size_of"},
                  {"/timeout_s", "-0.1", "trial.timeout_s"},
                  {"/timeout_s", "0", ""},
                  {"/directions", "[]", "trial.directions: [] is not allowed: a list of \"forward\", \"reverse\""},
                  {"/directions", "[\"up\"]", "trial.directions: \"up\" is not allowed"},
                  {"/frame_timeout_ms", "0", "trial.frame_timeout_ms: 0 is not allowed: 0.001 to"},
                  {"/samples", "1001", "trial.samples"},
                  {"/schedule/burst", "65", "trial.schedule.burst: 65 is not allowed: whole numbers, 1 to 64"},
                  {"/schedule/burst", "0", "trial.schedule.burst"},
                  {"/schedule/catch_up", "0.5", "trial.schedule.catch_up"},
                  {"/schedule/late_share", "2", "trial.schedule.late_share"},
                  {"/schedule/busrt", "1", "trial.schedule.busrt: unknown key, the nearest is burst"},
                  {"/schedule", "", ""},
                  {"/schedule", "5", "trial.schedule: 5 is not allowed: an object"},
                  {"/incremental", R"({"flows": 16, "interval_s": 0.1})", ""},
                  {"/incremental", R"({"flows": 65537, "interval_s": 0.1})",
                   "trial.incremental.flows: 65537 is not allowed: whole numbers, 1 to 65536"},
                  {"/incremental", R"({"flows": 65536, "interval_s": 2})",
                   "trial.incremental.interval_s: 2.000000 is not allowed: at most a day until all have begun"},
                  {"/then", "[]", ""},
                  {"/then", R"([{"rate_fps": 1}])", "trial.then[0].duration_s: missing"},
                  {"/then", R"([{"rate_fps": 1, "duration_s": 0.5}])", "trial."},
                  {"/tags", "{}", ""},
                  {"/tags", R"({"count": 0})", "trial.tags.count"},
                  {"/alter", R"([{"field": "source_port", "keep": "0xffe0", "flip": "0x1"}])", ""},
                  {"/alter", R"([{"field": "port"}])", "trial.alter[0].field: \"port\" is not allowed: \"outer_source\""},
                  {"/alter", R"([{"field": "source_port", "flip": "0x12345"}])", "trial.alter[0].flip: \"0x12345\" is not"},
                  {"/alter", R"([{"field": "source", "flip": 1}])", "trial.alter[0].flip: 1 is not allowed: a string of 0x"},
                  {"/alter", R"([{"field": "source", "fip": "0x1"}])", "trial.alter[0].fip: unknown key, the nearest is flip"},
                  {"/fence", "{}", ""},
                  {"/fence", R"({"frames": 10000})", ""},
                  {"/fence", R"({"frames": 10001})", "trial.fence.frames: 10001 is not allowed: whole numbers, 1 to 10000"},
                  {"/fence", R"({"frames": 0})", "trial.fence.frames: 0 is not allowed"},
                  {"/fence", R"({"delays": 0.5})", "trial.fence.delays: 0.5 is not allowed: 1 to 1000"},
                  {"/fence", R"({"least_s": -1})", "trial.fence.least_s"},
                  {"/fence", R"({"frame": 1})", "trial.fence.frame: unknown key, the nearest is frames"},
                  {"/fence", "10", "trial.fence: 10 is not allowed: an object"},
                  {"/schedule/overrun", "12.5", ""},
                  {"/schedule/overrun", "1001", "trial.schedule.overrun: 1001 is not allowed: 0 to 1000"},
                  {"/tag", "{}", "trial.tag: unknown key, the nearest is tags"}});
    const auto few = changed(trial_message(), {{"/rate_fps", "100"}, {"/duration_s", "0.19"}});
    expect_cases(few, "trial", read_trial,
                 {{"/fence", R"({"frames": 19})", ""},
                  {"/fence", R"({"frames": 20})", "trial.fence.frames: 20 is not allowed: at most all of them, 19"}});
    json many = json::array();
    for (int i = 0; i < 16; ++i) many.push_back({{"rate_fps", 10}, {"duration_s", 1}});
    EXPECT_NE(error_of(changed(trial_message(), {{"/then", many.dump()}}), "trial", read_trial), "");
    many.erase(0);
    EXPECT_EQ(error_of(changed(trial_message(), {{"/then", many.dump()}}), "trial", read_trial), "");
}

TEST(Trial, WhatIsAltered) {
    const std::string alter = R"([{"field": "source_port", "keep": "0xFFe0", "flip": "0x1f"}, {"field": "outer_source"}])";
    const auto changes = read(changed(trial_message(), {{"/alter", alter}}), "trial", read_trial).changes;
    ASSERT_EQ(changes.size(), 2U);
    EXPECT_EQ(changes[0].field, frame::HeaderField::source_port);
    EXPECT_TRUE(changes[0].keep == 0xffe0 && changes[0].flip == 0x1f);
    EXPECT_EQ(changes[1].field, frame::HeaderField::outer_source);
    EXPECT_TRUE(changes[1].keep == ~wire::Bits128{0} && changes[1].flip == 0);
}

TEST(Show, Messages) {
    const auto base = json::parse(
        R"({"request": "show", "id": 3, "frame_size": 84, "frame_size_of": "ipv6", "count": 4, "directions": ["forward", "reverse"]})");
    EXPECT_EQ(read(base, "show", read_show).count, 4U);
    expect_cases(base, "show", read_show,
                 {{"/count", "0", "show.count"},
                  {"/count", "100001", "show.count"},
                  {"/count", "", ""},
                  {"/frame_size", "", "show.frame_size: missing"},
                  {"/rate_fps", "1", "show.rate_fps: unknown key"}});
}

TEST(Resolve, Messages) {
    EXPECT_EQ(read(json::parse(R"({"request": "resolve"})"), "resolve", read_resolve), 3);
    expect_cases(json::parse(R"({"request": "resolve", "timeout_s": 1})"), "resolve", read_resolve,
                 {{"/timeout_s", "0", "resolve.timeout_s: 0 is not allowed: 0.01 to 600"},
                  {"/timeout", "1", "resolve.timeout: unknown key, the nearest is timeout_s"}});
}

}  // namespace
}  // namespace xlatperf::control
