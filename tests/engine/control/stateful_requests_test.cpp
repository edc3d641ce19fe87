#include "control/changed_messages.h"
#include "control/requests.h"
#include "technology/stateful.h"

namespace xlatperf::control {
namespace {

json nat44_message() {
    return json::parse(R"({"request": "configure",
 "technology": {"name": "nat44", "pool": {"first": "198.19.0.1", "addresses": 4, "first_port": 2000, "last_port": 60000}},
 "left": {"ipv4": {"address": "10.0.255.2", "gateway": "10.0.255.1"},
          "ipv6": {"address": "2001:2:0:7fff::2", "gateway": "2001:2:0:7fff::1"}, "background_hosts": {"prefix": "2001:2:0:1000::/64"}},
 "right": {"ipv4": {"address": "198.19.255.2", "gateway": "198.19.255.1"},
           "ipv6": {"address": "2001:2:0:ffff::2", "gateway": "2001:2:0:ffff::1"}, "background_hosts": {"prefix": "2001:2:0:9000::/64"}},
 "traffic": {"connections": {"clients": {"first": "10.0.0.2", "addresses": 3, "step": 256}, "client_ports": {"first": 1024, "last": 1033},
                             "servers": {"first": "198.19.1.2", "addresses": 2}, "server_ports": {"first": 7, "last": 16},
                             "enumeration": "increasing", "read_order": "round_robin", "write_order": "pseudorandom"}}})");
}
json nat64_message() {
    return changed(nat44_message(),
                   {{"/technology/name", "\"nat64\""},
                    {"/technology/prefix", "\"2001:db8:6464::/96\""},
                    {"/traffic/connections/clients", R"({"first": "2001:2::2", "addresses": 65536, "step": 65536})"}});
}
json nat66_message() {
    return changed(nat64_message(), {{"/technology", R"({"name": "nat66", "pool": {"first": "2001:2:0:8000::1"}})"},
                                     {"/traffic/connections/servers", R"({"first": "2001:2:0:8000::2"})"}});
}
json trial_message(const char* phase) {
    return changed(json::parse(R"({"request": "trial", "frame_size": 84, "rate_fps": 1000, "directions": ["forward"]})"),
                   {{"/connections", R"({"count": 3000, "phase": ")" + std::string(phase) + "\"}"}});
}

TEST(ConfigureStateful, ReadsEverything) {
    const auto configuration = read(nat44_message(), "configure", read_configure);
    ASSERT_TRUE(configuration.technology->stateful());
    EXPECT_EQ(technology::to_text(*configuration.technology->pool()), "198.19.0.1 and 3 after it, ports 2000 to 60000");
    const auto clients = configuration.technology->addresses(flow::Side::left, flow::Side::left);
    ASSERT_EQ(clients.size(), 3U);
    EXPECT_EQ(wire::to_text(clients[2]), "10.0.2.2");
    ASSERT_TRUE(configuration.connections);
    const auto& space = configuration.connections->space;
    EXPECT_EQ(space.clients, 3U);
    EXPECT_EQ(space.servers, 2U);
    EXPECT_EQ(space.most(), 600U);
    EXPECT_EQ(space.opening, flow::Opening::increasing);
    EXPECT_EQ(configuration.connections->read_order, flow::ReadOrder::round_robin);
    EXPECT_EQ(configuration.connections->write_order, state::WriteOrder::pseudorandom);
}

