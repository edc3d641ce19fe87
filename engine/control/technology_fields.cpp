#include "control/technology_fields.h"

#include "control/host_fields.h"
#include "technology/nat44.h"
#include "technology/nat64.h"
#include "technology/native.h"
#include "technology/siit.h"
#include "wire/rfc6052.h"

namespace xlatperf::control {

using flow::Side;

namespace {

wire::Ipv6Prefix read_translation_prefix(Fields& fields) {
    const auto prefix = fields.ipv6_prefix("prefix", "siit, nat64: the translation prefix (RFC 6052 section 2.2)");
    if (!fields.only_help() && !wire::rfc6052::is_prefix_length(prefix.length))
        fields.refuse("prefix", wire::to_text(prefix), "a length of 32, 40, 48, 56, 64 or 96 (RFC 6052 section 2.2)");
    if (((prefix.network().value >> 56) & 0xff) != 0)
        fields.refuse("prefix", wire::to_text(prefix), "bits 64 to 71 zero (RFC 6052 section 2.2)");
    return prefix;
}

flow::PortSpan read_port_span(Fields fields, std::uint16_t first, std::uint16_t last, std::int64_t least) {
    const auto from = fields.integer("first", least, 65535, first, "the lowest port");
    const auto to = fields.integer("last", least, 65535, last, "the highest port");
    if (to < from) fields.refuse("last", std::to_string(to), "at least first, " + std::to_string(from));
    fields.no_more();
    return {static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to)};
}

wire::Ipv4Address read_first(Fields& fields, wire::Ipv4Address) { return fields.ipv4("first", "the first address"); }
wire::Ipv6Address read_first(Fields& fields, wire::Ipv6Address) { return fields.ipv6("first", "the first address"); }

template <typename A> flow::AddressRange<A> read_range(Fields fields) {
    flow::AddressRange<A> range;
    range.first = read_first(fields, A{});
    range.addresses =
        static_cast<std::uint32_t>(fields.integer("addresses", 1, flow::most_addresses, 1, "how many (RFC 9693 section 3.2)"));
    range.step = static_cast<std::uint64_t>(fields.integer("step", 1, INT64_C(1) << 48, 1, "from one to the next"));
    const auto last = range.last().value;
    const bool wraps =
        last < range.first.value || (range.addresses > 1 && range.step > (last - range.first.value) / (range.addresses - 1));
    if (wraps && !fields.only_help())
        fields.refuse("addresses", std::to_string(range.addresses), "addresses up to the end of the address space");
    fields.no_more();
    return range;
}

bool within_address_space(const technology::Pool& pool) {
    const auto not_before = [&](auto first) {
        first.value += pool.addresses - 1;
        return !(first < std::get<decltype(first)>(pool.first));
    };
    return std::visit(not_before, pool.first);
}

technology::Pool read_pool(Fields fields, wire::Family family) {
    technology::Pool pool;
    if (family == wire::Family::ipv4) {
        pool.first = fields.ipv4("first", "the first address");
    } else {
        pool.first = fields.ipv6("first", "the first address");
    }
    pool.addresses = static_cast<std::uint32_t>(fields.integer("addresses", 1, flow::most_addresses, 1, "how many"));
    if (!within_address_space(pool) && !fields.only_help())
        fields.refuse("addresses", std::to_string(pool.addresses), "addresses up to the end of the address space");
    pool.first_port = static_cast<std::uint16_t>(fields.integer("first_port", 0, 65535, 1024, "the lowest port"));
    pool.last_port = static_cast<std::uint16_t>(fields.integer("last_port", 0, 65535, 65535, "the highest port"));
    if (pool.last_port < pool.first_port)
        fields.refuse("last_port", std::to_string(pool.last_port), "at least first_port, " + std::to_string(pool.first_port));
    fields.no_more();
    return pool;
}

bool read_double_translation(Fields& fields) {
    return fields.boolean("double_translation", false, "native (IPv4), nat44: IPv4 becomes IPv6 and IPv4 again on its way");
}

}  // namespace

std::shared_ptr<const technology::Technology> read_native(Fields& fields, HostFields& hosts_of) {
    const std::string family = fields.choice("family", {"ipv4", "ipv6"}, std::nullopt, "native: what is forwarded");
    std::array<technology::Hosts, 2> hosts;
    for (const auto side : flow::both_sides) {
        auto& own = *hosts_of[flow::index(side)];
        if (family == "ipv4") hosts[flow::index(side)] = read_ipv4_hosts(own);
        if (family == "ipv6") hosts[flow::index(side)] = read_ipv6_hosts(own);
    }
    const bool twice = read_double_translation(fields);
    if (twice && family == "ipv6") fields.refuse("double_translation", "true", "false with family ipv6");
    return std::make_shared<technology::Native>(hosts[0], hosts[1], twice);
}

