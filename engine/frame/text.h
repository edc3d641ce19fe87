// Frames as a person would write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "flow/subscribers.h"
#include "frame/packet.h"
#include "wire/vlan.h"

namespace xlatperf::frame {

/// "0x00b8" for (0xb8, 4).
std::string hex_number(std::uint64_t value, int digits);
/// Bytes as hex digits without separators.
std::string hex_bytes(const std::uint8_t* at, std::size_t size);
/// "49184 > 7" of the ports at `udp`.
std::string describe_ports(const std::uint8_t* udp);
/// "IPv6 2001:2::2 > 2001:2:0:6464::c613:2, hop limit 10, protocol 17".
std::string describe(const Packet& packet);
/// "EA bits 0x1234 (16 bits), PSID 52 (8 bits), ports 1232-1235 2256-2259 ... 64720-64723".
std::string describe(const flow::SubscriberRule& rule, std::uint64_t number, const flow::PortSet& ports);
std::string describe(const flow::Subscribers& all, const flow::Subscriber& who);
/// "VLAN 100, priority 5"; the priority where there is one.
std::string describe_tag(std::uint16_t id, std::optional<unsigned> priority);
/// The same of a frame; "no VLAN tag" of one without. Of several tags the outer one.
std::string describe_tag(const std::uint8_t* at, std::size_t size);
/// A whole frame (without FCS in the buffer, with it in the size that is told).
std::string describe_frame(const std::uint8_t* at, std::size_t size);

}  // namespace xlatperf::frame
