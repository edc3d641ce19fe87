// What the name of a DPDK port says: a PCI address, or a virtual device with arguments behind commas.
#pragma once

#include <optional>
#include <string>

namespace xlatperf::port {

/// Whether `name` is a PCI address rather than a virtual device.
bool is_pci_address(const std::string& name);
/// Whether `name` is a net_ring port, which is connected to the other side's.
bool is_ring(const std::string& name);
/// Of a virtual device the value of an argument; nothing if it isn't given.
std::optional<std::string> argument(const std::string& name, const std::string& key);
/// Whether the port is the end of a memif to which others connect.
bool is_memif_server(const std::string& name);

}  // namespace xlatperf::port
