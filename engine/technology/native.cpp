#include "technology/native.h"

#include "technology/host_fields.h"
#include "technology/kind.h"
#include "technology/stateful_fields.h"

namespace xlatperf::technology {

wire::Family Native::family(Side) const {
    return std::holds_alternative<flow::Ipv4Hosts>(hosts_[0]) ? wire::Family::ipv4 : wire::Family::ipv6;
}

Names Native::names(Side side, Side seen_from) const {
    Addresses found = std::visit([](const auto& hosts) { return addresses_of(hosts); }, hosts_[flow::index(side)]);
    if (!translators_ || side == seen_from) return found;
    for (auto& address : found) address = seen(std::get<wire::Ipv4Address>(address), side);
    return found;
}

// RFC 7915 §4.1, §5.1, by §6. Who a host of `side` is on the other one; frames that are sent there must come to it.
wire::Ipv4Address Native::seen(wire::Ipv4Address address, Side side) const {
    const auto &own = (*translators_)[flow::index(side)], &other = (*translators_)[flow::index(flow::other(side))];
    const auto through = [&](const AddressTranslation& first, const AddressTranslation& second, wire::Ipv4Address from,
                             Side enters) {
        const auto fail = [&](Side where, const std::string& what) {
            return Unmappable{"technology." + std::string(flow::name(where)), what};
        };
        const auto between = first.to_ipv6(from);
        if (!between) throw fail(enters, "no mapping covers " + wire::to_text(from) + ", and there is no prefix");
        const auto found = second.to_ipv4(*between);
        if (!found)
            throw fail(flow::other(enters), "neither a mapping nor the prefix covers " + wire::to_text(*between) + ", which " +
                                                wire::to_text(from) + " is between both");
        return *found;
    };
    const auto there = through(own, other, address, side);
    const auto back = through(other, own, there, flow::other(side));
    if (back == address) return there;
    throw Unmappable{"technology." + std::string(flow::name(side)), wire::to_text(address) + " is " + wire::to_text(there) +
                                                                        " on the other side, and that is " + wire::to_text(back) +
                                                                        " here"};
}

flow::Space Native::flows() const {
    const auto count = [](const Hosts& hosts) { return std::visit([](const auto& one) { return one.count(); }, hosts); };
    return flow::HostFlows::Space{{count(hosts_[0]), count(hosts_[1])}};
}

std::vector<std::string> Native::routes(Side side) const {
    return std::visit([](const auto& hosts) { return networks_of(hosts); }, hosts_[flow::index(side)]);
}

namespace {

std::optional<Native::Translators> read_translators(message::Fields& own, bool twice) {
    if (!own.only_help() && !own.has("left") && !own.has("right")) return {};
    own.check(twice || own.only_help(), own.has("left") ? "left" : "right", "a table", "none without double_translation");
    for (const char* side : {"left", "right"}) {
        if (!own.only_help() && !own.has(side))
            throw message::MessageError(own.path_of(side) + ": missing: a table, as there is one of the other side");
    }
    const auto read = [&](const char* side) {
        message::Fields fields = own.object(side, "the addresses of the translator on this side; of both or of none");
        AddressTranslation found = read_address_translation(fields);
        fields.no_more();
        return found;
    };
    AddressTranslation left = read("left"), right = read("right");
    return Native::Translators{std::move(left), std::move(right)};
}

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
    return std::make_shared<Native>(std::move(left), std::move(right), twice, read_translators(request.own, twice));
}

}  // namespace

const Kind kind::native = {"native", "RFC 2544, RFC 5180", FlowSpace::hosts, read_native};

}  // namespace xlatperf::technology
