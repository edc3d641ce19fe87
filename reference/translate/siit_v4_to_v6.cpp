// RFC 7915 §4: from IPv4 to IPv6.
#include <algorithm>

#include "translate/siit.h"
#include "translate/transport_checksum.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

namespace {

/// §4.1: options are ignored, but an unexpired source route means that the packet isn't translated.
bool has_unexpired_source_route(Bytes header) {
    constexpr std::uint8_t end = 0, no_operation = 1, loose = 131, strict = 137;  // RFC 791 §3.1
    for (std::size_t at = ipv4::size; at < header.size() && header[at] != end;) {
        if (header[at] == no_operation) {
            ++at;
            continue;
        }
        if (header.size() - at < 3 || header[at + 1] < 2 || header[at + 1] > header.size() - at) return false;
        if ((header[at] == loose || header[at] == strict) && header[at + 2] <= header[at + 1]) return true;
        at += header[at + 1];
    }
    return false;
}

/// §4.1, row by row. `payload_length` without the Fragment header.
std::size_t write_ipv6_header(std::uint8_t* out, const Ipv4Packet& p, std::uint8_t hop_limit, std::size_t payload_length,
                              Ipv6Address source, Ipv6Address destination) {
    const bool fragment = p.is_fragment();
    const std::uint8_t next_header = p.protocol == protocol::icmpv4 ? protocol::icmpv6 : p.protocol;
    const std::size_t header_size = fragment ? ipv6::size + ipv6::fragment_header_size : ipv6::size;
    store32(out, (6u << 28) | (std::uint32_t{p.tos} << 20));  // Traffic Class: all 8 bits of TOS; Flow Label: 0
    store16(out + ipv6::payload_length, static_cast<std::uint16_t>(header_size - ipv6::size + payload_length));
    out[ipv6::next_header] = fragment ? protocol::fragment : next_header;
    out[ipv6::hop_limit] = hop_limit;
    source.store(out + ipv6::source);
    destination.store(out + ipv6::destination);
    if (fragment) {
        std::uint8_t* header = out + ipv6::size;
        header[0] = next_header;
        header[1] = 0;
        store16(header + 2, static_cast<std::uint16_t>((p.fragment_offset << 3) | (p.more_fragments ? 1 : 0)));
        store32(header + 4, p.identification);  // the low 16 bits; the high ones are zero
    }
    return header_size;
}

/// §4.5, for a UDP packet without a checksum that's here as a whole.
/// §4.5 on the copied payload.
Fate update_transport(const Siit& siit, const Ipv4Packet& p, std::uint8_t* out, std::size_t header_size) {
    if (p.fragment_offset != 0) return Fate::forwarded;  // the transport header is in another fragment
    const auto offset = checksum_offset(p.protocol, p.payload.size());
    if (!offset) return p.protocol == protocol::udp || p.protocol == protocol::tcp ? Fate::malformed : Fate::forwarded;
    std::uint8_t* transport = out + header_size;
    std::uint8_t* field = transport + *offset;
    if (p.protocol == protocol::udp && load_sum(field) == 0)
        return without_udp_checksum(transport, p.payload.size(), sum_bytes(out + ipv6::source, 32),
                                    siit.compute_udp_checksum_zero, p.more_fragments);
    adjust_transport(field, p.protocol, sum_bytes(p.header.data() + ipv4::source, 8), sum_bytes(out + ipv6::source, 32));
    return Fate::forwarded;
}

/// §4.1: a packet too long for the IPv6 side is fragmented if it may be, else refused.
Result fit(const Siit& siit, const Ipv4Packet& p, std::size_t size) {
    const std::size_t lowest = std::min(siit.lowest_ipv6_mtu, siit.ipv6_mtu);
    // Fragments are those of the IPv4 packet, each translated: their identification is its own.
    if (!p.dont_fragment) return {Fate::forwarded, size, size > lowest ? lowest : 0, 0, false, p.identification};
    if (size <= siit.ipv6_mtu) return {Fate::forwarded, size};
    const std::size_t growth = size - p.total_length;
    return drop(Fate::too_big, static_cast<std::uint32_t>(siit.ipv6_mtu - growth));
}

}  // namespace

