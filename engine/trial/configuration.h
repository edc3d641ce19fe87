// What all trials have in common until the next `configure`: technology, addresses, traffic.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "counter/counters.h"
#include "flow/connections.h"
#include "flow/host_range.h"
#include "flow/port_range.h"
#include "port/neighbors.h"
#include "port/tags.h"
#include "state/table.h"
#include "technology/technology.h"

namespace xlatperf::trial {

struct SideConfiguration {
    std::optional<port::OwnAddress<wire::Ipv4Address>> ipv4;
    std::optional<port::OwnAddress<wire::Ipv6Address>> ipv6;
    std::optional<wire::Mac> gateway_mac;
    std::optional<flow::Ipv6Hosts> background_hosts;
    port::LinkTag vlan;  ///< of all frames on this link

    /// Bytes of the tag, which count in frame sizes (RFC 2544 §9, RFC 5180 §5.1.1).
    std::size_t tag_size() const { return vlan.sent ? wire::vlan::size : 0; }
};

struct Ports {
    flow::PortRange source, destination;
    std::optional<std::uint32_t> flows{};  ///< of hosts: so many in place of a new one for each frame
};

/// Of stateful technologies (RFC 9693).
struct ConnectionConfiguration {
    flow::ConnectionSpace space;
    flow::ReadOrder read_order = flow::ReadOrder::pseudorandom;      ///< RFC 9693 §4.10: pseudorandom recommended
    state::WriteOrder write_order = state::WriteOrder::round_robin;  ///< RFC 9693 §4.10: round robin recommended
};

/// The outer headers of tunnels (RFC 2473 §6.3, §6.4).
struct TunnelConfiguration {
    std::uint8_t hop_limit = 64;                      ///< as the Tester sends it
    std::optional<std::uint8_t> encapsulation_limit;  ///< the same: an option of 8 bytes (§4.1.1); none: it sends none
    std::uint8_t dut_hop_limit = 64;                  ///< as the DUT must
    std::optional<std::uint8_t> dut_traffic_class;    ///< what the DUT always writes; none: the packet's own, carried over
};

struct Configuration {
    std::shared_ptr<const technology::Technology> technology;
    std::array<SideConfiguration, 2> sides;
    std::array<Ports, 2> ports;  ///< for each direction
    std::uint64_t seed = 1;
    std::uint32_t foreground_take = 1, foreground_of = 1;
    std::uint8_t hop_limit = 10, traffic_class = 0;
    std::array<std::array<std::uint8_t, flow::classes>, 2> hops = {
        {{1, 1}, {1, 1}}};  ///< how often the DUT decrements the hop limit: for each direction, of either class
    bool dont_fragment = true, loopback = false;
    bool udp_checksum = true;                 ///< of IPv4 frames that are sent
    bool reassemble = false;                  ///< fragments that arrive are put together, and count as one frame
    bool pseudorandom_source_macs = false;    ///< each source address has one (RFC 4814 §4.2); else the Tester's port's
    counter::Some<counter::Reason> accepted;  ///< frames that are wrong only in these ways count as expected
    TunnelConfiguration tunnel;
    std::optional<ConnectionConfiguration> connections;

    bool has_background() const { return foreground_take < foreground_of; }
    /// Which class a trial's frame sizes are told of: the foreground, where there is some.
    flow::Class told_class() const { return foreground_take > 0 ? flow::Class::foreground : flow::Class::background; }
};

/// The families of frames on the link of `side`, foreground and background.
std::vector<wire::Family> families(const Configuration& configuration, flow::Side side);

/// What frames have on `side`. In loopback what arrives is as it was sent on the other one.
port::LinkTag link_tag(const Configuration& configuration, flow::Side side);

/// What the Tester answers for and asks for on `side`.
port::NeighborConfiguration neighbor_configuration(const Configuration& configuration, flow::Side side, const wire::Mac& mac);

}  // namespace xlatperf::trial
