#include "nat/rewrite.h"

#include "translate/transport_checksum.h"
#include "wire/byte_order.h"
#include "wire/headers.h"

namespace xlatperf::reference {

using namespace wire;

namespace {
void adjust_udp(std::uint8_t* udp_header, std::uint64_t removed, std::uint64_t added) {
    std::uint8_t* field = udp_header + udp::checksum;
    if (load_sum(field) != 0) adjust_transport(field, protocol::udp, removed, added);  // RFC 768: zero, there is none
}
}  // namespace

void rewrite_port(std::uint8_t* udp_header, End end, std::uint16_t port) {
    std::uint8_t* at = udp_header + (end == End::source ? udp::source_port : udp::destination_port);
    const std::uint16_t before = load_sum(at);
    store16(at, port);
    adjust_udp(udp_header, before, load_sum(at));
}

void rewrite(MutableBytes packet, std::uint8_t* udp_header, End end, const Endpoint& to) {
    const bool v4 = packet[0] >> 4 == 4;
    const std::size_t size = v4 ? 4 : 16;
    std::uint8_t* at = packet.data() + (v4 ? ipv4::source : ipv6::source) + (end == End::source ? 0 : size);
    const std::uint64_t before = sum_bytes(at, size);
    if (v4)
        Ipv4Address{static_cast<std::uint32_t>(to.address)}.store(at);
    else
        Ipv6Address{to.address}.store(at);
    const std::uint64_t after = sum_bytes(at, size);
    std::uint8_t* checksum = packet.data() + ipv4::checksum;
    if (v4) store_sum(checksum, adjusted(load_sum(checksum), before, after));
    adjust_udp(udp_header, before, after);
    rewrite_port(udp_header, end, to.port);
}

}  // namespace xlatperf::reference
