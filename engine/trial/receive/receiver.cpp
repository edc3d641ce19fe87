#include "trial/receive/receiver.h"

#include <rte_ethdev.h>

#include <algorithm>
#include <bit>
#include <limits>

#include "counter/acceptable.h"
#include "frame/encapsulation_limit.h"
#include "frame/other_tag.h"
#include "port/handover.h"
#include "port/service.h"
#include "wire/byte_order.h"
#include "wire/prefetch.h"

namespace xlatperf::trial {

using counter::Reason;
using counter::Remark;

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
      only_tags_(!description.delay_variation && !description.due_delays && !description.interval_s &&
                 description.raw_delays.empty()),
      extra_(description.tags || !only_tags_ || description.fence),
      in_vlan_(port.tag().received.has_value()),
      mark_{description.session, description.number},
      samples_(side, arriving.stream, description.samples, port.tag().received),
      reassembly_(arriving.reassembly) {
    highest_.fill(std::vector<std::uint64_t>(arriving.senders));
    if (stream_ == nullptr) return;
    order_.make_room();
    window_ = &arrivals_->window(index_);
    intervals_ = arrivals_->intervals_of(index_);
    verifier_.emplace(*stream_);
    classifier_.emplace(*stream_);
    if (stream_->arrives_with_numbered_identification())
        identification_.emplace(stream_->expected_image(flow::Class::foreground));
    std::uint64_t tag_from = 0;
    if (description.tags) {
        const auto from_ticks = static_cast<std::uint64_t>(description.tags->from_s * ticks_per_second);
        tag_from = schedule_.due_before(schedule_.due_ticks(0) + from_ticks);
    }
    for (const auto of : flow::both_classes) {
        if (!stream_->expected[flow::index(of)]) continue;
        const std::uint64_t frames = stream_->mix.number_in_class(of, stream_->frames);
        ClassTally& tally = result_.classes[flow::index(of)];
        tally.numbered = numbered_delays(description, stream_->mix.number_in_class(of, tag_from), frames,
                                         arrivals_->latest_delays(flow::index(of)));
        if (!description.raw_delays.empty()) tally.raw_delays.reserve(frames);
        if (description.due_delays) tally.delay_from_due.emplace();
    }
    if (stream_->expected[0] && stream_->expected[1]) {
        result_.together = numbered_delays(description, tag_from, stream_->frames, arrivals_->latest_delays(flow::classes));
    }
}

// `own_tag`: those that have the link's VLAN tag, which is taken off, or none where there is none.
void Receiver::verify(rte_mbuf* const* frames, unsigned n, std::uint64_t now, std::uint64_t own_tag) {
    Burst received;
    for (unsigned i = 0; i < n; ++i) {
        received.at[i] = rte_pktmbuf_mtod(frames[i], std::uint8_t*);
        received.size[i] = rte_pktmbuf_data_len(frames[i]);
        received.arrival[i] = now;
        wire::prefetch(received.at[i]);
        wire::prefetch(received.at[i] + 64);  // where the probe is, or ends
    }
    if (nic_field_) [[unlikely]] {
        for (unsigned i = 0; i < n; ++i) {
            if (const auto stamp = nic_field_->get(frames[i])) received.arrival[i] = nic_clock_->to_ticks(*stamp);
        }
    }
    frame::SeenBurst& seen = received.seen;
    const auto fetch = [&](const std::uint64_t* connections, unsigned those) {
        // The table is larger than any cache: all entries are asked for before one is read.
        for (unsigned i = 0; learner_ && i < those; ++i) learner_->prefetch(connections[i]);
    };
    if (identification_) [[unlikely]] {
        look_at_numbered(received, n, fetch);
    } else if (verifier_) [[likely]] {
        verifier_->look({received.at.data(), received.size.data(), n}, seen, fetch);
    }
    seen.right &= own_tag;
    if (seen.consecutive && seen.right == flow::first_bits(n)) [[likely]]
        return count_run(received, 0, n);
    const auto right = [&](unsigned i) { return (seen.right >> i & 1) != 0; };
    for (unsigned first = 0, end = 0; first < n; first = end) {
        end = first + 1;
        if (!right(first)) {
            look_closely(received.at[first], received.size[first], received.arrival[first], (own_tag >> first & 1) != 0);
            continue;
        }
        while (end < n && right(end) && seen.sequence[end] == seen.sequence[end - 1] + 1) ++end;
        count_run(received, first, end);
    }
}

// Counts frames that are right in themselves, with consecutive numbers.
void Receiver::count_run(const Burst& received, unsigned first, unsigned end) {
    const frame::SeenBurst& seen = received.seen;
    const std::uint64_t number = seen.sequence[first], one_sender = Share::block - number % Share::block;
    if (sender_of_.divisor() > 1 && end - first > one_sender) [[unlikely]] {
        count_run(received, first, first + static_cast<unsigned>(one_sender));
        return count_run(received, first + static_cast<unsigned>(one_sender), end);
    }
    const std::uint64_t all = flow::first_bits(end - first) << first;
    const std::array<std::uint64_t, flow::classes> of_class = {all & ~seen.background, all & seen.background};
    const auto class_of = [&](unsigned i) { return flow::both_classes[seen.background >> i & 1]; };
    const auto sequence = [&](int i) { return number + static_cast<unsigned>(i) - first; };
    bool behind = false;
    for (const auto of : flow::both_classes) {
        const std::uint64_t those = of_class[flow::index(of)];
        behind |= those != 0 && sequence(std::countr_zero(those)) < highest(of, number);
    }
    if (behind || order_.watches() || !window_->mark_run(number, end - first)) [[unlikely]] {
        for (unsigned i = first; i < end; ++i)
            count(judge(verifier_->match(seen, i, received.at[i]), received.at[i], received.size[i], received.arrival[i]));
        return;
    }
    for (const auto of : flow::both_classes) {
        const std::uint64_t those = of_class[flow::index(of)];
        if (those == 0) continue;
        result_.classes[flow::index(of)].arrived += static_cast<unsigned>(std::popcount(those));
        highest(of, number) = sequence(64 - std::countl_zero(those));
    }
    const std::uint64_t elsewhere = learner_ ? learn_run(received, of_class[0]) : 0;
    const bool keeps = extra_ && keeps_extra(number, of_class);
    std::uint64_t late = 0;
    for (unsigned i = first, next = first; i < end; i = next) {  // those that left together, and came together
        const std::uint64_t stamp48 = seen.stamp48[i], arrival = received.arrival[i];
        while (++next < end && seen.stamp48[next] == stamp48 && received.arrival[next] == arrival) {
        }
        if (arrival - last_arrival_ > result_.longest_gap.ticks) [[unlikely]]
            note_gap(arrival, seen.sequence[i]);
        last_arrival_ = arrival;
        last_number_ = seen.sequence[next - 1];
        const std::int64_t delay = frame::probe::ticks_since(stamp48, arrival);
        const std::uint64_t together = flow::first_bits(next - i) << i;
        if (delay > timeout_ticks_) late |= together;
        for (std::size_t of = 0; of < flow::classes; ++of) {
            const auto frames = static_cast<unsigned>(std::popcount(together & of_class[of]));
            if (frames == 0) continue;
            ClassTally& tally = result_.classes[of];
            if (delay < 0) [[unlikely]] {
                tally.negative_delay += frames;
            } else {
                tally.delay.add(scale_.ns(static_cast<std::uint64_t>(delay)), frames);
            }
        }
        for (unsigned k = i; keeps && k < next; ++k) record_extra(class_of(k), seen.sequence[k], delay, arrival);
    }
    for (std::size_t of = 0; of < flow::classes; ++of) {
        const std::uint64_t counted = of_class[of] & ~elsewhere, in_time = counted & ~late;
        ClassTally& tally = result_.classes[of];
        tally.by_reason[too_late_] += static_cast<unsigned>(std::popcount(counted & late));
        tally.by_reason[Reason::expected] += static_cast<unsigned>(std::popcount(in_time));
        tally.remarks[Remark::df_differs] += static_cast<unsigned>(std::popcount(seen.df_differs & in_time));
    }
    if (!extra_ || (intervals_ == nullptr && number + (end - first) <= stream_->fence)) [[likely]]
        return;
    for (unsigned i = first; i < end; ++i) {
        if ((elsewhere >> i & 1) == 0) count_extra(seen.sequence[i], (late >> i & 1) != 0 ? too_late_ : Reason::expected);
    }
}

// Learns from foreground frames. Returns those whose mapping isn't what it must be: they have been counted as that.
std::uint64_t Receiver::learn_run(const Burst& received, std::uint64_t which) {
    which = learner_->from_unknown(which, received.seen.connection.data(), received.at.data());
    std::uint64_t elsewhere = 0;
    for (; which != 0; which &= which - 1) {
        const auto i = static_cast<unsigned>(std::countr_zero(which));
        const frame::Match match = verifier_->match(received.seen, i, received.at[i]);
        const counter::Reason mapping = learner_->learn(match);
        if (mapping == Reason::expected) [[likely]]
            continue;
        elsewhere |= std::uint64_t{1} << i;
        count({match.of, match.sequence, mapping, {}});
        samples_.keep_mapping(mapping, match, received.at[i], received.size[i]);
    }
    return elsewhere;
}

// What a frame is that is right in itself: expected if it's the first with its number, in time, and of a connection whose mapping
// is what it must be.
Receiver::Verdict Receiver::judge(const frame::Match& match, const std::uint8_t* at, std::size_t size, std::uint64_t arrival) {
    Verdict verdict{match.of, match.sequence, Reason::expected, match.remarks};
    const auto mark = window_->mark(match.sequence);
    if (mark != ArrivalWindow::Mark::first) [[unlikely]] {
        verdict.reason = mark == ArrivalWindow::Mark::duplicate ? Reason::duplicate : Reason::beyond_window;
        return verdict;
    }
    note_arrival(match, arrival, verdict.remarks);
    if (learner_ && match.of == flow::Class::foreground) verdict.reason = learner_->learn(match);
    if (verdict.reason != Reason::expected) {
        samples_.keep_mapping(verdict.reason, match, at, size);
    } else if (is_late(match.stamp48, arrival)) {
        verdict.reason = too_late_;
    }
    return verdict;
}

// Delay and order of a frame that arrived for the first time.
void Receiver::note_arrival(const frame::Match& match, std::uint64_t arrival, counter::Some<Remark>& remarks) {
    ClassTally& tally = result_.classes[flow::index(match.of)];
    const std::uint64_t sequence = match.sequence;
    ++tally.arrived;
    const std::int64_t delay = frame::probe::ticks_since(match.stamp48, arrival);
    if (delay < 0) [[unlikely]] {
        ++tally.negative_delay;
    } else {
        tally.delay.add(scale_.ns(static_cast<std::uint64_t>(delay)));
    }
    if (extra_) record_extra(match.of, sequence, delay, arrival);
    if (arrival - last_arrival_ > result_.longest_gap.ticks) [[unlikely]]
        note_gap(arrival, sequence);
    last_arrival_ = arrival;
    last_number_ = sequence;
    std::uint64_t& next = highest(match.of, sequence);
    const bool behind = sequence < next;
    if (behind || order_.watches()) [[unlikely]] {
        overtaken_ |= behind;
        remarks.add(Remark::overtaken, behind);
        remarks.add(Remark::reordered, overtaken_in_flow(match.of, sequence));
    }
    next = std::max(next, sequence + 1);
}

// Wherever a frame is counted: once, for what it is.
void Receiver::count(const Verdict& verdict) {
    ClassTally& tally = result_.classes[flow::index(verdict.of)];
    ++tally.by_reason[verdict.reason];
    if (verdict.remarks.any() && verdict.reason == Reason::expected) [[unlikely]]
        verdict.remarks.count_into(tally.remarks);
    if (extra_) count_extra(verdict.sequence, verdict.reason);
}

bool Receiver::poll() {
    std::array<rte_mbuf*, burst> frames;
    const std::uint64_t polled = ring_ ? Clock::now() : 0;
    const std::uint16_t n = port_.receive(index_, frames.data(), burst);
    if (ring_) [[unlikely]]
        ring_->polled(polled, n, n < burst);
    if (inquiry_) [[unlikely]]
        inquire();
    if (n == 0) return false;
    const std::uint64_t now = Clock::now_behind_loads();
    result_.strays.received += n;
    if (window_ != nullptr) window_->look_at_bounds();
    std::uint64_t own_tag = ~std::uint64_t{0};
    if (in_vlan_) [[unlikely]]
        own_tag = port::take_tags(*port_.tag().received, frames.data(), n);
    verify(frames.data(), n, now, own_tag);
    if (arrivals_ != nullptr) arrivals_->last().set(index_, {last_arrival_, last_number_});
    port::free_burst(frames.data(), n);
    return true;
}

frame::Finding Receiver::find(const std::uint8_t* at, std::size_t size) const {
    return classifier_ ? classifier_->classify(at, size) : frame::classify_stray(at, size, mark_);
}

void Receiver::answer(const std::uint8_t* at, std::size_t size) {
    if (const auto reply = neighbors_.receive(at, size)) port::send_soon(port_, *reply);
}

void Receiver::look_closely(const std::uint8_t* at, std::size_t size, std::uint64_t arrival, bool own_tag) {
    frame::Finding finding;
    if (own_tag && !wire::has_tag(at, size)) {
        if (reassembly_ != nullptr && take_fragment(at, size, arrival)) return;
        answer(at, size);
        finding = find(at, size);
    } else {
        const auto tag = frame::take_other_tag(at, size, port_.tag().received);
        if (tag.same_vlan) answer(tag.inside.data(), tag.inside.size());
        finding = frame::with_other_tag(find(tag.inside.data(), tag.inside.size()), tag);
    }
    count_finding(finding, at, size, arrival);
}

void Receiver::count_finding(const frame::Finding& finding, const std::uint8_t* at, std::size_t size, std::uint64_t arrival) {
    if (finding.stray) {
        count_stray(finding);
        if (*finding.stray != counter::Stray::arp_nd)
            samples_.keep(std::string(counter::name(*finding.stray)), finding, at, size);
        return;
    }
    if (finding.hop_limits) {
        ClassTally& tally = result_.classes[flow::index(finding.of)];
        tally.hop_limit.add(finding.hop_limits->inner);
        if (finding.hop_limits->outer) tally.outer_hop_limit.add(*finding.hop_limits->outer);
    }
    if (*finding.reason == Reason::expected) {  // its UDP checksum is 0, it has an encapsulation limit, or is accepted
        const bool limit = finding.remarks.has(Remark::encapsulation_limit);
        const auto plain = limit ? frame::without_encapsulation_limit(at, size) : std::nullopt;
        const auto keep_sample = [&](Remark remark) {
            if (finding.remarks.has(remark)) samples_.keep(std::string(counter::name(remark)), finding, at, size);
        };
        count(judge(match_of(finding, plain ? plain->data() : at), at, size, arrival));
        for (const auto remark : {Remark::udp_checksum_zero, Remark::udp_checksum_added, Remark::encapsulation_limit})
            keep_sample(remark);
        for (const auto& [_, remark] : counter::acceptable) keep_sample(remark);
        return;
    }
    ClassTally& tally = result_.classes[flow::index(finding.of)];
    // A frame that arrived damaged isn't lost, as far as its number can be read.
    if (finding.sequence && window_->mark(*finding.sequence) == ArrivalWindow::Mark::first) {
        ++tally.arrived;
        std::uint64_t& next = highest(finding.of, *finding.sequence);
        overtaken_ |= *finding.sequence < next;
        next = std::max(next, *finding.sequence + 1);
    }
    count({finding.of, finding.sequence.value_or(last_number_), *finding.reason, {}});
    samples_.keep(std::string(counter::name(*finding.reason)), finding, at, size);
}

// `at` is without encapsulation limit.
frame::Match Receiver::match_of(const frame::Finding& finding, const std::uint8_t* at) const {
    const frame::Image& image = stream_->expected_image(finding.of);
    const flow::Flow flow = stream_->flows(finding.of)(*finding.sequence);
    const std::uint16_t port = wire::load16(at + image.udp());
    return {*finding.sequence, finding.of, finding.remarks, finding.stamp48, flow.connection, at + image.source_offset(), port};
}

void Receiver::count_stray(const frame::Finding& finding) {
    ++result_.strays.by_kind[*finding.stray];
    if (!finding.icmp_error) return;
    const auto& error = *finding.icmp_error;
    result_.strays.add_icmp_error({static_cast<int>(error.family), error.type, error.code, wire::to_text(error.from)});
}

}  // namespace xlatperf::trial
