// Whether the kernel's interface under a port is there, up, and has a carrier.
#pragma once

#include <cstdint>
#include <string>

namespace xlatperf::port {

/// As rtnetlink(7) tells it.
struct InterfaceState {
    bool known = false;  ///< the kernel could be asked
    bool there = false, up = false, carrier = false;
    int index = 0;              ///< an interface that was made anew under the same name has another one
    std::uint32_t changes = 0;  ///< of its carrier, since it was made
    std::uint32_t mtu = 0;
    std::uint32_t xdp_program = 0;  ///< the kernel's number of it; 0: none takes frames before the kernel does
};

/// Of the interface in this process's namespace.
InterfaceState read_interface_state(const std::string& interface);

/// Why a port that was opened on the interface when it was so can't send or receive; empty: it can, or that isn't known.
std::string why_down(const InterfaceState& now, const std::string& interface, const InterfaceState& opened);

}  // namespace xlatperf::port
