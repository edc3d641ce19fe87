#include "frame/encapsulation_limit.h"

#include "wire/byte_order.h"
#include "wire/encapsulation_limit.h"
#include "wire/ethernet.h"
#include "wire/headers.h"

namespace xlatperf::frame {

namespace {

constexpr std::size_t header_size = wire::encapsulation_limit::size;

}  // namespace

std::optional<std::vector<std::uint8_t>> without_encapsulation_limit(const std::uint8_t* at, std::size_t size) {
    constexpr std::size_t ip = wire::ethernet::size, options = ip + wire::ipv6::size;
    if (size < options + header_size || wire::load16(at + wire::ethernet::type) != wire::ethernet::ipv6) return {};
    const std::size_t payload = wire::load16(at + ip + wire::ipv6::payload_length);
    if (at[ip + wire::ipv6::next_header] != wire::protocol::destination_options || payload < header_size) return {};
    if (!wire::encapsulation_limit::is_one(at + options)) return {};
    std::vector<std::uint8_t> plain(at, at + options);
    plain.insert(plain.end(), at + options + header_size, at + size);
    wire::store16(plain.data() + ip + wire::ipv6::payload_length, static_cast<std::uint16_t>(payload - header_size));
    plain[ip + wire::ipv6::next_header] = at[options];
    return plain;
}

}  // namespace xlatperf::frame
