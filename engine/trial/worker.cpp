#include "trial/worker.h"

#include <rte_ring.h>
#include <sched.h>

#include <algorithm>
#include <limits>

#include "port/service.h"

namespace xlatperf::trial {

void Worker::wait_while_held() const {
    ++shared->holding;
    while (shared->hold.load(std::memory_order_acquire) && !shared->stop->load(std::memory_order_relaxed)) sched_yield();
    --shared->holding;
}

// When nothing is left to be sent.
std::uint64_t Worker::end_of_wait(std::uint64_t now) const {
    const std::uint64_t departure = shared->last_departure.load(), timeout = departure + shared->timeout_ticks;
    if (shared->fence == nullptr) return timeout;
    for (const Receiver* receiver : receivers) receiver->tell(*shared->fence);
    return std::min(timeout, shared->fence->end(departure, now));
}

// Frames that are too late, one after the other, when the timeout wasn't cut short.
bool Worker::still_arriving(std::uint64_t now) const {
    const std::uint64_t over = shared->waited_until;
    if (over < shared->last_departure + shared->timeout_ticks || now > over + shared->most_late_ticks) return false;
    return std::ranges::any_of(receivers, [&](const Receiver* one) { return one->last_arrival() + shared->quiet_ticks > now; });
}

// Behind the wait: what left late may still come back.
std::uint64_t Worker::end_of_late(std::uint64_t now) const {
    const std::uint64_t way_back = std::max(shared->settle_ticks, shared->timeout_ticks), left = shared->all_left;
    if (shared->leaving) return now + way_back;
    if (left > shared->waited_until && now < left + way_back) return left + way_back;
    return still_arriving(now) ? now + shared->quiet_ticks : now;
}

void Worker::end_wait(std::uint64_t now) const {
    for (Receiver* receiver : receivers) receiver->wait_is_over();
    std::uint64_t until = shared->waited_until.load();
    while (until < now && !shared->waited_until.compare_exchange_weak(until, now)) {
    }
}

void Worker::run() {
    constexpr unsigned most_behind = 256;  // polls for what had come in time
    std::size_t sending = senders.size();
    std::uint64_t end = std::numeric_limits<std::uint64_t>::max();  // known when the last sender has finished
    unsigned polls_behind = 0;
    bool waiting = true;
    while (true) {
        bool busy = false;
        shared->grace->polled(index);
        if (shared->hold.load(std::memory_order_relaxed)) [[unlikely]]
            wait_while_held();
        for (Sender* sender : senders) {
            if (sender->finished()) continue;
            busy |= sender->poll();
            if (!sender->finished()) continue;
            --sending;
            std::uint64_t last = shared->last_departure.load();
            while (last < sender->finished_at() && !shared->last_departure.compare_exchange_weak(last, sender->finished_at())) {
            }
            --shared->senders_left;
        }
        for (Receiver* receiver : receivers) busy |= receiver->poll();
        for (const port::Port* port : outboxes) {
            if (rte_ring_empty(port->outbox()) == 0) port::flush_outbox(*port);
        }
        if (shared->stop->load(std::memory_order_relaxed)) [[unlikely]] {
            for (Sender* sender : senders) sender->stop();
            return;
        }
        if (busy && sending > 0) continue;
        const std::uint64_t now = Clock::now();
        if (now >= shared->hard_deadline) return;
        if (waiting && shared->senders_left.load(std::memory_order_acquire) == 0) end = end_of_wait(now);
        if (waiting && now >= end) {
            // The ring may hold what came in time, however long this worker was held up since it looked.
            if (polls_behind++ == 0 || (busy && polls_behind < most_behind)) continue;
            end_wait(now);
            waiting = false;
            end = now + shared->settle_ticks;
        }
        if (!waiting && now >= end) {
            end = end_of_late(now);
            if (end <= now) return;
        }
        if (busy || !shared->yield) continue;
        std::uint64_t due = std::numeric_limits<std::uint64_t>::max();
        for (const Sender* sender : senders) {
            if (!sender->finished()) due = std::min(due, sender->next_due());
        }
        if (due > now + shared->yield_margin_ticks) sched_yield();
    }
}

void run_worker(Worker& worker) {
    worker.run();
    worker.shared->grace->left(worker.index);
}

}  // namespace xlatperf::trial
