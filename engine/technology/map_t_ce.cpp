// A MAP-T CE with NAPT44 (RFC 7599): private IPv4 on the left, IPv6 on the right, from the CE's MAP address to servers in the
// default mapping rule's prefix (RFC 6052, RFC 7915), or to other CEs' MAP addresses (RFC 7599 §5: mesh mode).
#include "technology/map_ce.h"
#include "technology/translated.h"
#include "wire/rfc6052.h"

namespace xlatperf::technology {

namespace {

class MapTCe final : public Stateful {
  public:
    MapTCe(const MapCeParts& parts, wire::Ipv6Prefix dmr)
        : Stateful(parts.clients, parts.servers, pool_of(parts.ce.ports, parts.ce.ipv6)),
          in_mesh_(parts.in_mesh),
          rule_ipv6_(parts.rule_ipv6),
          dmr_(dmr) {}

    wire::Family family(Side side) const override { return side == Side::left ? wire::Family::ipv4 : wire::Family::ipv6; }
    Arriving arrives(Side side) const override { return translated(family(side)); }

    Names names(Side side, Side seen_from) const override {
        if (in_mesh_ && side == Side::right && seen_from == Side::right) return *in_mesh_;
        return Stateful::names(side, seen_from);
    }
    flow::Space flows() const override { return flow::ConnectionFlows::Space{{}, in_mesh_}; }

    std::vector<std::string> routes(Side side) const override {
        if (side == Side::left) return Stateful::routes(side);
        std::vector<std::string> found = {wire::to_text(dmr_)};
        if (in_mesh_) found.insert(found.begin(), wire::to_text(rule_ipv6_));
        return found;
    }

  protected:
    /// RFC 7599 §5.1.
    wire::Address server(const wire::Address& address, Side seen_from) const override {
        if (seen_from == Side::left) return address;
        return wire::rfc6052::embed(dmr_, std::get<wire::Ipv4Address>(address));
    }

  private:
    std::optional<flow::MappedServers> in_mesh_;
    wire::Ipv6Prefix rule_ipv6_, dmr_;
};

std::shared_ptr<const Technology> read_map_t_ce(Request& request) {
    wire::Ipv6Prefix dmr;
    const auto parts = read_map_ce(request, [&](message::Fields& domain) { dmr = read_dmr(domain); });
    return std::make_shared<MapTCe>(parts, dmr);
}

}  // namespace

const Kind kind::map_t_ce = {"map-t-ce", "RFC 7599, RFC 9693", FlowSpace::connections, read_map_t_ce};

}  // namespace xlatperf::technology
