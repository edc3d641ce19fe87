#include "eal/cpus.h"

namespace xlatperf::eal {

cpu_set_t allowed_cpus() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    sched_getaffinity(0, sizeof allowed, &allowed);
    return allowed;
}

std::string listed(const cpu_set_t& cpus) {
    std::string text;
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
        if (CPU_ISSET(cpu, &cpus)) text += (text.empty() ? "" : ",") + std::to_string(cpu);
    }
    return text;
}

}  // namespace xlatperf::eal