TEST(ConfigureStateful, DefaultsAreTheStandards) {
    const auto configuration =
        read(changed(nat44_message(),
                     {{"/technology/pool", R"({"first": "198.19.0.1"})"},
                      {"/traffic/connections", R"({"clients": {"first": "10.0.0.2"}, "servers": {"first": "198.19.1.2"}})"}}),
             "configure", read_configure);
    EXPECT_EQ(technology::to_text(*configuration.technology->pool()), "198.19.0.1, ports 1024 to 65535");
    const auto& space = configuration.connections->space;
    EXPECT_EQ(space.most(), 3'170'829'312U) << "R9693 §2: RFC 4814's ranges";
    EXPECT_EQ(space.opening, flow::Opening::pseudorandom) << "R9693-4.4-3: required";
    EXPECT_EQ(configuration.connections->read_order, flow::ReadOrder::pseudorandom) << "R9693-4.10: recommended";
    EXPECT_EQ(configuration.connections->write_order, state::WriteOrder::round_robin) << "R9693-4.10: recommended";
}

TEST(ConfigureStateful, Messages) {
    expect_cases(
        nat44_message(), "configure", read_configure,
        {{"/technology/pool", "", "configure.technology.pool.first: missing"},
         {"/technology/pool/first", "", "configure.technology.pool.first: missing"},
         {"/technology/pool/first", "\"2001:2::1\"",
          "configure.technology.pool.first: \"2001:2::1\" is not allowed: an IPv4 address"},
         {"/technology/pool/addresses", "0", "configure.technology.pool.addresses: 0 is not allowed: whole numbers, 1 to 65536"},
         {"/technology/pool/addresses", "65537", "configure.technology.pool.addresses"},
         {"/technology/pool/first", "\"255.255.255.252\"", ""},
         {"/technology/pool/first", "\"255.255.255.253\"",
          "configure.technology.pool.addresses: 4 is not allowed: addresses up to the end of the address space"},
         {"/technology/pool/first_port", "-1",
          "configure.technology.pool.first_port: -1 is not allowed: whole numbers, 0 to 65535"},
         {"/technology/pool/last_port", "65536", "configure.technology.pool.last_port: 65536 is not allowed"},
         {"/technology/pool/last_port", "1999",
          "configure.technology.pool.last_port: 1999 is not allowed: at least first_port, 2000"},
         {"/technology/pool/last_port", "2000", ""},
         {"/technology/pool/adresses", "1", "configure.technology.pool.adresses: unknown key, the nearest is addresses"},
         {"/technology/prefix", "\"2001:db8:6464::/96\"", "configure.technology.prefix: unknown key"},
         {"/traffic/connections", "",
          "configure.traffic.connections: missing: what connections with technology nat44 are made of"},
         {"/traffic/connections", "5", "configure.traffic.connections"},
         {"/traffic/connections/clients", "", "configure.traffic.connections.clients.first: missing"},
         {"/traffic/connections/clients/first", "\"2001:2::2\"",
          "configure.traffic.connections.clients.first: \"2001:2::2\" is not allowed: an IPv4 address"},
         {"/traffic/connections/clients/addresses", "0", "configure.traffic.connections.clients.addresses: 0 is not allowed"},
         {"/traffic/connections/clients/addresses", "65537", "configure.traffic.connections.clients.addresses"},
         {"/traffic/connections/clients/step", "0", "configure.traffic.connections.clients.step: 0 is not allowed"},
         {"/traffic/connections/clients/step", "4294967296",
          "configure.traffic.connections.clients.addresses: 3 is not allowed: addresses up to the end of the address space"},
         {"/traffic/connections/clients/step", "4294967297", "configure.traffic.connections.clients.addresses: 3 is not allowed"},
         {"/traffic/connections/clients/first", "\"255.255.253.255\"", ""},
         {"/traffic/connections/clients/first", "\"255.255.254.0\"",
          "configure.traffic.connections.clients.addresses: 3 is not allowed: addresses up to the end of the address space"},
         {"/traffic/connections/clients/host", "2", "configure.traffic.connections.clients.host: unknown key"},
         {"/traffic/connections/servers", "", "configure.traffic.connections.servers.first: missing"},
         {"/traffic/connections/client_ports/last", "1023",
          "configure.traffic.connections.client_ports.last: 1023 is not allowed: at least first, 1024"},
         {"/traffic/connections/client_ports/last", "65536",
          "configure.traffic.connections.client_ports.last: 65536 is not allowed"},
         {"/traffic/connections/server_ports/order", "\"fixed\"",
          "configure.traffic.connections.server_ports.order: unknown key"},
         {"/traffic/connections/server_ports/first", "17", "configure.traffic.connections.server_ports.last: 16 is not allowed"},
         {"/traffic/connections/enumeration", "\"random\"",
          "configure.traffic.connections.enumeration: \"random\" is not allowed: \"pseudorandom\", \"increasing\", "
          "\"decreasing\""},
         {"/traffic/connections/read_order", "\"lru\"",
          "configure.traffic.connections.read_order: \"lru\" is not allowed: \"pseudorandom\", \"round_robin\""},
         {"/traffic/connections/write_order", "1", "configure.traffic.connections.write_order: 1 is not allowed"},
         {"/traffic/connections/count", "1", "configure.traffic.connections.count: unknown key"},
         {"/traffic/foreground", R"({"take": 0, "of": 2})",
          "configure.traffic.foreground.take: 0 is not allowed: whole numbers, 1 to 2"},
         {"/traffic/foreground", R"({"take": 1, "of": 2})", ""},
         {"/left/ipv4", "", "configure.left.ipv4: missing: this side carries IPv4 frames"},
         {"/left/hosts", R"({"prefix": "198.18.0.0/24"})", ""}});
}

TEST(ConfigureStateful, HostsAreOfTheTechnologysFamilies) {
    expect_cases(
        nat64_message(), "configure", read_configure,
        {{"/technology/prefix", "", "configure.technology.prefix: missing"},
         {"/technology/prefix", "\"2001:db8::/97\"", "configure.technology.prefix: 2001:db8::/97 is not allowed: a length of"},
         {"/technology/pool/first", "\"2001:2::1\"", "configure.technology.pool.first: \"2001:2::1\" is not allowed"},
         {"/traffic/connections/clients/first", "\"10.0.0.2\"", "configure.traffic.connections.clients.first: \"10.0.0.2\""},
         {"/traffic/connections/servers/first", "\"2001:2::2\"", "configure.traffic.connections.servers.first: \"2001:2::2\""},
         {"/left/ipv6", "", "configure.left.ipv6: missing"},
         {"/left/ipv4", "", ""},
         {"/right/ipv6", "", ""}});
    expect_cases(
        nat66_message(), "configure", read_configure,
        {{"/technology/pool/first", "\"198.19.0.1\"", "configure.technology.pool.first: \"198.19.0.1\" is not allowed"},
         {"/technology/pool/first", "\"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff\"", ""},
         {"/technology/pool", R"({"first": "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "addresses": 2})",
          "configure.technology.pool.addresses: 2 is not allowed"},
         {"/technology/prefix", "\"64:ff9b::/96\"", "configure.technology.prefix: unknown key"},
         {"/traffic/connections/servers/first", "\"198.19.1.2\"", "configure.traffic.connections.servers.first: \"198.19.1.2\""},
         {"/traffic/connections/clients/step", "281474976710656", ""},
         {"/traffic/connections/clients/step", "281474976710657", "configure.traffic.connections.clients.step"}});
}

