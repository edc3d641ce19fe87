// How late a loop is that does nothing but wait for due times: what the core itself adds to every departure.
// spin CORE RATE_FPS FRAMES prints {"p50_ns":,"p99_ns":,"p999_ns":,"max_ns":}, by RFC 2330 section 11.3.

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "eal/ticks.h"

namespace {

double now_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return static_cast<double>(now.tv_sec) * 1e9 + static_cast<double>(now.tv_nsec);
}

double ticks_per_ns() {
    const double from_ns = now_ns();
    const std::uint64_t from = xlatperf::eal::ticks();
    while (now_ns() - from_ns < 50e6) {
    }
    return static_cast<double>(xlatperf::eal::ticks() - from) / (now_ns() - from_ns);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 4) {
        std::fputs("usage: spin CORE RATE_FPS FRAMES\n", stderr);
        return 2;
    }
    const double rate_fps = std::atof(arguments[2]);
    const long frames = std::atol(arguments[3]);
    if (rate_fps <= 0 || frames < 1) {
        std::fputs("spin: rate and frames are more than 0\n", stderr);
        return 2;
    }
    cpu_set_t core;
    CPU_ZERO(&core);
    CPU_SET(static_cast<std::size_t>(std::atoi(arguments[1])), &core);
    pthread_setaffinity_np(pthread_self(), sizeof core, &core);
    setpriority(PRIO_PROCESS, 0, -20);  // as the Tester's workers, where that is allowed
    const double per_ns = ticks_per_ns();
    std::vector<double> late_ns(static_cast<std::size_t>(frames), 1.0);
    const std::uint64_t start = xlatperf::eal::ticks() + static_cast<std::uint64_t>(1e6 * per_ns);
    for (std::size_t i = 0; i < late_ns.size(); ++i) {
        const std::uint64_t due = start + static_cast<std::uint64_t>(static_cast<double>(i) / rate_fps * 1e9 * per_ns);
        std::uint64_t now = xlatperf::eal::ticks();
        while (now < due) now = xlatperf::eal::ticks();
        late_ns[i] = static_cast<double>(now - due) / per_ns;
    }
    std::sort(late_ns.begin(), late_ns.end());
    const auto at = [&](long per_thousand) {
        return late_ns[static_cast<std::size_t>(std::max(0L, (frames * per_thousand + 999) / 1000 - 1))];
    };
    std::printf("{\"p50_ns\":%.1f,\"p99_ns\":%.1f,\"p999_ns\":%.1f,\"max_ns\":%.1f}\n", at(500), at(990), at(999),
                late_ns.back());
    return 0;
}
