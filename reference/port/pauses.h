// Times in which the device didn't look at its ports: who holds it up shows here.
#pragma once

#include <algorithm>
#include <cstdint>

namespace xlatperf::reference {

struct Pauses {
    static constexpr std::uint64_t short_ns = 20'000;  // a busy turn of the loop: not counted in the sum

    std::uint64_t longest_ns = 0, sum_ns = 0;

    void add(std::uint64_t ns) {
        longest_ns = std::max(longest_ns, ns);
        if (ns > short_ns) [[unlikely]]
            sum_ns += ns;
    }
};

}  // namespace xlatperf::reference
