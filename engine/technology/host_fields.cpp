#include "technology/host_fields.h"

namespace xlatperf::technology {

using message::Fields;

namespace {

template <typename P> void check_hosts(const Fields& fields, const flow::HostRange<P>& hosts) {
    if (fields.only_help()) return;
    const unsigned host_bits = P::bits - hosts.first.length;
    const auto text = wire::to_text(hosts.first);
    if (host_bits == 0 || (host_bits < 64 && hosts.host >= (std::uint64_t{1} << host_bits))) {
        fields.refuse("host", std::to_string(hosts.host), "a host number that fits into " + text);
    }
    if (hosts.first.length < 9) fields.refuse("prefix", text, "a prefix of at least 9 bits, so that 256 networks fit");
    if (hosts.network(hosts.networks - 1).address < hosts.first.network()) {
        fields.refuse("networks", std::to_string(hosts.networks), "networks up to the end of the address space");
    }
}

template <typename Hosts> Hosts read_hosts(Fields& fields, const decltype(Hosts::first)& first, std::int64_t most_host) {
    Hosts hosts;
    hosts.first = first;
    hosts.networks = static_cast<std::uint32_t>(
        fields.integer("networks", 1, flow::most_networks, 1, "consecutive networks (RFC 2544 section 12)"));
    hosts.host = static_cast<std::uint64_t>(fields.integer("host", 0, most_host, 2, "the host's number in each network"));
    check_hosts(fields, hosts);
    fields.no_more();
    return hosts;
}

constexpr std::string_view first_network = "the first network";

}  // namespace

flow::Ipv4Hosts read_ipv4_hosts(Fields fields) {
    return read_hosts<flow::Ipv4Hosts>(fields, fields.ipv4_prefix("prefix", first_network), INT32_MAX);
}

flow::Ipv6Hosts read_ipv6_hosts(Fields fields) {
    return read_hosts<flow::Ipv6Hosts>(fields, fields.ipv6_prefix("prefix", first_network), INT64_MAX);
}

}  // namespace xlatperf::technology
