// When frames are due: absolute, in fixed point. Frame k of a step is due at the step's start + k * interval, with 64 bits of
// fraction of a tick, so nothing drifts: after an hour at 150 Mfps the error is below 10^-6 ticks.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "trial/schedule/share.h"

namespace xlatperf::trial {

__extension__ using Ticks128 = unsigned __int128;  // 64.64 fixed point

/// `ticks`, which isn't negative, as 64.64 fixed point.
inline Ticks128 fixed_point(long double ticks) {
    const long double whole = std::floor(ticks);
    const auto fraction = static_cast<std::uint64_t>((ticks - whole) * 18446744073709551616.0L);
    return (Ticks128{static_cast<std::uint64_t>(whole)} << 64) | fraction;
}

/// Ticks between two frames. `ticks_per_second` and `rate_fps` are positive.
inline Ticks128 frame_interval(double ticks_per_second, double rate_fps) {
    return fixed_point(static_cast<long double>(ticks_per_second) / static_cast<long double>(rate_fps));
}

/// A constant rate for a while. `end` is the number of the first frame behind the step.
struct RateStep {
    static constexpr Ticks128 at_once = ~Ticks128{0};

    std::uint64_t end;
    Ticks128 interval;
    Ticks128 begin = at_once;  ///< when its first frame is due, from the start on; at_once: an interval behind the one before
};

/// The rates of a trial, one step after the other; mostly there is one.
class Schedule {
  public:
    explicit Schedule(std::vector<RateStep> steps) : steps_(std::move(steps)) {
        std::uint64_t first = 0;
        Ticks128 at = 0;
        for (auto& step : steps_) {
            if (step.begin == RateStep::at_once) step.begin = at;
            at = step.begin + step.interval * (step.end - first);
            first = step.end;
        }
    }

    void start_at(std::uint64_t ticks) { start_ = Ticks128{ticks} << 64; }
    const std::vector<RateStep>& steps() const { return steps_; }
    std::uint64_t frames() const { return steps_.back().end; }

    /// The due time of frame `sequence` in 64.64 ticks.
    Ticks128 due(std::uint64_t sequence) const {
        const auto behind = [](std::uint64_t number, const RateStep& one) { return number < one.end; };
        const auto step = std::upper_bound(steps_.begin(), steps_.end() - 1, sequence, behind);
        const std::uint64_t first = step == steps_.begin() ? 0 : (step - 1)->end;
        return start_ + step->begin + step->interval * (sequence - first);
    }
    std::uint64_t due_ticks(std::uint64_t sequence) const { return static_cast<std::uint64_t>(due(sequence) >> 64); }

    /// How many frames are due before `ticks`.
    std::uint64_t due_before(std::uint64_t ticks) const {
        std::uint64_t from = 0, end = frames();
        while (from < end) {
            const std::uint64_t middle = from + (end - from) / 2;
            if (due_ticks(middle) < ticks) {
                from = middle + 1;
            } else {
                end = middle;
            }
        }
        return from;
    }

  private:
    std::vector<RateStep> steps_;
    Ticks128 start_ = 0;
};

/// Walks through the due times of a sender's frames.
class DueTime {
  public:
    explicit DueTime(const Schedule& schedule, Share share = {})
        : schedule_(&schedule),
          share_(share),
          step_(schedule.steps().data()),
          sequence_(share.first()),
          end_of_run_(share.end_of_run(sequence_)) {
        find_due();
    }

    std::uint64_t ticks() const { return static_cast<std::uint64_t>(due_ >> 64); }
    std::uint64_t sequence() const { return sequence_; }
    /// Whether the schedule has no such frame any more. Then only `sequence` and `ticks` may be asked for.
    bool over() const { return sequence_ >= schedule_->frames(); }
    /// How many of the next frames have consecutive numbers and are due at the interval of this one.
    std::uint64_t evenly() const { return std::min(step_->end, end_of_run_) - sequence_; }
    /// When the frame that is `frames` further is due; `frames` is at most `evenly()`, as if it were due at the same interval.
    std::uint64_t ticks_in(std::uint64_t frames) const {
        return static_cast<std::uint64_t>((due_ + step_->interval * frames) >> 64);
    }
    /// How many of the next `most` frames are due by `now`, as far as they're consecutive and of one interval.
    unsigned due_by(std::uint64_t now, unsigned most) const {
        const auto evenly_due = static_cast<unsigned>(std::min<std::uint64_t>(most, evenly()));
        if (ticks_in(evenly_due - 1) <= now) return evenly_due;
        unsigned frames = 0;
        while (ticks_in(frames) <= now) ++frames;
        return frames;
    }
    /// `frames` times next, at most `evenly()`.
    void skip(std::uint64_t frames) {
        due_ += step_->interval * frames;
        sequence_ += frames;
        if (sequence_ == step_->end || sequence_ == end_of_run_) [[unlikely]]
            go_on();
    }
    void next() { skip(1); }

  private:
    [[gnu::noinline]] void go_on() {
        if (sequence_ == end_of_run_) {
            sequence_ = share_.behind(sequence_);
            end_of_run_ = share_.end_of_run(sequence_);
        }
        find_due();
    }
    void find_due() {
        while (step_->end <= sequence_ && step_->end < schedule_->frames()) ++step_;
        due_ = schedule_->due(sequence_);
    }

    const Schedule* schedule_;
    Share share_;
    const RateStep* step_;
    Ticks128 due_ = 0;
    std::uint64_t sequence_, end_of_run_;
};

}  // namespace xlatperf::trial
