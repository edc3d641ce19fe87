#include "translate/fragment.h"

#include <algorithm>
#include <array>

#include "translate/transport_checksum.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

bool fragment_ipv4(Bytes packet, std::size_t limit, const TakeFragment& take) {
    const auto p = parse_ipv4_packet(packet);
    if (!p || limit < p->header.size() + 8) return false;
    const std::size_t step = (limit - p->header.size()) / 8 * 8;
    std::array<std::uint8_t, 60> header{};
    for (std::size_t at = 0; at < p->payload.size(); at += step) {
        const std::size_t size = std::min(step, p->payload.size() - at);
        const bool more = at + size < p->payload.size() || p->more_fragments;
        std::copy(p->header.begin(), p->header.end(), header.begin());
        store16(header.data() + ipv4::total_length, static_cast<std::uint16_t>(p->header.size() + size));
        store16(header.data() + ipv4::flags_offset,
                static_cast<std::uint16_t>((more ? ipv4::more_fragments : 0) | (p->fragment_offset + at / 8)));
        store16(header.data() + ipv4::checksum, 0);
        store_sum(header.data() + ipv4::checksum, static_cast<std::uint16_t>(~fold(sum_bytes(header.data(), p->header.size()))));
        if (!take(Bytes(header).first(p->header.size()), p->payload.subspan(at, size))) return false;
    }
    return true;
}

bool fragment_ipv6(Bytes packet, std::size_t limit, std::uint32_t identification, const TakeFragment& take) {
    constexpr std::size_t headers_size = ipv6::size + ipv6::fragment_header_size;
    const auto p = parse_ipv6_packet(packet);
    if (!p || limit < headers_size + 8) return false;
    const Ipv6Fragment whole = p->fragment.value_or(Ipv6Fragment{identification, 0, false});
    const std::size_t step = (limit - headers_size) / 8 * 8;
    std::array<std::uint8_t, headers_size> headers{};
    std::copy_n(packet.begin(), ipv6::size, headers.begin());
    headers[ipv6::next_header] = protocol::fragment;
    headers[ipv6::size] = p->protocol;
    store32(headers.data() + ipv6::size + 4, whole.identification);
    for (std::size_t at = 0; at < p->payload.size(); at += step) {
        const std::size_t size = std::min(step, p->payload.size() - at);
        const bool more = at + size < p->payload.size() || whole.more;
        store16(headers.data() + ipv6::payload_length, static_cast<std::uint16_t>(ipv6::fragment_header_size + size));
        store16(headers.data() + ipv6::size + 2, static_cast<std::uint16_t>(((whole.offset + at / 8) << 3) | (more ? 1 : 0)));
        if (!take(headers, p->payload.subspan(at, size))) return false;
    }
    return true;
}

}  // namespace xlatperf::reference
