#include "trial/receive/arrivals.h"

#include <algorithm>
#include <bit>

namespace xlatperf::trial {

namespace {
std::uint64_t less(std::uint64_t number, std::uint64_t by) { return number > by ? number - by : 0; }
}  // namespace

// A quarter more than is remembered: the floor follows what has arrived, and what has been sent where nothing arrives. It is
// raised late.
Arrivals::Arrivals(std::uint64_t frames, std::uint64_t remembered, unsigned receivers, const flow::TrafficMix& mix)
    : frames_(frames),
      remembered_(remembered),
      capacity_(64 * std::bit_ceil(std::min(frames, remembered + remembered / 4) / 64 + 2)),
      mix_(mix),
      last_(receivers) {
    bounds_.ceiling = capacity_;
    windows_.reserve(receivers);
    for (unsigned i = 0; i < receivers; ++i) windows_.emplace_back(bounds_, capacity_ / 64);
}

void Arrivals::divide(const Division& division) {
    lost_.divide(division);
    intervals_.emplace(division, windows_.size());
}

void Arrivals::remember_delays(const std::array<bool, flow::classes>& of) {
    const std::array<bool, flow::classes + 1> kept = {of[0], of[1], of[0] && of[1]};
    for (std::size_t i = 0; i < kept.size(); ++i) {
        if (kept[i]) latest_delays_[i] = std::make_shared<LatestDelays>(windows_.size() > 1);
    }
}

bool Arrivals::raise_floor(std::uint64_t sent) {
    const bool closed = intervals_ && intervals_->close();
    const std::uint64_t floor = bounds_.floor.load(std::memory_order_relaxed);
    if (frames_ <= capacity_) return closed;  // all are remembered
    const std::uint64_t wanted =
        std::max(less(last_.highest_number(), remembered_), less(sent, capacity_ - capacity_ / 8)) / 64 * 64;
    if (wanted < floor + std::max<std::uint64_t>(64, capacity_ / 64)) return closed;
    bounds_.floor.store(std::min(wanted, settled_ + capacity_), std::memory_order_release);
    return true;
}

void Arrivals::settle() {
    if (intervals_) intervals_->settle();
    const std::uint64_t floor = bounds_.floor.load(std::memory_order_relaxed);
    for (; settled_ < floor; settled_ += 64) lost_.lose(settled_, ~take(settled_ / 64));
    bounds_.ceiling.store(settled_ + capacity_, std::memory_order_release);
}

void Arrivals::finish(const SentNumbers& sent) {
    const std::uint64_t known = settled_ + capacity_;
    for (; settled_ < sent.end(); settled_ += 64) {
        const std::uint64_t arrived = settled_ < known ? take(settled_ / 64) : 0;
        lost_.lose(settled_, sent.word(settled_ / 64) & ~arrived);
    }
    if (intervals_) intervals_->finish();
}

std::uint64_t Arrivals::overtaken() const {
    std::uint64_t sum = 0;
    for (const auto& window : windows_) sum += window.overtaken();
    return sum;
}

// The numbers from 64 * `index` on that have arrived at any receiver.
std::uint64_t Arrivals::take(std::uint64_t index) {
    std::uint64_t arrived = 0;
    for (auto& window : windows_) {
        const std::uint64_t here = window.take(index);
        for (std::uint64_t twice = arrived & here; twice != 0; twice &= twice - 1) {
            const auto number = index * 64 + static_cast<std::uint64_t>(std::countr_zero(twice));
            ++duplicates_[static_cast<std::size_t>(mix_(number))];
        }
        arrived |= here;
    }
    return arrived;
}

}  // namespace xlatperf::trial
