#include "technology/native.h"

#include "technology/host_fields.h"
#include "technology/kind.h"
#include "technology/stateful_fields.h"

namespace xlatperf::technology {

wire::Family Native::family(Side) const {
    return std::holds_alternative<flow::Ipv4Hosts>(hosts_[0]) ? wire::Family::ipv4 : wire::Family::ipv6;
}

Names Native::names(Side side, Side) const {
    return std::visit([](const auto& hosts) { return addresses_of(hosts); }, hosts_[flow::index(side)]);
}

flow::Space Native::flows() const {
    const auto count = [](const Hosts& hosts) { return std::visit([](const auto& one) { return one.count(); }, hosts); };
    return flow::HostFlows::Space{{count(hosts_[0]), count(hosts_[1])}};
}

std::vector<std::string> Native::routes(Side side) const {
    return std::visit([](const auto& hosts) { return networks_of(hosts); }, hosts_[flow::index(side)]);
}

namespace {

std::shared_ptr<const Technology> read_native(Request& request) {
    auto family = wire::Family::ipv6;
    request.own.require("family", family, wire::family_words, "what is forwarded");
    const bool twice = read_double_translation(request.own);
    request.own.check(!twice || family == wire::Family::ipv4, "double_translation", "true", "false with family ipv6");
    const auto hosts = [&](Side side) -> Hosts {
        auto& own = *request.hosts[flow::index(side)];
        if (own.only_help()) read_ipv4_hosts(own);
        if (family == wire::Family::ipv4) return read_ipv4_hosts(own);
        return read_ipv6_hosts(own);
    };
    auto left = hosts(Side::left), right = hosts(Side::right);
    return std::make_shared<Native>(std::move(left), std::move(right), twice);
}

}  // namespace

const Kind kind::native = {"native", "RFC 2544, RFC 5180", FlowSpace::hosts, read_native};

}  // namespace xlatperf::technology
