// The AFTR of DS-Lite (RFC 6333): NAT44 whose clients come in tunnels (RFC 2473). Which B4 a packet comes from is a part of a
// connection (§6.6), so the same private addresses are behind every B4.
#include "technology/covering.h"
#include "technology/forwarded.h"
#include "technology/stateful.h"
#include "technology/stateful_fields.h"
#include "technology/tunnelled.h"

namespace xlatperf::technology {

namespace {

class Dslite final : public Stateful {
  public:
    Dslite(Range clients, Range servers, Pool pool, const flow::B4s& b4s, wire::Ipv6Address aftr)
        : Stateful(clients, servers, pool), b4s_(b4s), aftr_(aftr) {}

    wire::Family family(Side) const override { return wire::Family::ipv4; }
    /// Clients are translated within IPv4 (RFC 3022), which touches nothing else of the header.
    Arriving arrives(Side side) const override { return side == Side::left ? tunnelled(forwarded_ipv4) : forwarded_ipv4; }
    flow::Space flows() const override { return flow::ConnectionFlows::Space{b4s_}; }

    std::optional<Tunnel> tunnel(Side side) const override {
        if (side != Side::left) return {};
        return Tunnel{{b4s_, Addresses{aftr_}}};
    }

    /// Clients aren't routed to: the AFTR finds them in its table.
    std::vector<std::string> routes(Side side) const override {
        if (side == Side::right) return Stateful::routes(side);
        return {wire::to_text(prefix_of<wire::Ipv6Prefix>(b4s_.first.value, b4s_.address(b4s_.count - 1).value))};
    }

  protected:
    wire::Address server(const wire::Address& address, Side) const override { return address; }

  private:
    flow::B4s b4s_;
    wire::Ipv6Address aftr_;
};

flow::B4s read_b4s(message::Fields fields) {
    flow::B4s b4s;
    fields.require("first", b4s.first, "the first one's address");
    fields.read("count", b4s.count, 1, flow::B4s::most, "how many");
    fields.read("network_length", b4s.network_length, flow::B4s::shortest_network, 128,
                "one is in each of so many consecutive networks of this length");
    fields.check(!b4s.wraps(), "count", b4s.count, "as many as there are up to the end of the address space");
    fields.no_more();
    return b4s;
}

std::shared_ptr<const Technology> read_dslite(Request& request) {
    const flow::B4s b4s = read_b4s(request.own.object("b4s", "the tunnels' other ends (RFC 6333 section 5)"));
    wire::Ipv6Address aftr;
    request.own.require("aftr", aftr, "the AFTR's end of all tunnels (RFC 6333 section 6)");
    return std::make_shared<Dslite>(read_clients<wire::Ipv4Address>(request), read_servers<wire::Ipv4Address>(request),
                                    read_pool(request, wire::Family::ipv4), b4s, aftr);
}

}  // namespace

const Kind kind::dslite = {"dslite", "RFC 6333, RFC 9693", FlowSpace::connections, read_dslite};

}  // namespace xlatperf::technology