TEST(ConfigureStateful, FourTuplesOfOneServerPortAreCounted) {
    const auto most = changed(nat66_message(), {{"/traffic/connections/client_ports", R"({"first": 1, "last": 65535})"}});
    EXPECT_EQ(error_of(most, "configure", read_configure), "");
    EXPECT_EQ(error_of(changed(most, {{"/traffic/connections/client_ports/first", "0"}}), "configure", read_configure),
              "configure.traffic.connections: clients x servers x client ports are 4294967296, which is not allowed: at most "
              "4294967295");
}

TEST(TrialOfConnections, ReadsPhases) {
    const auto establish = read(trial_message("establish"), "trial", read_trial);
    ASSERT_TRUE(establish.connections);
    EXPECT_EQ(establish.connections->count, 3000U);
    EXPECT_EQ(establish.connections->phase, flow::Phase::establish);
    EXPECT_TRUE(establish.connections->each_once());
    EXPECT_DOUBLE_EQ(establish.duration_s(), 3) << "R9693-4.6-1: N / r";
    EXPECT_EQ(read(trial_message("each_once"), "trial", read_trial).connections->phase, flow::Phase::each_once);
    const auto steady = read(changed(trial_message("steady"), {{"/duration_s", "5"}}), "trial", read_trial);
    EXPECT_EQ(steady.connections->phase, flow::Phase::steady);
    EXPECT_FALSE(steady.connections->each_once());
    EXPECT_EQ(steady.duration_s(), 5);
}

