// One trial: builds the roles, lets the workers run them, and collects what they counted.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "port/neighbors.h"
#include "port/port.h"
#include "trial/receive/received.h"
#include "trial/schedule/clock.h"
#include "trial/send/sender.h"
#include "trial/streams.h"

namespace xlatperf::trial {

/// What the trial runs on.
struct Bed {
    std::array<port::Port*, 2> ports;
    std::array<port::Neighbors*, 2> neighbors;
    std::vector<unsigned> workers;  ///< lcores
    const Clock* clock;
    bool yield;                        ///< give up the core when nothing is due
    double counter_difference_ns = 0;  ///< by which the workers' time stamp counters certainly differ
    state::Table* table = nullptr;     ///< the Responder's, of stateful technologies
};

/// Why a trial says nothing about the DUT.
struct Objection {
    counter::Invalid code;
    std::string text;
};

/// Frames that the Tester's own receive ring may have had no room for, where the port doesn't count them.
struct Overflowed {
    std::uint64_t at_most = 0, lost = 0, away_ticks = 0;  ///< of so many that are lost; the longest time away
    std::uint64_t ring = 0;                               ///< frames
};

struct DirectionResult {
    std::uint64_t intended = 0;
    SentNumbers numbers;
    std::array<std::uint64_t, 2> sent{};  ///< foreground, background
    Departure departure;
    std::uint64_t fence_lost = 0;
    Overflowed overflowed;
    double sending_s = 0;
    double offered_fps = 0;         ///< once all flows have begun
    std::optional<double> quiet_s;  ///< no right frame had come for so long when the wait ended; none: none has come at all
    std::optional<double> arrival_interval_s;                 ///< the mean one of those that had
    bool departures_by_nic = false, arrivals_by_nic = false;  ///< whose time stamps they are; else the Tester's CPU's
    double sent_frame_size = 0, received_frame_size = 0;      ///< mean; of the foreground, or of native frames alone; with FCS
};

struct Result {
    std::array<std::optional<DirectionResult>, 2> directions;
    std::array<std::unique_ptr<const frame::Stream>, 2> streams;
    std::unique_ptr<Schedule> schedule;
    std::array<std::unique_ptr<Arrivals>, 2> arrivals;  ///< by direction
    std::array<Received, 2> received;                   ///< by side
    std::array<port::PortCounters, 2> counters;
    std::array<std::string, 2> link_down;                       ///< why a port's link wasn't up all the time; empty: it was
    std::array<std::vector<std::string>, 2> address_conflicts;  ///< of a link, one line each
    std::vector<Objection> reasons;
    Frequency frequency{};
    double counter_difference_ns = 0;
    double starts_at_s = 0;  ///< when the first frame was due, by the host's CLOCK_MONOTONIC
    double waited_s = 0;     ///< for frames, after the last one left
    bool fence_came = false;
    double elapsed_s = 0;

    /// The direction whose frames arrive on `side`; none if none do.
    std::optional<flow::Direction> arriving_on(flow::Side side) const {
        for (const auto direction : flow::both_directions) {
            const auto& stream = streams[flow::index(direction)];
            if (stream && stream->arrives == side) return direction;
        }
        return {};
    }
};

/// A driver doesn't return: the worker can't be stopped, so the process has to end.
struct Stuck : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Runs the trial. `while_running` is called every few milliseconds and may set `stop`. All MAC addresses are known.
/// Throws Stuck, and port::PortError where the NIC doesn't do what it was opened for.
Result run_trial(const Bed& bed, const Configuration& configuration, const Description& description, const LinkLayer& link_layer,
                 std::atomic<bool>& stop, const std::function<void()>& while_running);

}  // namespace xlatperf::trial
