// Does what a Plan says to one direction's frames, in this order:
//   1 drop, 2 stall, 3 capacity, 4 corrupt (in the order of the list), 5 untranslated, 6 delay, 7 duplicate, 8 reorder.
// A packet that a step drops is not seen by the later steps, but each counts it. Frames that are no test packets pass
// at once.
#pragma once

#include <array>
#include <optional>

#include "impair/capacity.h"
#include "impair/delay_line.h"
#include "impair/plan.h"
#include "impair/ranges.h"
#include "link/frame.h"

namespace xlatperf::reference {

struct ImpairmentCounters {
    std::uint64_t test_packets = 0, dropped = 0, stall_dropped = 0, stall_buffered = 0, capacity_dropped = 0, overflow = 0;
    std::array<std::uint64_t, alterations> corrupted{};
    std::uint64_t untranslated = 0, duplicated = 0, reordered = 0, flushed = 0, delayed = 0, not_applicable = 0, passed = 0;
    Ranges dropped_positions;  // of every kind of drop above
    std::uint64_t first_arrival_ns = 0, last_arrival_ns = 0;
};

class Impairments {
  public:
    /// At most `held_limit` frames are held at a time: more are dropped and counted as `overflow`.
    Impairments(FramePool& pool, Transmitter& transmitter, std::size_t held_limit);
    ~Impairments();
    Impairments(const Impairments&) = delete;
    Impairments& operator=(const Impairments&) = delete;

    /// Held frames leave at once, positions begin at 1 again. Counters go on.
    void set(Plan plan);
    /// Counters and positions begin again; the plan stays.
    void reset();
    /// Takes both frames. `original` is the packet as it arrived, with the outgoing Ethernet header; it may be no frame.
    void offer(Side out, Frame frame, Frame original, std::uint64_t now_ns);
    /// Sends what is due.
    void poll(std::uint64_t now_ns);
    /// When `poll` has something to do next; DelayLine::never if nothing is held.
    std::uint64_t next_due() const;

    const ImpairmentCounters& counters() const { return counters_; }
    const Plan& plan() const { return plan_; }
    std::size_t held() const { return line_.size() + held_back_.size(); }

  private:
    struct HeldBack {  // until `still` later packets have passed (reorder)
        Frame frame;
        Side side = Side::left;
        std::uint64_t still = 0;
    };
    FramePool& pool_;
    Transmitter& transmitter_;
    std::size_t held_limit_;
    Plan plan_;
    bool idle_ = true;  // the plan does nothing
    ImpairmentCounters counters_;

    struct Selectors {
        Selector drop, untranslated, duplicate, reorder;
        std::vector<Selector> corrupt, delays;
    } select_;
    std::optional<Capacity> capacity_;
    std::uint64_t number_ = 0, stall_end_ns_ = 0, stall_kept_ = 0, last_arrival_ns_ = 0;
    DelayLine line_;
    std::vector<HeldBack> held_back_;

    void start();
    void impair(Side out, Frame frame, Frame original, std::uint64_t now_ns);
    std::optional<std::uint64_t> admit(std::uint64_t now_ns);
    void corrupt(Frame& frame);
    void duplicate(std::size_t lane, std::uint64_t due_ns, Side side, const Frame& frame, std::uint64_t now_ns);
    std::size_t choose_delay();
    std::uint64_t delay_of(std::size_t lane) const { return lane == 0 ? plan_.delay_ns : plan_.delays[lane - 1].delay_ns; }
    std::size_t flush_lane() const { return plan_.delays.size() + 1; }
    void pass(std::size_t lane, std::uint64_t due_ns, Side side, Frame frame, std::uint64_t now_ns);
    void flush_held_back(std::uint64_t now_ns);
};

}  // namespace xlatperf::reference
