#include "technology/stateful_fields.h"

namespace xlatperf::technology {

using message::Fields;

namespace {

template <typename A> flow::AddressRange<A> read_range(Fields fields) {
    flow::AddressRange<A> range;
    fields.require("first", range.first, "the first address");
    fields.read("addresses", range.addresses, 1, flow::most_addresses, "how many (RFC 9693 section 3.2)");
    fields.read("step", range.step, 1, INT64_C(1) << 48, "from one to the next");
    const auto last = range.last().value;
    const bool wraps =
        last < range.first.value || (range.addresses > 1 && range.step > (last - range.first.value) / (range.addresses - 1));
    fields.check(!wraps, "addresses", range.addresses, "addresses up to the end of the address space");
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

/// RFC 7597 section 5.1, RFC 7596 section 5.1: of the ports only those of one who shares the addresses with others.
void read_port_set(Fields& fields, Pool& pool) {
    unsigned offset = 0, length = 0;
    std::uint16_t psid = 0;
    fields.read("psid_offset", offset, 0, 15, "bits before the PSID in a port");
    fields.read("psid_length", length, 0, 16 - offset, "bits of the PSID; 0: the addresses aren't shared");
    fields.read("psid", psid, 0, static_cast<std::uint16_t>((1U << length) - 1), "the PSID");
    fields.check(length > 0 || offset == 0, "psid_offset", offset, "0 without psid_length");
    pool.ports = flow::PortSet(offset, length, psid);
    bool some = false;
    for (std::uint32_t i = 0; i < pool.ports.ports() && !some; ++i) some = pool.contains(pool.ports.port(i));
    fields.check(some, "psid", psid, "one with a port from first_port to last_port");
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
    Pool pool;
    const auto read = [&](Fields& fields) {
        if (family == wire::Family::ipv4) {
            fields.require("first", pool.first.emplace<wire::Ipv4Address>(), "the first address");
        } else {
            fields.require("first", pool.first.emplace<wire::Ipv6Address>(), "the first address");
        }
        fields.read("addresses", pool.addresses, 1, flow::most_addresses, "how many");
        fields.check(within_address_space(pool), "addresses", pool.addresses, "addresses up to the end of the address space");
        fields.read("first_port", pool.first_port, 0, 65535, "the lowest port");
        fields.read("last_port", pool.last_port, 0, 65535, "the highest port");
        fields.check(pool.first_port <= pool.last_port, "last_port", pool.last_port,
                     "at least first_port, " + std::to_string(pool.first_port));
        if (family == wire::Family::ipv4) read_port_set(fields, pool);
    };
    request.own.object("pool", "what the DUT translates clients to", read);
    return pool;
}

bool read_double_translation(Fields& fields) {
    bool twice = false;
    fields.read("double_translation", twice, "IPv4 becomes IPv6 and IPv4 again on its way");
    return twice;
}

}  // namespace xlatperf::technology
