// What the kernel counts of the interface under a port: frames that it dropped before or behind the port's driver.
#pragma once

#include <cstdint>
#include <istream>
#include <optional>
#include <string>

namespace xlatperf::port {

/// As the kernel sees it. What a packet socket couldn't get rid of it tries again, and is counted again.
struct InterfaceCounters {
    std::uint64_t received = 0, received_dropped = 0, sent = 0, sent_dropped = 0;
};

/// The interface that an af_packet or af_xdp port lies on, or that a tap port makes, by the port's name and driver; empty: none.
std::string interface_of(const std::string& port_name, const std::string& driver);

/// Of the interface in this process's namespace; none if there is no such one.
std::optional<InterfaceCounters> read_interface_counters(const std::string& interface);

/// The same of a text like proc(5)'s /proc/net/dev.
std::optional<InterfaceCounters> read_interface_counters(std::istream& table, const std::string& interface);

/// Whether it takes frames to any MAC address; false if it can't be asked.
bool is_promiscuous(const std::string& interface);

/// Whether the other end is a program or an interface of this host (veth, tun, tap): what the interface doesn't get rid of is
/// what that end doesn't take.
bool is_software_link(const std::string& interface);

}  // namespace xlatperf::port
