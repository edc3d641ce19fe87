// The B4 of DS-Lite (RFC 6333 §5): IPv4 into a tunnel (RFC 2473) to the AFTR, and out of it.
#include "technologies/checks.h"
#include "technologies/kind.h"
#include "technologies/tunnel.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

const std::vector<std::string_view> b4_checks = {"aftr"};

class B4 final : public Technology {
  public:
    B4(const Ipv6Ends& upstream, const TunnelSettings& tunnel, CheckNames off)
        : upstream_(upstream), tunnel_(tunnel), off_(std::move(off)) {}

    bool takes(const Arrival& arrival) const override { return is_for_edge(arrival, around(), upstream_.source); }

    Result translate(const Arrival& arrival, MutableBytes out) override {
        if (arrival.family == Family::ipv4)
            return enter_tunnel(tunnel_, arrival.packet, upstream_, around().link(Side::right).mtu, out);
        const auto outer = parse_tunnel(arrival.packet);
        if (outer->is_fragment()) return drop(Fate::fragment);
        if (!(outer->source == upstream_.destination) && !off_.contains("aftr")) return drop(Fate::wrong_tunnel_end);
        const auto inner = parse_ipv4_packet(outer->payload);
        if (!inner) return drop(Fate::malformed);
        return leave_tunnel(tunnel_, outer->traffic_class, outer->payload.first(inner->total_length),
                            around().link(Side::left).mtu, out);
    }

  private:
    Ipv6Ends upstream_;
    TunnelSettings tunnel_;
    CheckNames off_;
};

Chosen read_dslite_b4(Fields& technology) {
    Ipv6Ends upstream;
    technology.require("b4", upstream.source, "the device's end of the tunnel");
    technology.require("aftr", upstream.destination, "the AFTR's");
    return {std::make_shared<B4>(upstream, read_tunnel(technology), read_switched_off(technology, b4_checks))};
}

}  // namespace

const Kind kind::dslite_b4 = {"dslite-b4", R"(
  {"name": "dslite-b4", "b4": "2001:2:0:4000::2", "aftr": "2001:2:0:af::1", "checks": {"aftr": false}}
      a B4 of DS-Lite (RFC 6333), its hosts on the left. checks: aftr (the tunnel's other end)
)",
                              read_dslite_b4};

}  // namespace xlatperf::reference
