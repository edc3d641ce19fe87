#include "frame/encapsulation_limit.h"

#include "wire/byte_order.h"
#include "wire/ethernet.h"
#include "wire/headers.h"

namespace xlatperf::frame {

namespace {

constexpr std::size_t header_size = 8;
constexpr std::uint8_t pad1 = 0, pad_n = 1, tunnel_encapsulation_limit = 4;  // option types (RFC 8200 §4.2, RFC 2473 §4.1.1)

// The option and what pads it to 8 bytes: PadN, or Pad1 three times.
bool is_encapsulation_limit(const std::uint8_t* options) {
    const bool tunnels = options[0] == wire::protocol::ipv4_in_ip || options[0] == wire::protocol::ipv6_in_ip;
    const bool option = options[1] == 0 && options[2] == tunnel_encapsulation_limit && options[3] == 1;
    const bool padded_by_n = options[5] == pad_n && options[6] == 1;
    const bool padded_by_1 = options[5] == pad1 && options[6] == pad1 && options[7] == pad1;
    return tunnels && option && (padded_by_n || padded_by_1);
}

}  // namespace

std::optional<std::vector<std::uint8_t>> without_encapsulation_limit(const std::uint8_t* at, std::size_t size) {
    constexpr std::size_t ip = wire::ethernet::size, options = ip + wire::ipv6::size;
    if (size < options + header_size || wire::load16(at + wire::ethernet::type) != wire::ethernet::ipv6) return {};
    const std::size_t payload = wire::load16(at + ip + wire::ipv6::payload_length);
    if (at[ip + wire::ipv6::next_header] != wire::protocol::destination_options || payload < header_size) return {};
    if (!is_encapsulation_limit(at + options)) return {};
    std::vector<std::uint8_t> plain(at, at + options);
    plain.insert(plain.end(), at + options + header_size, at + size);
    wire::store16(plain.data() + ip + wire::ipv6::payload_length, static_cast<std::uint16_t>(payload - header_size));
    plain[ip + wire::ipv6::next_header] = at[options];
    return plain;
}

}  // namespace xlatperf::frame
