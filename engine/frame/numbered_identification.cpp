#include "frame/numbered_identification.h"

#include <cstring>

#include "wire/byte_order.h"
#include "wire/checksum.h"

namespace xlatperf::frame {

std::uint16_t numbered_identification(const Image& image, std::uint64_t number) {
    const std::uint16_t own = wire::load16(image.bytes() + image.ip() + wire::ipv4::identification);
    return static_cast<std::uint16_t>(own ^ (number % identifications));
}

void turn_identification(std::uint8_t* at, const Image& image, std::uint64_t number) {
    std::uint8_t* header = at + image.ip();
    std::uint16_t before, checksum;  // in memory order
    std::memcpy(&before, header + wire::ipv4::identification, 2);
    std::memcpy(&checksum, header + wire::ipv4::checksum, 2);
    const auto after = static_cast<std::uint16_t>(before ^ wire::network16(static_cast<std::uint16_t>(number % identifications)));
    checksum = static_cast<std::uint16_t>(~wire::fold(wire::sum_after(checksum, before, after)));
    std::memcpy(header + wire::ipv4::identification, &after, 2);
    std::memcpy(header + wire::ipv4::checksum, &checksum, 2);
}

std::uint64_t ArrivingIdentification::turn(std::uint8_t* at) const {
    std::uint8_t* header = at + image_.ip();
    const std::uint64_t before = piece(header + wire::ipv4::identification, 0);
    constexpr std::size_t outer_next = wire::ethernet::size + wire::ipv6::next_header;
    const bool in_tunnel = !image_.outer() || at[outer_next] == wire::protocol::ipv4_in_ip;
    if (in_tunnel && header[wire::ipv4::version_ihl] == 0x45)
        turn_identification(at, image_, piece(at + image_.probe() + probe::number, 0));
    return before;
}

void ArrivingIdentification::back(std::uint8_t* at, std::uint64_t before) const {
    std::memcpy(at + image_.ip() + wire::ipv4::identification, &before, sizeof before);
}

}  // namespace xlatperf::frame