TEST(TrialOfConnections, Messages) {
    for (const char* phase : {"establish", "each_once"}) {
        expect_cases(trial_message(phase), "trial", read_trial,
                     {{"/duration_s", "3",
                       "trial.duration_s: a value is not allowed: none with connections.phase establish and each_once: it's "
                       "count / rate_fps"},
                      {"/duration_s", "null", ""},
                      {"/then", R"([{"rate_fps": 1, "duration_s": 1}])",
                       "trial.then: a list is not allowed: none with connections.phase establish and each_once"},
                      {"/then", "[]", ""},
                      {"/connections/count", "0", "trial.connections.count: 0 is not allowed: whole numbers, 1 to 4294967295"},
                      {"/connections/count", "4294967296", "trial.connections.count"},
                      {"/connections/count", "4294967295", ""},
                      {"/connections/count", "", "trial.connections.count: missing"},
                      {"/connections/phase", "\"phase 1\"",
                       "trial.connections.phase: \"phase 1\" is not allowed: \"establish\", \"each_once\", \"steady\""},
                      {"/connections/rate", "1", "trial.connections.rate: unknown key"},
                      {"/connections", "7", "trial.connections: 7 is not allowed: an object"},
                      {"/connections", "null", "trial.duration_s: missing"}});
    }
    expect_cases(trial_message("establish"), "trial", read_trial,
                 {{"/connections/again", "3000", ""},
                  {"/connections/again", "3001", "trial.connections.again: 3001 is not allowed: at most count, 3000"}});
    expect_cases(trial_message("each_once"), "trial", read_trial,
                 {{"/connections/again", "1", "trial.connections.again: 1 is not allowed: 0 but with phase establish"},
                  {"/connections/keep", "true", "trial.connections.keep: true is not allowed: false but with phase establish"}});
    expect_cases(changed(trial_message("steady"), {{"/duration_s", "1"}}), "trial", read_trial,
                 {{"/duration_s", "", "trial.duration_s: missing"}, {"/connections/phase", "", ""}});
}

TEST(TrialOfConnections, SomeAgain) {
    const auto message = changed(trial_message("establish"), {{"/connections/again", "500"}, {"/fence", R"({"frames": 500})"}});
    const auto establish = read(message, "trial", read_trial);
    EXPECT_EQ(establish.connections->frames(), 3500U);
    EXPECT_DOUBLE_EQ(establish.duration_s(), 3.5);
    EXPECT_EQ(establish.fence->frames, 500U);
}

TEST(ShowOfConnections, Messages) {
    const auto base = json::parse(R"({"request": "show", "frame_size": 84, "connections": {"count": 100, "phase": "steady"}})");
    EXPECT_EQ(read(base, "show", read_show).description.connections->count, 100U);
    expect_cases(base, "show", read_show,
                 {{"/connections/count", "0", "show.connections.count: 0 is not allowed"}, {"/connections", "", ""}});
}

TEST(SoftwiresRequest, Messages) {
    EXPECT_EQ(read(json::parse(R"({"request": "softwires", "path": "/tmp/x.csv"})"), "softwires", read_softwires), "/tmp/x.csv");
    expect_cases(json::parse(R"({"request": "softwires", "path": "/tmp/x.csv"})"), "softwires", read_softwires,
                 {{"/path", "1", "softwires.path: 1 is not allowed"}, {"/file", "1", "softwires.file: unknown key"}});
}

TEST(Mappings, Messages) {
    const auto request = read(json::parse(R"({"request": "mappings"})"), "mappings", read_mappings);
    EXPECT_EQ(request.examples, 4U);
    EXPECT_EQ(request.one_in, 1U);
    expect_cases(json::parse(R"({"request": "mappings", "id": 1, "examples": 4})"), "mappings", read_mappings,
                 {{"/examples", "-1", "mappings.examples: -1 is not allowed: whole numbers, 0 to 1000"},
                  {"/examples", "1001", "mappings.examples"},
                  {"/examples", "0", ""},
                  {"/one_in", "0", "mappings.one_in: 0 is not allowed: whole numbers, 1 to 1048576"},
                  {"/one_in", "16", ""},
                  {"/example", "1", "mappings.example: unknown key, the nearest is examples"}});
}

}  // namespace
}  // namespace xlatperf::control
