// CPUs that a process may use.
#pragma once

#include <sched.h>

#include <string>

namespace xlatperf::eal {

cpu_set_t allowed_cpus();

/// As DPDK's `--lcores` takes a set: 0,1,3.
std::string listed(const cpu_set_t& cpus);

}  // namespace xlatperf::eal
