// An lwB4 with NAPT44, as RFC 7596 §5 has it: private IPv4 on the left, which is translated to the softwire's address and ports
// (RFC 3022), and tunnels (RFC 2473) to the lwAFTR on the right. So it is stateful (RFC 9693).
#include "technology/softwires.h"
#include "technology/stateful_fields.h"

namespace xlatperf::technology {

namespace {

/// Who the DUT is.
struct Softwire {
    std::shared_ptr<const flow::Subscribers> table;  ///< it alone
    wire::Ipv6Address lwb4, lwaftr;
    Pool pool;
};

class Lw4o6B4 final : public Stateful {
  public:
    Lw4o6B4(const Softwire& softwire, Range clients, Range servers)
        : Stateful(clients, servers, softwire.pool), softwire_(softwire) {}

    wire::Family family(Side) const override { return wire::Family::ipv4; }

    std::optional<Tunnel> tunnel(Side side) const override {
        if (side != Side::right) return {};
        return Tunnel{{Addresses{softwire_.lwb4}, Addresses{softwire_.lwaftr}}};
    }

    std::optional<BindingList> softwires() const override { return BindingList{softwire_.table, {softwire_.lwaftr}}; }

    std::vector<std::string> routes(Side side) const override {
        if (side == Side::left) return Stateful::routes(side);
        return {wire::to_text(wire::Ipv6Prefix{softwire_.lwaftr, 128})};
    }

  protected:
    Address server(const Address& address, Side) const override { return address; }

  private:
    Softwire softwire_;
};

/// All ports of its set; 0 is none (RFC 768).
Softwire the_softwire(const Softwires& all) {
    const auto table = std::make_shared<const flow::Subscribers>(all.domains, 1);
    const auto who = (*table)(0);
    const Pool pool{table->ipv4(who, 0), 1, 1, 65535, table->rule(0).ports(who.number)};
    return {table, table->ipv6(who, 0), all.lwaftrs.front(), pool};
}

std::shared_ptr<const Technology> read_lw4o6_b4(Request& request) {
    const Softwires all = read_softwire(request);
    const auto clients = read_clients<wire::Ipv4Address>(request);
    const auto servers = read_servers<wire::Ipv4Address>(request);
    const Softwire softwire = the_softwire(all);
    if (softwire.pool.ports.psid_length() == 16 && softwire.pool.ports.psid() == 0)
        throw message::MessageError(request.own.path_of("softwires.number") +
                                    ": not allowed: a softwire with another port than 0, which is none (RFC 768)");
    return std::make_shared<Lw4o6B4>(softwire, clients, servers);
}

}  // namespace

const Kind kind::lw4o6_b4 = {"lw4o6-b4", "RFC 7596, RFC 9693", FlowSpace::connections, read_lw4o6_b4};

}  // namespace xlatperf::technology
