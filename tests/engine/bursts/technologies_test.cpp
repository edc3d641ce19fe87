// Bursts of the streams of each technology, as requests ask for them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "bursts/frames.h"
#include "trial/map_frames.h"
#include "trial/stateful_configurations.h"

namespace xlatperf::trial {
namespace {

using flow::Direction;
using flow::Phase;

const LinkLayer links = {.tester = {{{2, 0, 0, 0, 0, 0x10}, {2, 0, 0, 0, 0, 0x11}}},
                         .gateway_ipv4 = {{{2, 0, 0, 0, 0, 0x20}, {2, 0, 0, 0, 0, 0x21}}},
                         .gateway_ipv6 = {{{2, 0, 0, 0, 0, 0x20}, {2, 0, 0, 0, 0, 0x21}}}};

Configuration with(const std::string& own, int networks) {
    auto configuration = without_technology();
    configuration.technology = technology::read_technology(own, "198.19.0.0/16", networks);
    return configuration;
}

std::string table() {
    const std::string path = testing::TempDir() + "/softwires-" + std::to_string(getpid()) + ".csv";
    std::ofstream file(path);
    file << "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr\n";
    for (int i = 0; i < 40; ++i) file << "2001:db8:" << i << "::1,192.0.2." << i % 9 << ",0,8," << i << ",2001:db8:ffff::1\n";
    return path;
}

std::vector<std::string> stateless() {
    const std::string second = R"("ipv6": "2001:db8:100::/40", "ipv4": "203.0.113.0/24", "ea_bits": 8)",
                      br = R"("br": "2001:db8:ffff::1")";
    const std::string prefix = R"("ipv6": "2001:db8::/40", "ipv4": "192.0.0.0/16", "ea_bits": 8)";
    const std::string dmr = R"("dmr": "2001:db8:ffff::/64")";
    std::vector<std::string> found;
    for (const std::string role : {"br", "ce"}) {
        const std::string one = role == "ce" ? R"(, "ea": 4660, "ces": 1)" : "";
        found.push_back(R"({"name": "map-e", "role": ")" + role + R"(", "domains": [{)" + example + one + ", " + br + "}]}");
        found.push_back(R"({"name": "map-t", "role": ")" + role + R"(", "domains": [{)" + example + one + ", " + dmr + "}]}");
    }
    for (const auto& rule : {example + R"(, "ea": 4660, "ces": 65280)", prefix + R"(, "ea": 7, "ces": 100)"}) {
        const std::string mesh = R"("role": "ce", "mesh": true, "domains": [{)" + rule + ", ";
        found.push_back(R"({"name": "map-e", )" + mesh + br + "}]}");
        found.push_back(R"({"name": "map-t", )" + mesh + dmr + "}, {" + second + ", " + dmr + "}]}");
    }
    for (const auto& name : {R"("name": "map-e")", R"("name": "map-t")"}) {
        const bool encapsulates = std::string(name).find("map-e") != std::string::npos;
        const auto& beyond = encapsulates ? br : dmr;
        const std::string other = encapsulates ? R"("br": "2001:db8:ffff::2")" : R"("dmr": "2001:db8:fffe::/64")";
        for (const std::string of : {"", R"("hairpinning": true, )"}) {
            const std::string begins = "{" + std::string(name) + ", " + of + R"("domains": [{)";
            found.push_back(begins + prefix + ", " + beyond + "}]}");
            found.push_back(begins + example + ", " + beyond + "}, {" + second + ", " + other + "}]}");
        }
    }
    const std::string generated =
        R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "psid_length": 8, "lwaftr": "2001:db8:ffff::1", "count": 5000)";
    for (const auto& softwires : {generated, R"("table": ")" + table() + "\""}) {
        found.push_back(R"({"name": "lw4o6", "softwires": {)" + softwires + "}}");
        found.push_back(R"({"name": "lw4o6", "hairpinning": true, "softwires": {)" + softwires + "}}");
    }
    return found;
}

