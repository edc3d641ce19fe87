// An lwB4 with NAPT44, as RFC 7596 §5 has it: private IPv4 on the left, which is translated to the softwire's address and ports,
// and tunnels (RFC 2473) to the lwAFTR on the right. So it is stateful (RFC 9693).
#include "technology/softwires.h"
#include "technology/stateful_fields.h"
#include "technology/tunnel_edge.h"

namespace xlatperf::technology {

namespace {

class Lw4o6B4 final : public TunnelEdge {
  public:
    /// `table` has one row.
    Lw4o6B4(const BindingList& table, const flow::Subscriber& who, Range clients, Range servers)
        : TunnelEdge(clients, servers, pool_of(table.subscribers->ports(who), table.subscribers->ipv4(who, 0)),
                     table.subscribers->ipv6(who, 0), FarEnds::one(table.lwaftrs.front())),
          table_(table) {}

    std::optional<BindingList> softwires() const override { return table_; }

  private:
    BindingList table_;
};

std::shared_ptr<const Technology> read_lw4o6_b4(Request& request) {
    const Softwires all = read_softwire(request);
    const auto clients = read_clients<wire::Ipv4Address>(request);
    const auto servers = read_servers<wire::Ipv4Address>(request);
    const BindingList table{std::make_shared<const flow::Subscribers>(all.domains, 1), all.lwaftrs};
    const auto who = (*table.subscribers)(0);
    if (table.subscribers->ports(who) == flow::PortSet{0, 16, 0})
        throw message::MessageError(request.own.path_of("softwires.number") +
                                    ": not allowed: a softwire with another port than 0, which is none (RFC 768)");
    return std::make_shared<Lw4o6B4>(table, who, clients, servers);
}

}  // namespace

const Kind kind::lw4o6_b4 = {"lw4o6-b4", "RFC 7596, RFC 9693", FlowSpace::connections, read_lw4o6_b4};

}  // namespace xlatperf::technology
