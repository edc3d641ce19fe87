// The Tester's side of ARP (RFC 826) and Neighbor Discovery (RFC 4861): it answers for its own addresses and those of the
// simulated hosts, and asks for the DUT's. Works on bytes; knows no DPDK.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "port/address_claims.h"
#include "wire/address.h"
#include "wire/ethernet.h"

namespace xlatperf::port {

using FrameBytes = std::vector<std::uint8_t>;

template <typename Address> struct OwnAddress {
    Address tester, gateway;  ///< the Tester's address on the link, and the DUT's
};

/// What is answered for and asked for on one side.
struct NeighborConfiguration {
    wire::Mac mac{};
    std::optional<OwnAddress<wire::Ipv4Address>> ipv4;
    std::optional<OwnAddress<wire::Ipv6Address>> ipv6;
    std::vector<wire::Ipv4Address> ipv4_hosts;  ///< simulated hosts, when the DUT takes them for neighbours
    std::vector<wire::Ipv6Address> ipv6_hosts;
    std::vector<std::function<bool(const wire::Address&)>> others;  ///< those who are too many for a list
    std::optional<wire::Mac> gateway_mac;                           ///< given by the user: frames go there, whoever answers
};

/// Learns on one thread at a time; what it has learnt may be read on others meanwhile.
class Neighbors {
  public:
    explicit Neighbors(NeighborConfiguration configuration);

    /// Looks at a received frame. Learns the DUT's MAC address from it, and returns the answer if it asks for one of ours.
    std::optional<FrameBytes> receive(const std::uint8_t* at, std::size_t size);

    /// ARP requests and Neighbor Solicitations for the DUT's addresses. They also tell the DUT our own.
    std::vector<FrameBytes> requests() const;

    /// Nobody has answered yet, and nobody has claimed anything.
    void forget();

    /// Since then: addresses that more than one station says it has. Not the gateway's, if the user says who that is.
    std::vector<AddressConflict> conflicts() const { return claims_.conflicts(); }

    /// Where frames go: to what the user gave, else to who answered.
    std::optional<wire::Mac> gateway_mac(wire::Family family) const {
        return configuration_.gateway_mac ? configuration_.gateway_mac : answers_from(family);
    }
    /// Who says that the gateway's address is its own.
    std::optional<wire::Mac> answers_from(wire::Family family) const;
    bool gateway_given() const { return configuration_.gateway_mac.has_value(); }
    bool uses(wire::Family family) const;
    /// Every gateway that is used is known.
    bool complete() const;
    std::string gateway_text(wire::Family family) const;

  private:
    std::optional<FrameBytes> receive_arp(const std::uint8_t* at, std::size_t size);
    std::optional<FrameBytes> receive_icmpv6(const std::uint8_t* at, std::size_t size);
    template <typename Address> void claimed(Address address, const wire::Mac& mac);
    void learn(wire::Family family, const wire::Mac& mac);
    template <typename Address>
    bool is_own(Address address, const std::optional<OwnAddress<Address>>& link, const std::vector<Address>& hosts) const;
    bool is_own(wire::Ipv4Address address) const { return is_own(address, configuration_.ipv4, configuration_.ipv4_hosts); }
    bool is_own(wire::Ipv6Address address) const { return is_own(address, configuration_.ipv6, configuration_.ipv6_hosts); }
    FrameBytes arp(std::uint16_t operation, const wire::Mac& to, wire::Ipv4Address sender, wire::Ipv4Address target) const;
    FrameBytes neighbor_message(std::uint8_t type, const wire::Mac& to, wire::Ipv6Address source, wire::Ipv6Address destination,
                                wire::Ipv6Address target, std::uint32_t flags) const;

    NeighborConfiguration configuration_;
    AddressClaims claims_;
    std::array<std::atomic<std::uint64_t>, 2> answered_{};  // IPv4, IPv6: a MAC address and `known`, or 0
};

}  // namespace xlatperf::port
