// Sends the frames of one direction on schedule, or its share of them where the direction has several senders.
#pragma once

#include <rte_mbuf.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "counter/counters.h"
#include "flow/part.h"
#include "frame/burst.h"
#include "frame/stream.h"
#include "port/neighbors.h"
#include "port/port.h"
#include "state/table.h"
#include "trial/schedule/clock.h"
#include "trial/schedule/description.h"
#include "trial/schedule/division.h"
#include "trial/schedule/nic_clock.h"
#include "trial/schedule/schedule.h"
#include "trial/send/buffers.h"
#include "trial/send/held_back.h"
#include "trial/send/stalls.h"
#include "trial/tally/histogram.h"

namespace xlatperf::trial {

/// How the frames of an interval left.
struct IntervalDeparture {
    std::uint64_t late_frames = 0, stalls = 0;
};

/// How the frames left.
struct Departure {
    Histogram late;  ///< hand-over to the driver - due, ns; 0 where the NIC sends at the due time
    counter::Counts<counter::Sending> counts;
    std::uint64_t sent = 0;
    std::uint64_t last_departure_ticks = 0;    ///< when the port had taken the last frame
    std::uint64_t overrun_ticks = 0;           ///< by how much that was too late, through the Tester's fault
    std::vector<IntervalDeparture> intervals;  ///< empty if not divided

    /// What another sender of the direction did.
    void add(const Departure& other);
};

class alignas(64) Sender {
  public:
    static constexpr unsigned most_burst = frame::most_in_burst;

    /// Sends its `share` of `stream`, on the port's queue of that index, when `schedule` says. Sending should take `duration_s`.
    Sender(const port::Port& port, const frame::Stream& stream, const Schedule& schedule, Share share, const Pacing& pacing,
           double duration_s, double fastest_fps, double ticks_per_second);
    ~Sender();
    Sender(const Sender&) = delete;
    Sender& operator=(const Sender&) = delete;

    /// The NIC sends each frame at its due time by its own clock: frames are handed over `lead_s` ahead. Before `start`.
    void send_by_nic(const port::BufferTime& field, const NicClock& clock, double lead_s, double ticks_per_second);

    /// The Responder of a stateful test: foreground frames go to what `table` knows, which outlives the sender. Before `start`.
    void send_to_learnt(const state::Table& table) { table_ = &table; }

    /// Frames go to where the gateway answers from by now. `neighbors` outlives the sender. Before `start`.
    void follow(const port::Neighbors& neighbors) { neighbors_ = &neighbors; }

    /// Tells of intervals as well. Before `start`.
    void divide(const Division& division) {
        find_interval_.emplace(division);
        departure_.intervals.resize(division.count());
    }

    /// Takes over the schedule's time of frame 0, before any worker runs.
    void start();

    /// Sends what is due. Returns whether anything was.
    bool poll();

    bool finished() const { return finished_; }
    /// Ticks when the last frame left or was given up; 0 while sending.
    std::uint64_t finished_at() const { return finished_at_; }
    /// Ticks when the next frame is due.
    std::uint64_t next_due() const { return depart_.ticks(); }

    const Departure& departure() const { return departure_; }
    /// The first of its numbers that hasn't left. By any thread: where it was a little earlier.
    std::uint64_t next_number() const { return next_number_.load(std::memory_order_relaxed); }
    /// Of the numbers before, those for which the DUT had no room. By any thread, read before `next_number`: so many at least.
    std::uint64_t given_up() const { return given_up_.load(std::memory_order_relaxed); }
    const Stalls& stalls() const { return stalls_; }
    void stop();

  private:
    bool idle(std::uint64_t now);
    void build(std::uint64_t now);
    bool hand_over_due(std::uint64_t now);
    void hand_over(unsigned frames, std::uint64_t now);
    void stamp(unsigned first, unsigned frames, std::uint64_t now);
    bool take_buffers(std::uint64_t first, unsigned frames);
    std::uint64_t build_burst(unsigned frames);
    std::uint64_t build_classes();
    [[gnu::noinline]] std::uint64_t build_sizes(std::uint64_t first, unsigned frames);
    void make_headers(flow::Class of, unsigned size, const flow::Part& part, frame::HeaderBurst& headers);
    bool learnt_destinations(flow::Class of) const { return table_ != nullptr && of == flow::Class::foreground; }
    void ask_for_mappings(const flow::Part& part);
    unsigned read_mappings(const flow::Part& part);
    void send_to_mappings(frame::HeaderBurst& headers, unsigned frames, unsigned known) const;
    [[gnu::noinline]] void give_source_macs(unsigned frames);
    [[gnu::noinline]] void number_identifications(std::uint64_t first, unsigned frames);
    [[gnu::noinline]] void alter(std::uint64_t first, unsigned frames);
    [[gnu::noinline]] void direct(std::uint64_t first, unsigned frames);
    [[gnu::noinline]] void put_tags(unsigned frames);
    void give_times(unsigned frames);
    void transmit(unsigned frames, std::uint64_t now);
    void left(unsigned sent, std::uint64_t now);
    std::uint64_t count_late(unsigned sent, std::uint64_t now);
    void left_last();
    void give_up_one();
    /// Held up by more than a burst: what was missed doesn't pour out at line rate.
    bool may_leave(std::uint64_t now) const {
        return now <= depart_.ticks() + slack_ticks_ || now >= earliest_ || held_back_.refused();
    }
    /// What the DUT held back may leave as much later.
    bool too_late(std::uint64_t now) const { return now > deadline_ + held_back_.ticks(); }
    void finish(std::uint64_t now);

    const port::Port& port_;
    const frame::Stream& stream_;
    const Schedule& schedule_;
    Share share_;
    TickScale scale_;
    std::uint64_t duration_ticks_, most_overrun_ticks_, late_ticks_, slack_ticks_, catch_up_ticks_;  // catch_up: of one frame
    std::uint64_t ahead_ticks_, most_wait_ticks_;
    unsigned burst_;
    SendBuffers buffers_;
    const state::Table* table_ = nullptr;
    const port::Neighbors* neighbors_ = nullptr;
    HeldBack held_back_;
    Stalls stalls_;
    std::optional<IntervalFinder> find_interval_;
    std::optional<port::BufferTime> nic_field_;
    std::optional<NicClock> nic_clock_;
    std::uint64_t deadline_ = 0, earliest_ = 0, last_call_ = 0;
    std::uint64_t idle_since_ = 0, elsewhere_ = 0;  // the last poll that had nothing to do, and when the one behind it came
    DueTime build_, depart_;
    std::array<rte_mbuf*, most_burst> pending_{};
    std::array<std::uint8_t*, most_burst> probes_{};  // in them
    unsigned pending_first_ = 0, pending_end_ = 0;
    bool can_be_held_back_ = false, finished_ = false;
    std::optional<flow::Class> only_class_;
    std::array<std::vector<frame::BurstWriter>, flow::classes> writers_;          // for each size
    std::array<flow::Part, flow::classes> parts_;                                 // of the burst at hand
    std::array<std::array<std::uint8_t*, most_burst>, flow::classes> probes_of_;  // of the parts
    // Of a table: the connections of the frames that come next, asked for, and what is known of those at hand.
    std::uint64_t asked_first_ = 0;
    unsigned asked_ = 0;
    alignas(64) frame::OfBurst<std::uint64_t> connections_{};
    frame::LearntEnds mapped_{};
    std::uint64_t finished_at_ = 0;
    Departure departure_;
    std::atomic<std::uint64_t> next_number_, given_up_ = 0;
};

}  // namespace xlatperf::trial
