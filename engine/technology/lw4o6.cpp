// Lightweight 4over6 (RFC 7596): as MAP-E, but who has which IPv4 address and ports stands in a binding table. The DUT is the
// lwAFTR, and the Tester plays the lwB4s on the left; or it is an lwB4 without NAPT44, and the Tester plays its hosts on the left
// and the lwAFTR on the right. With hairpinning the lwAFTR sends packets of one lwB4 back to another one.
#include "technology/forwarded.h"
#include "technology/host_fields.h"
#include "technology/softwires.h"
#include "technology/tunnelled.h"

namespace xlatperf::technology {

namespace {

class Lw4o6 final : public Technology {
  public:
    Lw4o6(Side ipv6_side, bool hairpins, Softwires softwires, Request& request)
        : ipv6_side_(ipv6_side),
          hairpins_(hairpins),
          softwires_(std::move(softwires)),
          hosts_(read_ipv4_hosts(*request.hosts[1])) {
        subscribers_ = std::make_shared<const flow::Subscribers>(softwires_.domains, request.seed);
        softwires_.domains.clear();  // rows of a table are there already
    }

    wire::Family family(Side) const override { return wire::Family::ipv4; }
    Arriving arrives(Side side) const override { return side == ipv6_side_ ? tunnelled(forwarded_ipv4) : forwarded_ipv4; }

    Names names(Side side, Side) const override {
        if (side == Side::left || hairpins_) return OfSubscriber{subscribers_};
        return addresses_of(hosts_);
    }

    /// RFC 7596 §5.1, §6.2: between the lwB4's address and that of its lwAFTR.
    std::optional<Tunnel> tunnel(Side side) const override {
        if (side != ipv6_side_) return {};
        return Tunnel{{OfSubscriber{subscribers_}, OfDomain{{softwires_.lwaftrs.begin(), softwires_.lwaftrs.end()}}}};
    }

    std::optional<BindingList> softwires() const override { return BindingList{subscribers_, softwires_.lwaftrs}; }
    flow::Space flows() const override {
        if (hairpins_) return flow::HairpinFlows::Space{subscribers_};
        return flow::SubscriberFlows::Space{subscribers_, hosts_.count()};
    }

    std::vector<std::string> routes(Side side) const override {
        if (side == Side::left) return ipv6_side_ == Side::left ? softwires_.ipv6 : softwires_.ipv4;
        if (hairpins_) return {};
        if (ipv6_side_ == Side::left) return networks_of(hosts_);
        return {wire::to_text(softwires_.lwaftrs.front()) + "/128"};
    }

  private:
    Side ipv6_side_;
    bool hairpins_;
    Softwires softwires_;
    flow::Ipv4Hosts hosts_;
    std::shared_ptr<const flow::Subscribers> subscribers_;
};

constexpr wire::Word<bool> role_words[] = {{"lwaftr", true}, {"lwb4", false}};

std::shared_ptr<const Technology> read_lw4o6(Request& request) {
    bool is_lwaftr = true, hairpins = false;
    request.own.read("role", is_lwaftr, role_words, "what the DUT is");
    request.own.read("hairpinning", hairpins, "lwaftr: from one lwB4 to another (RFC 7596 section 6.2)");
    request.own.check(is_lwaftr || !hairpins, "hairpinning", "true", "false with role lwb4");
    Softwires softwires = is_lwaftr ? read_softwires(request) : read_softwire(request);
    auto found = std::make_shared<Lw4o6>(is_lwaftr ? Side::left : Side::right, hairpins, std::move(softwires), request);
    request.own.check(!hairpins || found->softwires()->subscribers->count() >= 2, "hairpinning", "true",
                      "false with one softwire: it takes two");
    return found;
}

}  // namespace

const Kind kind::lw4o6 = {"lw4o6", "RFC 7596", FlowSpace::subscribers, read_lw4o6};

}  // namespace xlatperf::technology
