#include "technologies/port_of.h"

#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

PortFound find_port(Bytes payload, std::uint8_t protocol, bool is_fragment, PortOf end) {
    if (is_fragment) return {Fate::fragment, 0};
    if (protocol == protocol::udp || protocol == protocol::tcp) {
        if (payload.size() < udp::length) return {Fate::malformed, 0};
        return {Fate::forwarded, load16(payload.data() + (end == PortOf::source ? udp::source_port : udp::destination_port))};
    }
    if (protocol != protocol::icmpv4 && protocol != protocol::icmpv6) return {Fate::no_port, 0};
    if (payload.size() < icmp::size) return {Fate::malformed, 0};
    const std::uint8_t request = protocol == protocol::icmpv4 ? 8 : 128, reply = protocol == protocol::icmpv4 ? 0 : 129;
    if (payload[icmp::type] != request && payload[icmp::type] != reply) return {Fate::no_port, 0};
    return {Fate::forwarded, load16(payload.data() + icmp::rest)};
}

}  // namespace xlatperf::reference