std::vector<Configuration> with_subscribers() {
    std::vector<Configuration> found;
    for (const auto& own : stateless()) {
        const bool one_end = own.find("hairpinning") != std::string::npos;
        for (const int networks : {1, 3}) {
            if (!one_end || networks == 1) found.push_back(with(own, networks));
        }
    }
    return found;
}

TEST(BurstsOfTechnologies, WithSubscribers) {
    std::mt19937_64 random(7597);
    for (auto& configuration : with_subscribers()) {
        for (const bool loopback : {false, true}) {
            configuration.loopback = loopback;
            for (const auto direction : flow::both_directions) {
                if (configuration.technology->hairpins() && direction == Direction::reverse) continue;
                for (const std::size_t size : {64U, 65U, 110U, 1500U}) {
                    const auto stream = stream_of(configuration, direction, size);
                    for (const unsigned n : frame::lengths) frame::expect_written_one_by_one(stream, random() % 900, n);
                    if (size <= 65)
                        frame::expect_flips_seen_as_one_by_one(stream, [&](std::uint64_t i) { return arriving(stream, i); });
                    frame::Frames intact;
                    for (unsigned i = 0; i < frame::most_in_burst; ++i) intact.add(arriving(stream, random() % stream.frames));
                    const frame::BurstVerifier verifier(stream, flow::Class::foreground);
                    ASSERT_EQ(intact.looked_at_by(verifier).right, ~std::uint64_t{0});
                    frame::expect_as_one_by_one(stream, flow::Class::foreground, verifier, intact);
                    if (HasFatalFailure()) return;
                }
            }
        }
    }
}

// Frames of another subscriber are wrong, whatever else is right.
TEST(BurstsOfTechnologies, SeeWhoIsAnotherSubscriber) {
    for (const auto& configuration : with_subscribers()) {
        const auto stream = stream_of(configuration, Direction::forward);
        const frame::BurstVerifier verifier(stream, flow::Class::foreground);
        const auto& image = stream.expected_image(flow::Class::foreground);
        frame::Frames frames;
        for (unsigned i = 0; i < frame::most_in_burst; ++i)
            frames.add(bytes_of(image, stream.foreground_flows(i + (i % 2 == 0 ? 0 : 100)), i));
        frame::expect_as_one_by_one(stream, flow::Class::foreground, verifier, frames);
        const auto right = frames.looked_at_by(verifier).right;
        ASSERT_EQ(right & 0x5555555555555555, 0x5555555555555555U);
        ASSERT_EQ(right & ~0x5555555555555555U, 0U);
    }
}

