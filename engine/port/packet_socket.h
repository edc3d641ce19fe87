// DPDK's AF_PACKET sockets: net_af_packet doesn't count frames that didn't fit into its ring, and would have the kernel
// distribute them among one socket, and put fragments together.
#pragma once

#include <cstdint>
#include <string>

namespace xlatperf::port {

/// Whether a port has several, one for each queue, among which the kernel spreads frames by their addresses and ports. Before
/// ports are created.
void use_several_packet_sockets(bool several);

/// Frames dropped since the last call at the packet sockets of this process that are bound to the interface. The kernel's
/// counter starts anew with every call (packet(7), PACKET_STATISTICS).
std::uint64_t take_packet_socket_drops(const std::string& interface_name);

}  // namespace xlatperf::port
