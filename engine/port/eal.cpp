#include "port/eal.h"

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_version.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "eal/cpus.h"
#include "eal/rights.h"
#include "eal/start.h"
#include "eal/worker_call.h"
#include "port/words.h"

namespace xlatperf::port {

namespace {

// The main lcore sleeps and talks. It keeps off the workers' CPUs where it can: its waking up makes frames late.
// Worker i is lcore i + 1.
std::string lcores(const std::vector<unsigned>& cores) {
    const cpu_set_t allowed = eal::allowed_cpus();
    cpu_set_t others = allowed;
    for (const unsigned core : cores) CPU_CLR(core, &others);
    const std::string main = eal::listed(CPU_COUNT(&others) > 0 ? others : allowed);
    std::string text = "0@(" + main + ")";
    for (std::size_t i = 0; i < cores.size(); ++i) text += "," + std::to_string(i + 1) + "@" + std::to_string(cores[i]);
    return text;
}

// Runs in a worker, which has nothing to do with what needs rights from then on. Where it isn't allowed (setpriority(2),
// RLIMIT_NICE), the worker keeps what it has.
int be_nice(int wanted) {
    const auto self = static_cast<id_t>(gettid());
    setpriority(PRIO_PROCESS, self, wanted);
    const int found = getpriority(PRIO_PROCESS, self);
    eal::give_up_all_rights();
    return found;
}

// DPDK takes further hugepages when it needs them: so many MB on any NUMA node, and no more.
std::string socket_limits(unsigned memory_mb) {
    std::string text;
    std::error_code error;
    for (unsigned node = 0; node == 0 || std::filesystem::exists("/sys/devices/system/node/node" + std::to_string(node), error);
         ++node)
        text += (node == 0 ? "" : ",") + std::to_string(memory_mb);
    return text;
}

}  // namespace

// MemAvailable (proc(5), meminfo). Asking DPDK for more ends the process, without a message.
std::uint64_t available_mb() {
    std::ifstream file("/proc/meminfo");
    std::string word;
    std::uint64_t kb = 0;
    while (file >> word) {
        if (word == "MemAvailable:" && file >> kb) return kb / 1024;
    }
    return UINT64_MAX;
}

Eal start_eal(const EalOptions& options) {
    const long cpus = sysconf(_SC_NPROCESSORS_CONF);
    for (const unsigned core : options.cores) {
        if (core < cpus) continue;
        throw PortError("open.cores: " + std::to_string(core) + " is not allowed: 0 to " + std::to_string(cpus - 1) +
                        ", the CPUs of this host");
    }
    const std::uint64_t available = eal::free_hugepage_mb();
    const bool enough = available >= options.memory_mb;
    if (options.hugepages == eal::Hugepages::require && !enough) {
        throw PortError("hugepages: " + std::to_string(available) + " MB are free, " + std::to_string(options.memory_mb) +
                        " MB are needed");
    }
    const bool hugepages = enough && options.hugepages != eal::Hugepages::never;
    if (!hugepages && options.memory_mb > available_mb()) {
        throw PortError("open.memory_mb: " + std::to_string(options.memory_mb) + " is not allowed: this host has " +
                        std::to_string(available_mb()) + " MB available");
    }
    auto arguments = eal::arguments("xlatperf-engine", "xlatperf-" + std::to_string(getpid()), options.memory_mb, hugepages);
    arguments.insert(arguments.end(), {"--lcores", lcores(options.cores), "--log-level", "*:error"});
    if (hugepages) arguments.emplace_back("--socket-limit=" + socket_limits(options.memory_mb));
    keep_words();
    if (!eal::start(arguments, options.pci_addresses)) throw PortError("DPDK does not start: " + refusal(rte_errno));
    Eal started{hugepages, options.nice, {}};
    for (std::size_t i = 0; i < options.cores.size(); ++i) started.workers.push_back(static_cast<unsigned>(i) + 1);
    for (const unsigned worker : started.workers) {
        eal::WorkerCall call(worker, [&] { started.nice = std::max(started.nice, be_nice(options.nice)); });
        if (!call.launch()) throw PortError("DPDK has not started worker " + std::to_string(worker));
        call.wait();
    }
    return started;
}

std::string dpdk_version() { return rte_version(); }

}  // namespace xlatperf::port
