// Do the time stamp counters of the cores used agree? A delay is the difference of readings on two cores as soon as sender and
// receiver have one each.
#pragma once

#include <optional>
#include <vector>

namespace xlatperf::trial {

/// One worker's counter, compared with the main thread's.
struct CounterOffset {
    unsigned worker;              ///< lcore
    std::optional<double> ticks;  ///< ahead of the main thread's; absent: both share a core, so that no exchange was quick enough
    double uncertainty_ticks = 0;  ///< half of the quickest exchange
};

/// Asks each worker for its counter many times and takes the quickest answer: between sending the question and getting the answer
/// the worker read its counter, so the offset lies within half of that time (Cristian 1989). Takes at most 20 ms for each worker.
std::vector<CounterOffset> compare_counters(const std::vector<unsigned>& workers);

/// By how many ticks two workers' counters certainly differ; 0 if they may be equal.
double certain_difference(const std::vector<CounterOffset>& offsets);

}  // namespace xlatperf::trial
