#include "trial/receiver.h"

#include <rte_ethdev.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "frame/encapsulation_limit.h"
#include "port/service.h"
#include "wire/byte_order.h"

namespace xlatperf::trial {

namespace {

// For the numbers `from` to `end` - 1.
NumberedDelays numbered_delays(const Description& description, std::uint64_t from, std::uint64_t end,
                               const std::shared_ptr<LatestDelays>& latest) {
    NumberedDelays delays;
    if (description.tags) {
        delays.tagging = {from, end, description.tags->count, flow::mix(description.number)};
        delays.tagged_delays_ns.reserve(delays.tagging.below(end));
    }
    if (latest) delays.variation.emplace(latest);
    return delays;
}

}  // namespace

Receiver::Receiver(const port::Port& port, unsigned index, flow::Side side, port::Neighbors& neighbors, const Arriving& arriving,
                   const Description& description, double ticks_per_second)
    : port_(port),
      index_(index),
      neighbors_(neighbors),
      stream_(arriving.stream),
      schedule_(arriving.schedule),
      arrivals_(arriving.arrivals),
      sender_of_(arriving.senders),
      scale_(ticks_per_second),
      timeout_ticks_(description.frame_timeout_ms
                         ? static_cast<std::int64_t>(*description.frame_timeout_ms * 1e-3 * ticks_per_second)
                         : std::numeric_limits<std::int64_t>::max()),
      extra_(description.tags || description.delay_variation || description.due_delays || description.interval_s ||
             description.fence || !description.raw_delays.empty()),
      samples_(side, arriving.stream, description.samples),
      trial_number_(description.number) {
    highest_.fill(std::vector<std::uint64_t>(arriving.senders));
    if (stream_ == nullptr) return;
    order_.make_room();
    window_ = &arrivals_->window(index_);
    intervals_ = arrivals_->intervals_of(index_);
    verifier_.emplace(*stream_);
    classifier_.emplace(*stream_);
    if (const auto of = frame::class_of_bursts(*stream_)) {
        burst_verifier_.emplace(*stream_, *of);
        only_class_ = *of;
    }
    std::uint64_t tag_from = 0;
    if (description.tags) {
        const auto from_ticks = static_cast<std::uint64_t>(description.tags->from_s * ticks_per_second);
        tag_from = schedule_.due_before(schedule_.due_ticks(0) + from_ticks);
    }
    for (const auto of : {flow::Class::foreground, flow::Class::background}) {
        if (!stream_->expected[static_cast<std::size_t>(of)]) continue;
        const std::uint64_t frames = stream_->mix.number_in_class(of, stream_->frames);
        ClassTally& tally = result_.classes[static_cast<std::size_t>(of)];
        tally.numbered = numbered_delays(description, stream_->mix.number_in_class(of, tag_from), frames,
                                         arrivals_->latest_delays(static_cast<std::size_t>(of)));
        if (!description.raw_delays.empty()) tally.raw_delays.reserve(frames);
        if (description.due_delays) tally.delay_from_due.emplace();
    }
    if (stream_->expected[0] && stream_->expected[1]) {
        result_.together = numbered_delays(description, tag_from, stream_->frames, arrivals_->latest_delays(flow::classes));
    }
}

inline frame::Reason Receiver::record(flow::Class of, std::uint64_t sequence, std::uint64_t stamp48, std::uint64_t now) {
    ClassTally& tally = result_.classes[static_cast<std::size_t>(of)];
    const auto mark = window_->mark(sequence);
    if (mark != ArrivalWindow::Mark::first) [[unlikely]] {
        const auto reason = mark == ArrivalWindow::Mark::duplicate ? frame::Reason::duplicate : frame::Reason::beyond_window;
        count_of_part(sequence, reason);
        return reason;
    }
    ++tally.arrived;
    const std::int64_t delay = frame::probe::ticks_since(stamp48, now);
    const bool late = delay > timeout_ticks_;
    const frame::Reason reason = late ? too_late_ : frame::Reason::expected;
    if (delay < 0) [[unlikely]] {
        ++tally.negative_delay;
        if (intervals_) intervals_->add_negative_delay(sequence);
        count_of_part(sequence, reason);
    } else {
        const std::uint64_t delay_ns = scale_.ns(static_cast<std::uint64_t>(delay));
        tally.delay.add(delay_ns);
        if (extra_) [[unlikely]]
            record_extra(tally, of, sequence, delay_ns, now, reason);
    }
    if (now - last_arrival_ > result_.longest_gap.ticks) [[unlikely]]
        note_gap(now, sequence);
    last_arrival_ = now;
    last_number_ = sequence;
    std::uint64_t& next = highest(of, sequence);
    const bool behind = sequence < next;
    if (behind || order_.watches()) [[unlikely]] {
        const bool in_flow = overtaken_in_flow(of, sequence);
        overtaken_ |= behind;
        tally.overtaken += behind && !late ? 1 : 0;
        tally.reordered += in_flow && !late ? 1 : 0;
    }
    next = std::max(next, sequence + 1);
    return reason;
}

// Counts a frame that is right in itself. Returns whether it is the first with its number, and in time.
inline bool Receiver::count(flow::Class of, std::uint64_t sequence, std::uint64_t stamp48, std::uint64_t now) {
    const frame::Reason reason = record(of, sequence, stamp48, now);
    ++result_.classes[static_cast<std::size_t>(of)].by_reason[frame::index(reason)];
    return reason == frame::Reason::expected;
}

// Of mixes, and of frames that the NIC stamps.
void Receiver::verify_one_by_one(rte_mbuf* const* frames, unsigned n, std::uint64_t now) {
    std::array<frame::Verifier::Match, burst> match;
    std::uint64_t right = 0;
    for (unsigned i = 0; verifier_ && i < n; ++i) {
        if (i + 1 < n) __builtin_prefetch(rte_pktmbuf_mtod(frames[i + 1], const std::uint8_t*));
        const auto* at = rte_pktmbuf_mtod(frames[i], const std::uint8_t*);
        if (!verifier_->matches(at, rte_pktmbuf_data_len(frames[i]), match[i])) continue;
        right |= std::uint64_t{1} << i;
        // The table is larger than any cache: all entries are asked for before one is read.
        if (learner_ && match[i].of == flow::Class::foreground) learner_->prefetch(match[i].connection);
    }
    for (unsigned i = 0; i < n; ++i) {
        const auto* at = rte_pktmbuf_mtod(frames[i], const std::uint8_t*);
        const std::uint16_t size = rte_pktmbuf_data_len(frames[i]);
        std::uint64_t arrival = now;
        if (nic_field_) [[unlikely]] {
            if (const auto stamp = nic_field_->get(frames[i])) arrival = nic_clock_->to_ticks(*stamp);
        }
        if ((right >> i & 1) != 0) [[likely]] {
            count_right(match[i], at, size, arrival);
        } else {
            look_closely(at, size, arrival);
        }
    }
}

// Counts a frame that is right in itself. Returns whether it is as expected.
inline bool Receiver::count_right(const frame::Verifier::Match& match, const std::uint8_t* at, std::size_t size,
                                  std::uint64_t now) {
    if (learner_ && match.of == flow::Class::foreground) [[unlikely]]
        return count_mapped(match, at, size, now);
    const bool expected = count(match.of, match.sequence, match.stamp48, now);
    result_.classes[static_cast<std::size_t>(match.of)].df_differs += expected && match.df_differs ? 1 : 0;
    return expected;
}

void Receiver::verify_burst(rte_mbuf* const* frames, unsigned n, std::uint64_t now) {
    Burst received;
    for (unsigned i = 0; i < n; ++i) {
        received.at[i] = rte_pktmbuf_mtod(frames[i], const std::uint8_t*);
        received.size[i] = rte_pktmbuf_data_len(frames[i]);
        __builtin_prefetch(received.at[i]);
        __builtin_prefetch(received.at[i] + 64);  // where the probe is, or ends
    }
    const frame::SeenBurst& seen = received.seen;
    frame::Looking looking(received.at.data(), received.size.data(), n);
    burst_verifier_->begin(looking, received.seen);
    for (unsigned i = 0; learns() && i < n; ++i) learner_->prefetch(seen.key[i]);
    burst_verifier_->finish(looking, received.seen);
    const auto right = [&](unsigned i) { return (seen.right >> i & 1) != 0; };
    if (seen.consecutive && right(0) && std::popcount(seen.right) == static_cast<int>(n)) [[likely]]
        return count_run(received, 0, n, now);
    for (unsigned first = 0, end = 0; first < n; first = end) {
        end = first + 1;
        if (!right(first)) {
            look_closely(received.at[first], received.size[first], now);
            continue;
        }
        while (end < n && right(end) && seen.sequence[end] == seen.sequence[end - 1] + 1) ++end;
        count_run(received, first, end, now);
    }
}

frame::Verifier::Match Receiver::match_of(const Burst& received, unsigned i) const {
    const frame::SeenBurst& seen = received.seen;
    const std::uint8_t* at = received.at[i];
    return {seen.sequence[i],
            only_class_,
            (seen.df_differs >> i & 1) != 0,
            seen.stamp48[i],
            seen.key[i],
            burst_verifier_->source_address(at),
            burst_verifier_->source_port(at)};
}

// Counts frames that are right in themselves, with consecutive numbers.
void Receiver::count_run(const Burst& received, unsigned first, unsigned end, std::uint64_t now) {
    const frame::SeenBurst& seen = received.seen;
    ClassTally& tally = result_.classes[static_cast<std::size_t>(only_class_)];
    const std::uint64_t number = seen.sequence[first], one_sender = Share::block - number % Share::block;
    if (sender_of_.divisor() > 1 && end - first > one_sender) [[unlikely]] {
        count_run(received, first, first + static_cast<unsigned>(one_sender), now);
        first += static_cast<unsigned>(one_sender);
        return count_run(received, first, end, now);
    }
    std::uint64_t& next_number = highest(only_class_, number);
    if (extra_ || order_.watches() || number < next_number || !window_->mark_run(number, end - first)) [[unlikely]] {
        for (unsigned i = first; i < end; ++i) count_right(match_of(received, i), received.at[i], received.size[i], now);
        return;
    }
    tally.arrived += end - first;
    next_number = number + (end - first);
    if (now - last_arrival_ > result_.longest_gap.ticks) [[unlikely]]
        note_gap(now, number);
    last_arrival_ = now;
    last_number_ = next_number - 1;
    for (unsigned i = first, next = first; i < end; i = next) {  // those that left together
        while (++next < end && seen.stamp48[next] == seen.stamp48[i]) {
        }
        const std::int64_t delay = frame::probe::ticks_since(seen.stamp48[i], now);
        const bool late = delay > timeout_ticks_;
        if (delay < 0) [[unlikely]] {
            tally.negative_delay += next - i;
        } else {
            tally.delay.add(scale_.ns(static_cast<std::uint64_t>(delay)), next - i);
        }
        tally.by_reason[frame::index(late ? too_late_ : frame::Reason::expected)] += next - i;
        if (seen.df_differs != 0 && !late) {
            const std::uint64_t those = ~std::uint64_t{0} >> (64 - (next - i)) << i;
            tally.df_differs += static_cast<std::uint64_t>(std::popcount(seen.df_differs & those));
        }
    }
    if (learns()) learn_run(received, first, end, now);
}

// Learns from frames that have been counted as expected or too late.
void Receiver::learn_run(const Burst& received, unsigned first, unsigned end, std::uint64_t now) {
    for (unsigned i = first; i < end; ++i) {
        const std::uint8_t* at = received.at[i];
        if (learner_->knows(received.seen.key[i], burst_verifier_->source_address(at), burst_verifier_->source_port(at)))
            [[likely]]
            continue;
        const frame::Verifier::Match match = match_of(received, i);
        const frame::Reason mapping = learner_->learn(match);
        if (mapping == frame::Reason::expected) [[likely]]
            continue;
        ClassTally& tally = result_.classes[static_cast<std::size_t>(only_class_)];
        const bool late = frame::probe::ticks_since(match.stamp48, now) > timeout_ticks_;
        --tally.by_reason[frame::index(late ? too_late_ : frame::Reason::expected)];
        ++tally.by_reason[frame::index(mapping)];
        tally.df_differs -= !late && match.df_differs ? 1 : 0;
        samples_.keep_mapping(mapping, match, received.at[i], received.size[i]);
    }
}

// A frame of a connection counts as expected only if its mapping is what it must be.
bool Receiver::count_mapped(const frame::Verifier::Match& match, const std::uint8_t* at, std::size_t size, std::uint64_t now) {
    ClassTally& tally = result_.classes[static_cast<std::size_t>(flow::Class::foreground)];
    frame::Reason reason = record(match.of, match.sequence, match.stamp48, now);
    if (reason == frame::Reason::expected || reason == too_late_) {
        const frame::Reason mapping = learner_->learn(match);
        if (mapping != frame::Reason::expected) {
            if (intervals_) intervals_->count_instead(match.sequence, mapping, reason);
            if (match.sequence >= stream_->fence) {
                --result_.fence[frame::index(reason)];
                ++result_.fence[frame::index(mapping)];
            }
            reason = mapping;
            samples_.keep_mapping(reason, match, at, size);
        }
    }
    ++tally.by_reason[frame::index(reason)];
    tally.df_differs += reason == frame::Reason::expected && match.df_differs ? 1 : 0;
    return reason == frame::Reason::expected;
}

bool Receiver::poll() {
    std::array<rte_mbuf*, burst> frames;
    const std::uint64_t polled = ring_ ? Clock::now() : 0;
    const std::uint16_t n = rte_eth_rx_burst(port_.id(), static_cast<std::uint16_t>(index_), frames.data(), burst);
    if (ring_) [[unlikely]]
        ring_->polled(polled, n, n < burst);
    if (inquiry_) [[unlikely]]
        inquire();
    if (n == 0) return false;
    const std::uint64_t now = Clock::now_behind_loads();
    result_.strays.received += n;
    if (window_ != nullptr) window_->look_at_bounds();
    if (burst_verifier_ && !nic_field_) {
        verify_burst(frames.data(), n, now);
    } else {
        verify_one_by_one(frames.data(), n, now);
    }
    if (arrivals_ != nullptr) arrivals_->last().set(index_, {last_arrival_, last_number_});
    rte_pktmbuf_free_bulk(frames.data(), n);
    return true;
}

void Receiver::look_closely(const std::uint8_t* at, std::size_t size, std::uint64_t now) {
    if (const auto answer = neighbors_.receive(at, size)) port::send_soon(port_, *answer);
    const frame::Finding finding = classifier_ ? classifier_->classify(at, size) : frame::classify_stray(at, size, trial_number_);
    if (finding.stray) {
        count_stray(finding);
        if (*finding.stray != frame::Stray::arp_nd) samples_.keep(std::string(frame::name(*finding.stray)), finding, at, size);
        return;
    }
    ClassTally& tally = result_.classes[static_cast<std::size_t>(finding.of)];
    if (*finding.reason == frame::Reason::expected) {
        const bool expected = count_right(finding, at, size, now);
        tally.udp_checksum_zero += expected && finding.udp_checksum_zero ? 1 : 0;
        tally.encapsulation_limit += expected && finding.encapsulation_limit ? 1 : 0;
        if (finding.udp_checksum_zero) samples_.keep("udp_checksum_zero", finding, at, size);
        if (finding.encapsulation_limit) samples_.keep("encapsulation_limit", finding, at, size);
        return;
    }
    // A frame that arrived damaged isn't lost, as far as its number can be read.
    if (finding.sequence && window_->mark(*finding.sequence) == ArrivalWindow::Mark::first) {
        ++tally.arrived;
        std::uint64_t& next = highest(finding.of, *finding.sequence);
        overtaken_ |= *finding.sequence < next;
        next = std::max(next, *finding.sequence + 1);
    }
    if (finding.hop_limits) {
        tally.hop_limit.add(finding.hop_limits->inner);
        if (finding.hop_limits->outer) tally.outer_hop_limit.add(*finding.hop_limits->outer);
    }
    ++tally.by_reason[frame::index(*finding.reason)];
    count_of_part(finding.sequence.value_or(last_number_), *finding.reason);
    samples_.keep(std::string(frame::name(*finding.reason)), finding, at, size);
}

// Counts a frame that only the classifier found right: its UDP checksum is 0, or it has an encapsulation limit. Returns whether
// it is as expected.
bool Receiver::count_right(const frame::Finding& finding, const std::uint8_t* at, std::size_t size, std::uint64_t now) {
    const auto plain = finding.encapsulation_limit ? frame::without_encapsulation_limit(at, size) : std::nullopt;
    return count_right(match_of(finding, plain ? plain->data() : at), at, size, now);
}

// `at` is without encapsulation limit.
frame::Verifier::Match Receiver::match_of(const frame::Finding& finding, const std::uint8_t* at) const {
    const frame::Image& image = stream_->expected_image(finding.of);
    const flow::Flow flow = stream_->flows(finding.of)(*finding.sequence);
    const std::uint16_t port = wire::load16(at + image.udp());
    return {*finding.sequence, finding.of, finding.df_differs, finding.stamp48, flow.key, at + image.source_offset(), port};
}

void Receiver::count_stray(const frame::Finding& finding) {
    ++result_.strays.by_kind[frame::index(*finding.stray)];
    if (!finding.icmp_error) return;
    const auto& error = *finding.icmp_error;
    result_.strays.add_icmp_error({static_cast<int>(error.family), error.type, error.code, technology::to_text(error.from)});
}

}  // namespace xlatperf::trial
