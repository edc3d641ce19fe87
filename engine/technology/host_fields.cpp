#include "technology/host_fields.h"

namespace xlatperf::technology {

using message::Fields;

namespace {

template <typename P> flow::HostRange<P> read_hosts(Fields fields, std::uint64_t most_host) {
    flow::HostRange<P> hosts;
    fields.require("prefix", hosts.first, "the first network");
    fields.read("networks", hosts.networks, 1, flow::most_networks, "consecutive networks (RFC 2544 section 12)");
    fields.read("host", hosts.host, 0, most_host, "the number of the first host in each network");
    fields.read("hosts", hosts.hosts, 1, flow::most_hosts, "so many in each network, with consecutive numbers");
    const std::uint64_t all = std::uint64_t{hosts.networks} * hosts.hosts;
    fields.check(all <= flow::most_hosts, "hosts", hosts.hosts,
                 "at most " + std::to_string(flow::most_hosts) + " hosts in all networks together");
    const unsigned host_bits = P::bits - hosts.first.length;
    const auto text = wire::to_text(hosts.first);
    const auto fits = [&](std::uint64_t number) { return host_bits >= 64 || number >> host_bits == 0; };
    fields.check(fits(hosts.host), "host", hosts.host, "a host number that fits into " + text);
    fields.check(fits(hosts.host + (hosts.hosts - 1)), "hosts", hosts.hosts, "hosts whose numbers all fit into " + text);
    fields.check(hosts.first.length >= 9, "prefix", text, "a prefix of at least 9 bits, so that 256 networks fit");
    fields.check(!(hosts.network(hosts.networks - 1).address < hosts.first.network()), "networks", hosts.networks,
                 "networks up to the end of the address space");
    fields.no_more();
    return hosts;
}

}  // namespace

flow::Ipv4Hosts read_ipv4_hosts(Fields fields) { return read_hosts<wire::Ipv4Prefix>(std::move(fields), INT32_MAX); }
flow::Ipv6Hosts read_ipv6_hosts(Fields fields) { return read_hosts<wire::Ipv6Prefix>(std::move(fields), INT64_MAX); }

}  // namespace xlatperf::technology
