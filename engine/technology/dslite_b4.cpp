// The B4 of DS-Lite (RFC 6333 §5): the IPv4 of its hosts, on the left, goes through one tunnel (RFC 2473) to the AFTR, on the
// right. It doesn't translate (§5.2), so it is stateless.
#include "technology/forwarded.h"
#include "technology/host_fields.h"
#include "technology/kind.h"
#include "technology/tunnelled.h"

namespace xlatperf::technology {

namespace {

class DsliteB4 final : public Technology {
  public:
    DsliteB4(std::array<flow::Ipv4Hosts, 2> hosts, wire::Ipv6Address b4, wire::Ipv6Address aftr)
        : hosts_(hosts), b4_(b4), aftr_(aftr) {}

    wire::Family family(Side) const override { return wire::Family::ipv4; }
    Arriving arrives(Side side) const override { return side == Side::right ? tunnelled(forwarded_ipv4) : forwarded_ipv4; }
    Names names(Side side, Side) const override { return addresses_of(hosts_[flow::index(side)]); }
    flow::Space flows() const override { return flow::HostFlows::Space{{hosts_[0].count(), hosts_[1].count()}}; }

    std::optional<Tunnel> tunnel(Side side) const override {
        if (side != Side::right) return {};
        return Tunnel{{Addresses{b4_}, Addresses{aftr_}}};
    }

    std::vector<std::string> routes(Side side) const override {
        if (side == Side::left) return networks_of(hosts_[0]);
        return {wire::to_text(wire::Ipv6Prefix{aftr_, 128})};
    }

  private:
    std::array<flow::Ipv4Hosts, 2> hosts_;
    wire::Ipv6Address b4_, aftr_;
};

std::shared_ptr<const Technology> read_dslite_b4(Request& request) {
    wire::Ipv6Address b4, aftr;
    request.own.require("b4", b4, "the DUT's end of the tunnel (RFC 6333 section 5.7)");
    request.own.require("aftr", aftr, "the AFTR's (RFC 6333 section 5.4)");
    const std::array<flow::Ipv4Hosts, 2> hosts = {read_ipv4_hosts(*request.hosts[0]), read_ipv4_hosts(*request.hosts[1])};
    return std::make_shared<DsliteB4>(hosts, b4, aftr);
}

}  // namespace

const Kind kind::dslite_b4 = {"dslite-b4", "RFC 6333", FlowSpace::hosts, read_dslite_b4};

}  // namespace xlatperf::technology
