// What the gateway does to packets besides routing them. Each technology is one file, NAME.cpp, and one line in kinds.inc.
#pragma once

#include "link/frame.h"
#include "link/routes.h"
#include "translate/fate.h"
#include "translate/packet.h"

namespace xlatperf::reference {

class Nat;

/// The link of one side.
struct Link {
    std::optional<wire::Ipv4Prefix> ipv4;  // the gateway's own address and the link's prefix
    std::optional<wire::Ipv6Prefix> ipv6;
    std::size_t mtu = 1500;
};

/// Where a technology works: what the gateway knows.
struct Surroundings {
    std::array<const Link*, 2> links{};
    const Ipv4Routes* ipv4_routes = nullptr;
    const Ipv6Routes* ipv6_routes = nullptr;

    const Link& link(Side side) const { return *links[index(side)]; }
    /// Where packets to this address go; nothing: there's no route.
    std::optional<Side> side_of(wire::Bits128 address, wire::Family family) const {
        if (family == wire::Family::ipv4) {
            const auto* hop = ipv4_routes->find(wire::Ipv4Address{static_cast<std::uint32_t>(address)});
            return hop ? std::optional(hop->side) : std::nullopt;
        }
        const auto* hop = ipv6_routes->find(wire::Ipv6Address{address});
        return hop ? std::optional(hop->side) : std::nullopt;
    }
};

/// A packet that has just come: to one host, and with a whole fixed header.
struct Arrival {
    Side side = Side::left;
    wire::Family family = wire::Family::ipv4;
    Bytes packet;               // with padding
    wire::Bits128 destination;  // its address
    bool own = false;           // which is the device's
    std::uint64_t now_ns = 0;
};

class Technology {
  public:
    virtual ~Technology() = default;
    /// Once, before anything else.
    void connect(const Surroundings& surroundings) {
        around_ = surroundings;
        connected();
    }
    /// Whether it has a say in the packet. Others are answered or routed by the gateway.
    virtual bool takes(const Arrival& arrival) const = 0;
    /// Makes the packet that leaves instead, of the family that it begins with. Only of packets that it takes.
    virtual Result translate(const Arrival& arrival, MutableBytes out) = 0;
    /// nullptr: it has no state.
    virtual Nat* nat() { return nullptr; }

  protected:
    virtual void connected() {}
    const Surroundings& around() const { return around_; }

  private:
    Surroundings around_;
};

}  // namespace xlatperf::reference
