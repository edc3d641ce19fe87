#include "trial/schedule/counter_agreement.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>

#include "eal/worker_call.h"
#include "trial/schedule/clock.h"

namespace xlatperf::trial {

namespace {

constexpr unsigned exchanges = 2000;
constexpr std::uint64_t most_ticks = 60'000'000;  // 20 ms at 3 GHz

struct Exchange {
    alignas(64) std::atomic<unsigned> question{0};
    alignas(64) std::atomic<unsigned> answer{0};
    std::atomic<std::uint64_t> reading{0};
    std::atomic<bool> over{false};
};

void answer_questions(Exchange& exchange) {
    unsigned answered = 0;
    while (!exchange.over.load(std::memory_order_relaxed)) {
        const unsigned question = exchange.question.load(std::memory_order_acquire);
        if (question == answered) continue;
        exchange.reading.store(Clock::now_behind_loads(), std::memory_order_relaxed);
        exchange.answer.store(question, std::memory_order_release);
        answered = question;
    }
}

CounterOffset compare(unsigned worker) {
    Exchange exchange;
    CounterOffset found{worker, std::nullopt, std::numeric_limits<double>::infinity()};
    eal::WorkerCall call(worker, [&exchange] { answer_questions(exchange); });
    if (!call.launch()) return found;
    const std::uint64_t end = Clock::now() + most_ticks;
    for (unsigned i = 1; i <= exchanges && Clock::now() < end; ++i) {
        const std::uint64_t asked = Clock::now();
        exchange.question.store(i, std::memory_order_release);
        while (exchange.answer.load(std::memory_order_acquire) != i && Clock::now() < end) {
        }
        const std::uint64_t answered = Clock::now_behind_loads();
        if (exchange.answer.load(std::memory_order_acquire) != i) break;
        const double half = static_cast<double>(answered - asked) / 2;
        if (half >= found.uncertainty_ticks) continue;
        found.uncertainty_ticks = half;
        found.ticks =
            static_cast<double>(static_cast<std::int64_t>(exchange.reading.load(std::memory_order_relaxed) - asked)) - half;
    }
    exchange.over = true;
    call.wait();
    if (!found.ticks) found.uncertainty_ticks = 0;
    return found;
}

}  // namespace

std::vector<CounterOffset> compare_counters(const std::vector<unsigned>& workers) {
    std::vector<CounterOffset> found;
    for (const unsigned worker : workers) found.push_back(compare(worker));
    return found;
}

double certain_difference(const std::vector<CounterOffset>& offsets) {
    double most = 0;
    for (const auto& a : offsets) {
        for (const auto& b : offsets) {
            if (a.ticks && b.ticks) most = std::max(most, *a.ticks - *b.ticks - a.uncertainty_ticks - b.uncertainty_ticks);
        }
    }
    return most;
}

}  // namespace xlatperf::trial