Result translate_v4_to_v6(const Siit& siit, Bytes in, MutableBytes out) {
    const auto p = parse_ipv4_packet(in);
    if (!p || out.size() < in.size() + translation_room) return drop(Fate::malformed);
    const Fate fate = check_v4_to_v6(*p);
    if (fate != Fate::forwarded) return drop(fate);
    auto source = siit.map.to_ipv6(p->source);
    const auto destination = siit.map.to_ipv6(p->destination);
    // An error of a router whose address has no IPv6 address comes from the translator's own (RFC 6791 §2, the other way).
    const bool is_error = p->protocol == protocol::icmpv4 && !p->payload.empty() && p->payload[0] != 8 && p->payload[0] != 0;
    if (!source && is_error && siit.own_ipv6.value != 0) source = siit.own_ipv6;
    if (!source || !destination) return drop(Fate::not_translatable_address);
    return translate_v4_to_v6(siit, *p, {*source, *destination}, out);
}

Fate check_v4_to_v6(const Ipv4Packet& p) {
    if (!ipv4_header_checksum_ok(p.header)) return Fate::ipv4_checksum;
    if (p.ttl <= 1) return Fate::hop_limit;  // §4.1: zero after the decrement
    if (p.header.size() > ipv4::size && has_unexpired_source_route(p.header)) return Fate::source_route;
    return Fate::forwarded;
}

Result translate_v4_to_v6(const Siit& siit, const Ipv4Packet& p, const AddressPair<Ipv6Address>& to, MutableBytes out) {
    const auto hop_limit = static_cast<std::uint8_t>(p.ttl - 1);
    if (p.protocol == protocol::icmpv4) {
        if (p.is_fragment()) return drop(Fate::icmp_fragment);
        const Result message = icmp_v4_to_v6(siit, p.payload, out.subspan(ipv6::size), to.source, to.destination);
        if (message.fate != Fate::forwarded) return message;
        write_ipv6_header(out.data(), p, hop_limit, message.size, to.source, to.destination);
        return fit(siit, p, ipv6::size + message.size);
    }

    const std::size_t header_size = write_ipv6_header(out.data(), p, hop_limit, p.payload.size(), to.source, to.destination);
    std::copy(p.payload.begin(), p.payload.end(), out.begin() + static_cast<std::ptrdiff_t>(header_size));
    const Fate fate = update_transport(siit, p, out.data(), header_size);
    if (fate != Fate::forwarded) return drop(fate);
    return fit(siit, p, header_size + p.payload.size());
}

std::size_t translate_quoted_v4_to_v6(const Siit& siit, Bytes in, MutableBytes out) {
    const auto p = parse_ipv4_packet(in, Completeness::quoted);
    if (!p || out.size() < in.size() + translation_growth) return 0;
    const auto source = siit.map.to_ipv6(p->source), destination = siit.map.to_ipv6(p->destination);
    if (!source || !destination) return 0;
    const std::size_t payload_length = p->total_length - p->header.size();
    const std::size_t header_size = write_ipv6_header(out.data(), *p, p->ttl, payload_length, *source, *destination);
    std::copy(p->payload.begin(), p->payload.end(), out.begin() + static_cast<std::ptrdiff_t>(header_size));
    if (p->fragment_offset == 0 && p->protocol == protocol::icmpv4) {
        // Only an echo may be quoted: an error isn't answered by an error (§4.2). Its type is what a host looks at.
        if (p->payload.size() < icmp::rest || (p->payload[0] != 8 && p->payload[0] != 0)) return 0;
        translate_echo(out.data() + header_size, p->payload[0] == 8 ? 128 : 129, 0,
                       sum_bytes(out.data() + ipv6::source, 32) + pseudo_tail(payload_length, protocol::icmpv6));
    } else if (p->fragment_offset == 0) {
        const auto offset = checksum_offset(p->protocol, p->payload.size());
        if (offset && !(p->protocol == protocol::udp && load_sum(out.data() + header_size + *offset) == 0))
            adjust_transport(out.data() + header_size + *offset, p->protocol, sum_bytes(p->header.data() + ipv4::source, 8),
                             sum_bytes(out.data() + ipv6::source, 32));
    }
    return header_size + p->payload.size();
}

}  // namespace xlatperf::reference
