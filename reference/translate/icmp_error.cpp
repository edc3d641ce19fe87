#include "translate/icmp_error.h"

#include <algorithm>

#include "translate/transport_checksum.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

namespace {
constexpr std::uint8_t hop_limit = 64;
constexpr std::size_t largest_icmpv4_error = 576;  // RFC 1812 §4.3.2.3

void write_message(std::uint8_t* at, const IcmpError& error, Bytes quoted) {
    at[icmp::type] = error.type;
    at[icmp::code] = error.code;
    store16(at + icmp::checksum, 0);
    store32(at + icmp::rest, error.rest);
    std::copy(quoted.begin(), quoted.end(), at + icmp::size);
}
}  // namespace

std::size_t make_icmpv4_error(const IcmpError& error, Bytes cause, Ipv4Address source, MutableBytes out) {
    const auto p = parse_ipv4_packet(cause);
    if (!p || p->fragment_offset != 0) return 0;
    if (p->source.value >> 28 >= 0xe || p->source.value >> 24 == 0 || p->destination.value >> 28 >= 0xe) return 0;
    if (p->protocol == protocol::icmpv4 && (p->payload.empty() || (p->payload[0] != 8 && p->payload[0] != 0))) return 0;
    const Bytes quoted = cause.first(std::min(p->total_length, largest_icmpv4_error - ipv4::size - icmp::size));
    const std::size_t size = ipv4::size + icmp::size + quoted.size();
    if (out.size() < size) return 0;
    std::uint8_t* at = out.data();
    std::fill_n(at, ipv4::size, std::uint8_t{0});
    at[ipv4::version_ihl] = 0x45;
    store16(at + ipv4::total_length, static_cast<std::uint16_t>(size));
    at[ipv4::ttl] = hop_limit;
    at[ipv4::protocol] = protocol::icmpv4;
    source.store(at + ipv4::source);
    p->source.store(at + ipv4::destination);
    store_sum(at + ipv4::checksum, static_cast<std::uint16_t>(~fold(sum_bytes(at, ipv4::size))));
    std::uint8_t* message = at + ipv4::size;
    write_message(message, error, quoted);
    store_sum(message + icmp::checksum, static_cast<std::uint16_t>(~fold(sum_bytes(message, size - ipv4::size))));
    return size;
}

std::size_t make_icmpv6_error(const IcmpError& error, Bytes cause, Ipv6Address source, MutableBytes out) {
    const auto p = parse_ipv6_packet(cause);
    if (!p || (p->fragment && p->fragment->offset != 0)) return 0;
    if (p->source.value == 0 || p->source.value >> 120 == 0xff) return 0;
    const bool too_big = error.type == 2;  // RFC 4443 §2.4 (e.3): also for multicast, for the path MTU
    if (p->destination.value >> 120 == 0xff && !too_big) return 0;
    if (p->protocol == protocol::icmpv6 && (p->payload.empty() || p->payload[0] < 128 || p->payload[0] == 137)) return 0;
    const std::size_t length = ipv6::size + p->payload_length;
    const Bytes quoted = cause.first(std::min(length, largest_icmp_error - ipv6::size - icmp::size));
    const std::size_t message_size = icmp::size + quoted.size();
    if (out.size() < ipv6::size + message_size) return 0;
    std::uint8_t* at = out.data();
    store32(at, 6u << 28);
    store16(at + ipv6::payload_length, static_cast<std::uint16_t>(message_size));
    at[ipv6::next_header] = protocol::icmpv6;
    at[ipv6::hop_limit] = hop_limit;
    source.store(at + ipv6::source);
    p->source.store(at + ipv6::destination);
    std::uint8_t* message = at + ipv6::size;
    write_message(message, error, quoted);
    const std::uint64_t sum =
        sum_bytes(at + ipv6::source, 32) + pseudo_tail(message_size, protocol::icmpv6) + sum_bytes(message, message_size);
    store_sum(message + icmp::checksum, static_cast<std::uint16_t>(~fold(sum)));
    return ipv6::size + message_size;
}

}  // namespace xlatperf::reference
