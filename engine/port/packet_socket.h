// DPDK's AF_PACKET sockets: net_af_packet doesn't count frames that didn't fit into its ring, and would have the kernel
// distribute them among one socket, and put fragments together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace xlatperf::port {

/// Whether a port has several, one for each queue, among which the kernel spreads frames by their addresses and ports. Before
/// ports are created.
void use_several_packet_sockets(bool several);

/// Sockets of this process through which frames leave the interface: its packet sockets, and all of AF_XDP, which don't tell
/// theirs.
std::vector<int> sending_sockets(const std::string& interface_name);

/// The kernel goes on with what waits in their rings, as far as whoever takes it has room. DPDK's drivers ask it only when they
/// send.
void push(const std::vector<int>& sockets);

/// Frames dropped since the last call at the packet sockets of this process that are bound to the interface. The kernel's
/// counter starts anew with every call (packet(7), PACKET_STATISTICS).
std::uint64_t take_packet_socket_drops(const std::string& interface_name);

}  // namespace xlatperf::port
