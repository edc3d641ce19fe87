#include "control/connection_fields.h"

namespace xlatperf::control {

using flow::Side;
using message::Fields;
using message::MessageError;

namespace {

flow::PortSpan read_port_span(Fields fields, std::uint16_t first, std::uint16_t last, std::int64_t least) {
    const auto from = fields.integer("first", least, 65535, first, "the lowest port");
    const auto to = fields.integer("last", least, 65535, last, "the highest port");
    if (to < from) fields.refuse("last", std::to_string(to), "at least first, " + std::to_string(from));
    fields.no_more();
    return {static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(to)};
}

}  // namespace

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
    const std::uint64_t gateways = technology.b4s() == nullptr ? 1 : technology.b4s()->count;
    const std::uint64_t clients = gateways * technology.addresses(Side::left, Side::left).size();
    if (clients > flow::ConnectionSpace::most_clients)
        throw MessageError("configure.technology.b4s.count: B4s x traffic.connections.clients are " + std::to_string(clients) +
                           ", which is not allowed: at most " + std::to_string(flow::ConnectionSpace::most_clients));
    found.space.clients = static_cast<std::uint32_t>(clients);
    found.space.servers = static_cast<std::uint32_t>(technology.addresses(Side::right, Side::right).size());
    const std::uint64_t each = found.space.of_one_server_port();
    if (!fields.only_help() && each > flow::ConnectionSpace::most_connections) {
        throw MessageError("configure.traffic.connections: clients x servers x client ports are " + std::to_string(each) +
                           ", which is not allowed: at most " + std::to_string(flow::ConnectionSpace::most_connections));
    }
    return found;
}

}  // namespace xlatperf::control
