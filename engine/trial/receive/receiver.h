// Receives on one side, or from one queue of it, and verifies every frame.
#pragma once

#include <rte_mbuf.h>

#include <array>
#include <optional>
#include <vector>

#include "frame/classifier.h"
#include "frame/numbered_identification.h"
#include "frame/reassembly.h"
#include "frame/stream_verifier.h"
#include "port/neighbors.h"
#include "port/port.h"
#include "trial/receive/arrivals.h"
#include "trial/receive/fence.h"
#include "trial/receive/flow_order.h"
#include "trial/receive/inquiry.h"
#include "trial/receive/learner.h"
#include "trial/receive/ring_watch.h"
#include "trial/receive/samples.h"
#include "trial/schedule/clock.h"
#include "trial/schedule/description.h"
#include "trial/schedule/nic_clock.h"
#include "trial/schedule/schedule.h"
#include "trial/tally/tally.h"

namespace xlatperf::trial {

/// What arrives on a receiver's side: of a stream, unless nothing is sent in that direction. All of it outlives the receiver.
struct Arriving {
    const frame::Stream* stream = nullptr;
    Arrivals* arrivals = nullptr;  ///< null where `stream` is
    const Schedule& schedule;
    unsigned senders = 1;
    frame::Reassembly* reassembly = nullptr;  ///< null: fragments aren't put together
};

class alignas(64) Receiver {
  public:
    static constexpr unsigned burst = frame::most_in_burst;

    /// Of the port's queue `index`.
    Receiver(const port::Port& port, unsigned index, flow::Side side, port::Neighbors& neighbors, const Arriving& arriving,
             const Description& description, double ticks_per_second);

    /// The Responder of a stateful test: learns into `table`, which outlives the receiver.
    void learn_into(state::Table& table) { learner_.emplace(table, *stream_); }

    /// Arrivals are stamped by the NIC, whose clock is `clock`.
    void stamped_by_nic(const port::BufferTime& field, const NicClock& clock) {
        nic_field_ = field;
        nic_clock_ = clock;
    }

    /// While none of its frames arrive, `neighbors` of the port that sends them asks for the DUT's MAC address. Both outlive it.
    void inquire_at(const port::Port& sends, const port::Neighbors& neighbors, const Inquiry& inquiry) {
        asked_at_ = &sends;
        asking_ = &neighbors;
        inquiry_ = inquiry;
    }

    /// The port doesn't count what its ring has no room for: `ring` bounds it.
    void watch(const RingWatch& ring) { ring_.emplace(ring); }
    const std::optional<RingWatch>& ring() const { return ring_; }

    /// Receives and verifies what has arrived. Returns whether anything had.
    bool poll();

    /// When everything has stopped, of one receiver of a direction: fragments whose rest didn't come.
    void count_incomplete();

    /// By the worker, when all has been sent.
    void tell(FenceWatch& fence) const;

    /// Ticks when a right frame arrived last; 0: none has.
    std::uint64_t last_arrival() const { return last_arrival_; }

    /// By the worker: what arrives from now on comes too late (RFC 2544 §23 d), and is counted as that.
    void wait_is_over();

    struct Result {
        std::array<ClassTally, flow::classes> classes;
        std::optional<NumberedDelays> together;  ///< of all frames, where there are both classes
        StrayTally strays;
        ArrivalGap longest_gap;
        std::uint64_t last_in_time = 0;  ///< ticks when the last right frame arrived before the wait was over; 0: none did
        counter::Counts<counter::Reason> fence;  ///< of the frames of the fence alone
    };
    /// When everything has stopped; once.
    Result take_result() { return std::move(result_); }
    const std::vector<Sample>& samples() const { return samples_.all(); }

  private:
    /// What a frame of the stream turned out to be.
    struct Verdict {
        flow::Class of;
        std::uint64_t sequence;
        counter::Reason reason;
        counter::Some<counter::Remark> remarks;
    };

    /// Frames that were received together.
    struct Burst {
        std::array<std::uint8_t*, burst> at;
        std::array<std::uint16_t, burst> size;
        std::array<std::uint64_t, burst> arrival;  ///< ticks
        frame::SeenBurst seen;
    };

