#include "frame/fragment.h"

#include "wire/byte_order.h"
#include "wire/checksum.h"
#include "wire/encapsulation_limit.h"
#include "wire/ethernet.h"
#include "wire/headers.h"

namespace xlatperf::frame {

namespace {

constexpr std::size_t most_packet = 65535;

bool fits(const Fragment& one) {
    const std::size_t length = one.end - one.data;
    return length > 0 && (!one.more || length % 8 == 0) && one.offset + length <= most_packet;
}

std::optional<Fragment> parse_ipv4_fragment(const std::uint8_t* at, std::size_t ip, std::size_t size) {
    if (size < ip + wire::ipv4::size) return {};
    const std::uint8_t* header = at + ip;
    const std::uint16_t flags = wire::load16(header + wire::ipv4::flags_offset);
    if ((flags & (wire::ipv4::more_fragments | wire::ipv4::offset_mask)) == 0) return {};
    const std::size_t length = 4U * (header[wire::ipv4::version_ihl] & 0x0f),
                      total = wire::load16(header + wire::ipv4::total_length);
    if (header[wire::ipv4::version_ihl] >> 4 != 4 || length < wire::ipv4::size || total < length || ip + total > size) return {};
    const Fragment found{
        .family = wire::Family::ipv4,
        .ip = ip,
        .headers_end = ip + length,
        .data = ip + length,
        .end = ip + total,
        .offset = 8U * (flags & wire::ipv4::offset_mask),
        .more = (flags & wire::ipv4::more_fragments) != 0,
        .identification = wire::load16(header + wire::ipv4::identification),
        .protocol = header[wire::ipv4::protocol],
        .protocol_at = ip + wire::ipv4::protocol,
        .checksum_is_right = wire::fold(wire::sum_bytes(header, length)) == 0xffff,
    };
    return fits(found) ? std::optional(found) : std::nullopt;
}

std::optional<Fragment> parse_ipv6_fragment(const std::uint8_t* at, std::size_t size) {
    constexpr std::size_t ip = wire::ethernet::size,
                          behind_encapsulation_limit = ip + wire::ipv6::size + wire::encapsulation_limit::size;
    if (size < ip + wire::ipv6::size || at[ip] >> 4 != 6) return {};
    const std::size_t end = ip + wire::ipv6::size + wire::load16(at + ip + wire::ipv6::payload_length);
    if (end > size) return {};
    std::size_t next_at = ip + wire::ipv6::next_header, here = ip + wire::ipv6::size;
    while (true) {  // RFC 8200 §4.1: what may be in front of a Fragment header; every round moves on by at least 8 bytes
        const std::uint8_t next = at[next_at];
        if (here + 8 > end) return {};
        if (next == wire::protocol::fragment) break;
        if (next == wire::protocol::ipv4_in_ip && here <= behind_encapsulation_limit) return parse_ipv4_fragment(at, here, end);
        if (next != wire::protocol::hop_by_hop && next != wire::protocol::routing && next != wire::protocol::destination_options)
            return {};
        next_at = here;
        here += 8U * (1U + at[here + 1]);
    }
    const std::uint8_t* header = at + here;
    const std::uint16_t field = wire::load16(header + 2);
    if ((field & 0xfff9) == 0) return {};
    const Fragment found{
        .family = wire::Family::ipv6,
        .ip = ip,
        .headers_end = here,
        .data = here + wire::ipv6::fragment_header_size,
        .end = end,
        .offset = field & 0xfff8U,
        .more = (field & 1) != 0,
        .identification = wire::load32(header + 4),
        .protocol = header[0],
        .protocol_at = next_at,
        .checksum_is_right = true,
    };
    return fits(found) ? std::optional(found) : std::nullopt;
}

}  // namespace

std::optional<Fragment> parse_fragment(const std::uint8_t* at, std::size_t size) {
    if (size < wire::ethernet::size) return {};
    switch (wire::load16(at + wire::ethernet::type)) {
        case wire::ethernet::ipv4:
            return parse_ipv4_fragment(at, wire::ethernet::size, size);
        case wire::ethernet::ipv6:
            return parse_ipv6_fragment(at, size);
        default:
            return {};
    }
}

}  // namespace xlatperf::frame
