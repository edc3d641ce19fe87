#include "technology/stateful_fields.h"

namespace xlatperf::technology {

using message::Fields;

namespace {

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

bool within_address_space(const Pool& pool) {
    const auto not_before = [&](auto first) {
        first.value += pool.addresses - 1;
        return !(first < std::get<decltype(first)>(pool.first));
    };
    return std::visit(not_before, pool.first);
}

}  // namespace

template <typename A> flow::AddressRange<A> read_clients(Request& request) {
    return read_range<A>(request.connections->object("clients", "addresses of the Initiator's side"));
}
template <typename A> flow::AddressRange<A> read_servers(Request& request) {
    return read_range<A>(request.connections->object("servers", "addresses of the Responder's side; nat64: IPv4"));
}
template flow::Ipv4Range read_clients<wire::Ipv4Address>(Request& request);
template flow::Ipv6Range read_clients<wire::Ipv6Address>(Request& request);
template flow::Ipv4Range read_servers<wire::Ipv4Address>(Request& request);
template flow::Ipv6Range read_servers<wire::Ipv6Address>(Request& request);

Pool read_pool(Request& request, wire::Family family) {
    Fields fields = request.own.object("pool", "what the DUT translates clients to");
    Pool pool;
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
    return fields.boolean("double_translation", false, "IPv4 becomes IPv6 and IPv4 again on its way");
}

}  // namespace xlatperf::technology
