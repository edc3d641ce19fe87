// DPDK's environment, as the engine and the reference device start and leave it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wire/words.h"

namespace xlatperf::eal {

enum class Hugepages : std::uint8_t { automatic, never, require };
inline constexpr wire::Word<Hugepages> hugepages_words[] = {
    {"auto", Hugepages::automatic}, {"never", Hugepages::never}, {"require", Hugepages::require}};

/// Of all sizes that are free.
std::uint64_t free_hugepage_mb();

/// What makes DPDK leave nothing behind: with `hugepages` pages without a name, which the kernel takes back however the process
/// ends; without them no shared configuration. `prefix`: of its runtime folder.
std::vector<std::string> arguments(const std::string& program, const std::string& prefix, unsigned memory_mb, bool hugepages);

/// Calls rte_eal_init; false: rte_errno says why. `devices` are PCI addresses to probe: without any the bus isn't touched.
bool start(std::vector<std::string> arguments, const std::vector<std::string>& devices);

/// Removes the runtime folder, which DPDK leaves behind.
void remove_runtime_folder();

/// Ends DPDK, which gives its memory back, and removes its runtime folder.
void stop();

}  // namespace xlatperf::eal
