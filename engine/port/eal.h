// DPDK's environment: started once in the life of the process.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "eal/start.h"

namespace xlatperf::port {

/// DPDK refused something; `what()` is one line.
struct PortError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct EalOptions {
    std::vector<unsigned> cores;  ///< CPUs of the workers
    unsigned memory_mb = 256;
    eal::Hugepages hugepages = eal::Hugepages::automatic;
    int nice = -5;  ///< of the workers: never real-time scheduling, a DUT or another program on the same core must not starve
    std::vector<std::string> pci_addresses;  ///< ports to probe on the PCI bus; none: the bus isn't touched
};

struct Eal {
    bool hugepages;                 ///< whether they are used
    int nice;                       ///< that the workers have: more than was asked for where that isn't allowed
    std::vector<unsigned> workers;  ///< lcore numbers, one for each core asked for
};

/// Starts DPDK: the calling thread keeps its CPUs and becomes the main lcore. Throws PortError.
Eal start_eal(const EalOptions& options);

/// Memory that can be used without pushing others out.
std::uint64_t available_mb();

std::string dpdk_version();

}  // namespace xlatperf::port