    void verify(rte_mbuf* const* frames, unsigned n, std::uint64_t now, std::uint64_t own_tag);
    // Identifications as the image has them. What isn't right gets its own back, for whoever looks closer.
    template <typename Fetch> [[gnu::noinline]] void look_at_numbered(Burst& received, unsigned n, const Fetch& fetch) const {
        frame::OfBurst<std::uint64_t> before;
        for (unsigned i = 0; i < n; ++i) before[i] = identification_->turn(received.at[i]);
        verifier_->look({received.at.data(), received.size.data(), n}, received.seen, fetch);
        for (unsigned i = 0; i < n; ++i) {
            if ((received.seen.right >> i & 1) == 0) identification_->back(received.at[i], before[i]);
        }
    }
    bool take_fragment(const std::uint8_t* at, std::size_t size, std::uint64_t arrival);
    void count_incomplete(const frame::Reassembly::GivenUp& rest);
    void count_repeated(const std::uint8_t* at, std::size_t size);
    void verify_whole(std::uint64_t arrival);
    bool count_right_whole(std::uint64_t arrival);
    bool has_right_identification(flow::Class of, std::uint64_t number) const;
    frame::Finding find_whole() const;
    void count_run(const Burst& received, unsigned first, unsigned end);
    std::uint64_t learn_run(const Burst& received, std::uint64_t which);
    Verdict judge(const frame::Match& match, const std::uint8_t* at, std::size_t size, std::uint64_t arrival);
    void note_arrival(const frame::Match& match, std::uint64_t arrival, counter::Some<counter::Remark>& remarks);
    void count(const Verdict& verdict);
    frame::Match match_of(const frame::Finding& finding, const std::uint8_t* at) const;
    [[gnu::noinline]] void look_closely(const std::uint8_t* at, std::size_t size, std::uint64_t arrival, bool own_tag);
    void count_finding(const frame::Finding& finding, const std::uint8_t* at, std::size_t size, std::uint64_t arrival);
    frame::Finding find(const std::uint8_t* at, std::size_t size) const;
    void answer(const std::uint8_t* at, std::size_t size);
    bool is_late(std::uint64_t stamp48, std::uint64_t arrival) const {
        return frame::probe::ticks_since(stamp48, arrival) > timeout_ticks_;
    }
    void count_stray(const frame::Finding& finding);
    void inquire();
    [[gnu::noinline]] void note_gap(std::uint64_t now, std::uint64_t sequence);
    // The next number after the highest that has arrived of those that left on the same queue as `sequence`: between queues the
    // Tester itself may change the order.
    std::uint64_t& highest(flow::Class of, std::uint64_t sequence) {
        auto& each = highest_[flow::index(of)];
        return each.size() == 1 ? each[0] : each[sender_of_(sequence / Share::block)];
    }
    [[gnu::noinline]] bool overtaken_in_flow(flow::Class of, std::uint64_t sequence);
    std::uint64_t flow_name(flow::Class of, std::uint64_t sequence) const {
        const std::uint64_t apart = sender_of_(sequence / Share::block) * flow::classes + flow::index(of);
        return FlowOrder::name(stream_->flows(of)(sequence), apart);
    }
    // Of trials with tags, delay variation, intervals, a fence or delays from when frames were due: what is kept of a frame that
    // arrived for the first time, and what is counted of each.
    [[gnu::noinline]] void record_extra(flow::Class of, std::uint64_t sequence, std::int64_t delay, std::uint64_t arrival);
    // Whether of any of a run's frames, which are in these classes.
    bool keeps_extra(std::uint64_t number, const std::array<std::uint64_t, flow::classes>& of_class) const;
    [[gnu::noinline]] void count_extra(std::uint64_t sequence, counter::Reason reason);

    const port::Port& port_;
    unsigned index_;
    port::Neighbors& neighbors_;
    const frame::Stream* stream_;
    const Schedule& schedule_;
    std::optional<frame::StreamVerifier> verifier_;
    std::optional<frame::Classifier> classifier_;
    std::optional<Learner> learner_;
    const port::Port* asked_at_ = nullptr;
    const port::Neighbors* asking_ = nullptr;
    std::optional<Inquiry> inquiry_;
    std::optional<RingWatch> ring_;
    Arrivals* arrivals_;
    ArrivalWindow* window_ = nullptr;  // of a stream
    flow::Modulo sender_of_;
    std::optional<port::BufferTime> nic_field_;
    std::optional<NicClock> nic_clock_;
    TickScale scale_;
    std::int64_t timeout_ticks_;
    counter::Reason too_late_ = counter::Reason::late;  // of frames that took longer
    bool only_tags_, extra_;                            // of tagged frames alone more is kept; of some more is kept or counted
    bool in_vlan_;                                      // frames must have a VLAN tag
    std::array<std::vector<std::uint64_t>, flow::classes> highest_;
    FlowOrder order_;
    std::uint64_t last_arrival_ = 0, last_number_ = 0;
    bool overtaken_ = false;  // a frame came behind a later one, right or wrong
    frame::probe::Mark mark_;
    Result result_;
    ArrivalIntervals* intervals_ = nullptr;                        // if they are told of
    Samples samples_;                                              // of few frames: behind what all of them touch
    std::optional<frame::ArrivingIdentification> identification_;  // IPv4 packets have one that follows from their number
    frame::Reassembly* reassembly_;
    frame::Reassembly::Whole whole_;  // the last one that was put together
    std::vector<frame::Reassembly::GivenUp> given_up_;
};

}  // namespace xlatperf::trial
