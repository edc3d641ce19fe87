// MAP-T (RFC 7599): as MAP-E, but IPv4 is translated to IPv6 (RFC 7915) and back instead of being encapsulated. A CE has its MAP
// IPv6 address; who is outside the domain is in its default mapping rule's prefix (DMR, RFC 6052). The DUT is the border relay
// (BR), and the Tester plays the CEs on the left; or it is a CE without NAPT44, and the Tester plays its hosts on the left.
#include "technology/host_fields.h"
#include "technology/map_domains.h"
#include "wire/rfc6052.h"

namespace xlatperf::technology {

namespace {

class MapT final : public Technology {
  public:
    MapT(Side ipv6_side, std::vector<MapDomain> domains, std::vector<wire::Ipv6Prefix> dmrs, flow::Ipv4Hosts hosts,
         std::uint64_t seed)
        : ipv6_side_(ipv6_side),
          domains_(std::move(domains)),
          dmrs_(std::move(dmrs)),
          hosts_(hosts),
          subscribers_(draw_subscribers(domains_, true, seed)) {}  // nothing else could tell a prefix's addresses from each other

    wire::Family family(Side side) const override { return side == ipv6_side_ ? wire::Family::ipv6 : wire::Family::ipv4; }
    std::shared_ptr<const flow::Subscribers> subscribers() const override { return subscribers_; }
    std::uint32_t networks(Side side) const override { return side == Side::right ? hosts_.networks : 1; }

    Names names(Side side, Side seen_from) const override {
        const bool ipv6 = family(seen_from) == wire::Family::ipv6;
        if (side == Side::left) return ipv6 ? OfSubscriber::ipv6 : OfSubscriber::ipv4;
        Addresses found;
        for (std::size_t domain = 0; domain < (ipv6 ? dmrs_.size() : 1); ++domain) {
            for (std::uint32_t i = 0; i < hosts_.networks; ++i) {
                if (ipv6) found.emplace_back(wire::rfc6052::embed(dmrs_[domain], hosts_.address(i)));  // RFC 7599 §5.1
                if (!ipv6) found.emplace_back(hosts_.address(i));
            }
        }
        return found;
    }

    std::vector<std::string> routes(Side side) const override {
        if (side == Side::left) return rule_prefixes(domains_, family(side));
        std::vector<std::string> found;
        if (ipv6_side_ == Side::right) {
            for (const auto& dmr : dmrs_) found.push_back(wire::to_text(dmr));
        } else {
            for (std::uint32_t i = 0; i < hosts_.networks; ++i) found.push_back(wire::to_text(hosts_.network(i)));
        }
        return found;
    }

  private:
    Side ipv6_side_;
    std::vector<MapDomain> domains_;
    std::vector<wire::Ipv6Prefix> dmrs_;  ///< of each domain
    flow::Ipv4Hosts hosts_;
    std::shared_ptr<const flow::Subscribers> subscribers_;
};

wire::Ipv6Prefix read_dmr(message::Fields& domain) {
    const auto dmr = domain.ipv6_prefix("dmr", "default mapping rule: who is outside (RFC 7599 section 5.1)");
    if (domain.only_help()) return dmr;
    if (!wire::rfc6052::is_prefix_length(dmr.length) || ((dmr.network().value >> 56) & 0xff) != 0)
        domain.refuse("dmr", wire::to_text(dmr),
                      "a length of 32, 40, 48, 56, 64 or 96, bits 64 to 71 zero (RFC 6052 section 2.2)");
    return {dmr.network(), dmr.length};
}

std::shared_ptr<const Technology> read_map_t(Request& request) {
    const auto role = request.own.choice("role", {"br", "ce"}, "br", "what the DUT is");
    std::vector<wire::Ipv6Prefix> dmrs;
    auto domains = read_domains(request, [&](message::Fields& domain) { dmrs.push_back(read_dmr(domain)); });
    return std::make_shared<MapT>(role == "br" ? Side::left : Side::right, std::move(domains), std::move(dmrs),
                                  read_ipv4_hosts(*request.hosts[1]), request.seed);
}

}  // namespace

const Kind kind::map_t = {"map-t", "RFC 7599", FlowSpace::subscribers, read_map_t};

}  // namespace xlatperf::technology
