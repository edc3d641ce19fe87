#include "control/connection_fields.h"

namespace xlatperf::control {

using flow::Side;
using message::Fields;
using message::MessageError;

namespace {

void read_port_span(Fields fields, flow::PortSpan& ports) {
    fields.read("first", ports.first, 0, 65535, "the lowest port");
    fields.read("last", ports.last, 0, 65535, "the highest port");
    fields.check(ports.first <= ports.last, "last", ports.last, "at least first, " + std::to_string(ports.first));
    fields.no_more();
}

// Nobody else can be reached by the rule.
void check_server_ports(const Fields& fields, const flow::PortSpan& ports, const flow::MappedServers& servers) {
    for (unsigned port = ports.first; port <= ports.last; ++port) {
        if (servers.may_have(static_cast<std::uint16_t>(port))) continue;
        fields.refuse("server_ports", std::to_string(ports.first) + " to " + std::to_string(ports.last),
                      "with technology.mesh ports that CEs of the domain have (RFC 7597 section 5.1), and none has " +
                          std::to_string(port));
    }
}

}  // namespace

trial::ConnectionConfiguration read_connection_configuration(Fields& fields, const technology::Technology& technology) {
    trial::ConnectionConfiguration found;
    auto& space = found.space;
    read_port_span(fields.object("client_ports", "a large range (RFC 9693 section 4.1)"), space.client_ports);
    read_port_span(fields.object("server_ports", "as many of them are used as a trial's connections need"), space.server_ports);
    fields.read("enumeration", space.opening, flow::opening_words,
                "in which order four tuples are opened (RFC 9693 section 4.4)");
    fields.read("read_order", found.read_order, flow::read_order_words,
                "in which order connections are used again (RFC 9693 section 4.10)");
    fields.read("write_order", found.write_order, state::write_order_words,
                "in which order the state table is written (RFC 9693 section 4.10)");
    const auto between = std::get<flow::ConnectionFlows::Space>(technology.flows());
    if (between.mapped) check_server_ports(fields, space.server_ports, *between.mapped);
    const auto& b4s = between.b4s;
    const std::uint64_t clients = std::uint64_t{b4s ? b4s->count : 1} * technology.addresses(Side::left, Side::left).size();
    if (clients > flow::ConnectionSpace::most_clients)
        throw MessageError("configure.technology.b4s.count: B4s x traffic.connections.clients are " + std::to_string(clients) +
                           ", which is not allowed: at most " + std::to_string(flow::ConnectionSpace::most_clients));
    space.clients = static_cast<std::uint32_t>(clients);
    space.servers = static_cast<std::uint32_t>(technology.servers().size());
    const std::uint64_t each = space.of_one_server_port();
    if (!fields.only_help() && each > flow::ConnectionSpace::most_connections) {
        throw MessageError("configure.traffic.connections: clients x servers x client ports are " + std::to_string(each) +
                           ", which is not allowed: at most " + std::to_string(flow::ConnectionSpace::most_connections));
    }
    return found;
}

}  // namespace xlatperf::control