std::vector<Configuration> with_connections() {
    std::vector<Configuration> found;
    for (const auto nat : all_nats) {
        for (const auto& [clients, servers] : {std::pair(1U, 1U), {3U, 1U}, {1U, 5U}, {300U, 2U}})
            found.push_back(stateful(nat, clients, servers, flow::Opening::pseudorandom));
    }
    for (const std::string b4s : {R"("first": "2001:db8:0:1000::1", "count": 3)", R"("first": "2001:db8::5")"}) {
        auto configuration = stateful(Nat::nat44, 3, 2, flow::Opening::pseudorandom);
        configuration.technology = technology::read_stateful(
            R"({"name": "dslite", "aftr": "2001:db8:0:2::1", "pool": {"first": "192.0.2.1"}, "b4s": {)" + b4s + "}}",
            "198.51.100.1");
        found.push_back(configuration);
    }
    for (const std::string& own :
         {R"({"name": "map-e-ce", "domains": [{)" + example + R"(, "ea": 4660, "ces": 1, "br": "2001:db8:ffff::1"}]})",
          R"({"name": "map-t-ce", "domains": [{)" + example + R"(, "ea": 4660, "ces": 1, "dmr": "2001:db8:ffff::/64"}]})"}) {
        auto configuration = stateful(Nat::nat44, 3, 2, flow::Opening::pseudorandom);
        configuration.technology = technology::read_stateful(own, "10.2.3.4");
        found.push_back(configuration);
    }
    for (const std::string& rule :
         {example + R"(, "ea": 4660)", std::string(R"("ipv6": "2001:db8::/40", "ipv4": "192.0.2.0/24", "ea_bits": 8, "ea": 18)"),
          std::string(R"("ipv6": "2001:db8::/51", "ipv4": "192.0.2.0/24", "ea_bits": 13, "psid_offset": 0, "ea": 255,
                         "interface_identifier": "draft-03")")}) {
        for (const std::string beyond : {R"("map-e-ce", "mesh": true, "domains": [{"br": "2001:db8:ffff::1", )",
                                         R"("map-t-ce", "mesh": true, "domains": [{"dmr": "2001:db8:ffff::/64", )"}) {
            auto configuration = stateful(Nat::nat44, 3, 2, flow::Opening::pseudorandom);
            configuration.technology =
                technology::read_stateful(R"({"name": )" + beyond + rule + R"(, "ces": 1}]})", "192.0.2.200");
            configuration.connections->space.client_ports = {1024, 1027};  // so that they need many server ports
            configuration.connections->space.server_ports = {1024, 49151};
            found.push_back(configuration);
        }
    }
    return found;
}

// R9693-3.1, -4.7-1: whom the DUT shows as the source is right if the sums are; where frames go is what was learnt.
TEST(BurstsOfTechnologies, WithConnections) {
    constexpr std::uint64_t count = 1000;
    std::mt19937_64 random(9693);
    for (auto& configuration : with_connections()) {
        for (const bool loopback : {false, true}) {
            configuration.loopback = loopback;
            for (const auto direction : flow::both_directions) {
                for (const auto phase : {Phase::establish, Phase::each_once, Phase::steady}) {
                    if (phase == Phase::establish && direction == Direction::reverse) continue;
                    auto description = of_phase(phase, count);
                    if (std::get<flow::ConnectionFlows::Space>(configuration.technology->flows()).b4s)
                        description.frame_sizes = {104};
                    const auto stream = make_stream(configuration, description, links, direction);
                    const auto& image = stream.expected_image(flow::Class::foreground);
                    const auto& pool = *stream.pool;
                    const auto of_pool = [&](std::uint64_t connection) {
                        const auto first = pool.port_for(static_cast<std::uint16_t>(5000 + connection * 7));
                        return std::pair(pool.first, first);
                    };
                    for (const unsigned n : frame::lengths) {
                        if (!stream.learnt_destination) {
                            frame::expect_written_one_by_one(stream, random() % 900, n);
                            continue;
                        }
                        frame::expect_written_one_by_one(stream, random() % 900, n, of_pool);
                        frame::expect_written_one_by_one(stream, random() % 900, n, of_pool, true);
                    }
                    const auto arrived = [&](std::uint64_t i) {
                        const auto flow = stream.foreground_flows(i);
                        auto ends = stream.expected_ends(flow::Class::foreground, flow);
                        if (stream.any_source) {
                            const auto [address, port] = of_pool(i * 3);
                            ends.source = frame::make_entry(address);
                            ends.source_port = port;
                        }
                        Bytes bytes(std::max(image.size(), frame::Image::readable));
                        image.write(bytes.data(), flow, ends, i, 77);
                        bytes.resize(image.size());
                        return bytes;
                    };
                    frame::expect_flips_seen_as_one_by_one(stream, arrived);
                    frame::Frames intact;
                    for (unsigned i = 0; i < frame::most_in_burst; ++i) intact.add(arrived(random() % stream.frames));
                    const frame::BurstVerifier verifier(stream, flow::Class::foreground);
                    ASSERT_EQ(intact.looked_at_by(verifier).right, ~std::uint64_t{0});
                    frame::expect_as_one_by_one(stream, flow::Class::foreground, verifier, intact);
                    if (HasFatalFailure()) return;
                }
            }
        }
    }
}

}  // namespace
}  // namespace xlatperf::trial