std::shared_ptr<const technology::Technology> read_siit(Fields& fields, HostFields& hosts_of) {
    const std::string side = fields.choice("ipv6_side", {"left", "right"}, "left", "siit: the other side is IPv4");
    std::optional<wire::Ipv6Prefix> prefix;
    if (fields.has("prefix")) {
        prefix = read_translation_prefix(fields);
    }
    std::vector<technology::AddressMapping> rows;
    for (auto& row : fields.objects("eam", "siit: explicit address mappings (RFC 7757)")) {
        const technology::AddressMapping mapping{row.ipv4_prefix("ipv4", "the IPv4 prefix"),
                                                 row.ipv6_prefix("ipv6", "the IPv6 prefix")};
        if (!mapping.fits()) {
            row.refuse("ipv6", wire::to_text(mapping.ipv6),
                       "a prefix whose suffix is at least as long as that of " + wire::to_text(mapping.ipv4) +
                           " (RFC 7757 section 3.1)");
        }
        row.no_more();
        rows.push_back(mapping);
    }
    return std::make_shared<technology::Siit>(side == "left" ? Side::left : Side::right, prefix,
                                              technology::AddressMappingTable(rows), read_ipv4_hosts(*hosts_of[0]),
                                              read_ipv4_hosts(*hosts_of[1]));
}

bool is_stateful(const std::string& name) { return name == "nat44" || name == "nat64" || name == "nat66"; }

std::shared_ptr<const technology::Technology> read_stateful(const std::string& name, Fields& technology, Fields& connections) {
    const auto clients = [&] { return connections.object("clients", "addresses of the Initiator's side"); };
    const auto servers = [&] { return connections.object("servers", "addresses of the Responder's side; nat64: IPv4"); };
    const auto pool = [&] { return technology.object("pool", "nat44, nat64, nat66: what the DUT translates clients to"); };
    if (name == "nat64") {
        const auto prefix = read_translation_prefix(technology);
        return std::make_shared<technology::Nat64>(read_range<wire::Ipv6Address>(clients()),
                                                   read_range<wire::Ipv4Address>(servers()),
                                                   read_pool(pool(), wire::Family::ipv4), prefix);
    }
    if (name == "nat66") {
        return std::make_shared<technology::Nat44>(read_range<wire::Ipv6Address>(clients()),
                                                   read_range<wire::Ipv6Address>(servers()),
                                                   read_pool(pool(), wire::Family::ipv6));
    }
    return std::make_shared<technology::Nat44>(read_range<wire::Ipv4Address>(clients()), read_range<wire::Ipv4Address>(servers()),
                                               read_pool(pool(), wire::Family::ipv4), read_double_translation(technology));
}

trial::ConnectionConfiguration read_connection_configuration(Fields& fields, const technology::Technology& technology) {
    trial::ConnectionConfiguration found;
    found.space.client_ports =
        read_port_span(fields.object("client_ports", "a large range (RFC 9693 section 4.1)"), 1024, 65535, 0);
    found.space.server_ports =
        read_port_span(fields.object("server_ports", "as many of them are used as a trial's connections need"), 1, 49151, 0);
    const auto opening = fields.choice("enumeration", {"pseudorandom", "increasing", "decreasing"}, "pseudorandom",
                                       "in which order four tuples are opened (RFC 9693 section 4.4)");
    found.space.opening = opening == "increasing"   ? flow::Opening::increasing
                          : opening == "decreasing" ? flow::Opening::decreasing
                                                    : flow::Opening::pseudorandom;
    const auto reading = fields.choice("read_order", {"pseudorandom", "round_robin"}, "pseudorandom",
                                       "in which order connections are used again (RFC 9693 section 4.10)");
    found.read_order = reading == "round_robin" ? flow::ReadOrder::round_robin : flow::ReadOrder::pseudorandom;
    const auto writing = fields.choice("write_order", {"round_robin", "pseudorandom"}, "round_robin",
                                       "in which order the state table is written (RFC 9693 section 4.10)");
    found.write_order = writing == "round_robin" ? state::WriteOrder::round_robin : state::WriteOrder::pseudorandom;
    found.space.clients = static_cast<std::uint32_t>(technology.addresses(Side::left, Side::left).size());
    found.space.servers = static_cast<std::uint32_t>(technology.addresses(Side::right, Side::right).size());
    const std::uint64_t each = found.space.of_one_server_port();
    if (!fields.only_help() && each > flow::ConnectionSpace::most_connections) {
        throw MessageError("configure.traffic.connections: clients x servers x client ports are " + std::to_string(each) +
                           ", which is not allowed: at most " + std::to_string(flow::ConnectionSpace::most_connections));
    }
    return found;
}

}  // namespace xlatperf::control
