#include "trial/receiver.h"

#include <rte_ethdev.h>
#include <rte_ring.h>

#include <algorithm>
#include <limits>

#include "port/service.h"

namespace xlatperf::trial {

Receiver::Receiver(const port::Port& port, flow::Side side, port::Neighbors& neighbors, const frame::Stream* stream,
                   std::uint64_t remembered, double ticks_per_second, std::optional<double> frame_timeout_ms, unsigned samples)
    : port_(port),
      side_(side),
      neighbors_(neighbors),
      stream_(stream),
      window_(remembered),
      scale_(ticks_per_second),
      timeout_ticks_(frame_timeout_ms ? static_cast<std::uint64_t>(*frame_timeout_ms * 1e-3 * ticks_per_second)
                                      : std::uint64_t{std::numeric_limits<std::int64_t>::max()}),
      samples_(samples) {
    if (stream_ != nullptr) {
        verifier_.emplace(*stream_);
        classifier_.emplace(*stream_);
    }
}

bool Receiver::poll() {
    std::array<rte_mbuf*, burst> frames;
    const std::uint16_t n = rte_eth_rx_burst(port_.id(), 0, frames.data(), burst);
    if (n == 0) return false;
    const std::uint64_t now = Clock::now();
    result_.strays.received += n;
    for (std::uint16_t i = 0; i < n; ++i) {
        if (i + 1 < n) __builtin_prefetch(rte_pktmbuf_mtod(frames[i + 1], const std::uint8_t*));
        verify(rte_pktmbuf_mtod(frames[i], const std::uint8_t*), rte_pktmbuf_data_len(frames[i]), now);
    }
    rte_pktmbuf_free_bulk(frames.data(), n);
    return true;
}

inline void Receiver::verify(const std::uint8_t* at, std::size_t size, std::uint64_t now) {
    frame::Verifier::Match match;
    if (verifier_ && verifier_->matches(at, size, match)) [[likely]] {
        result_.classes[static_cast<std::size_t>(match.of)].df_set += match.dont_fragment ? 1 : 0;
        count(match.of, match.sequence, match.stamp48, now);
    } else {
        look_closely(at, size, now);
    }
}

// Counts a frame that is right in itself: is it the first with its number, and in time?
inline void Receiver::count(flow::Class of, std::uint64_t sequence, std::uint64_t stamp48, std::uint64_t now) {
    ++result_.classes[static_cast<std::size_t>(of)].by_reason[frame::index(record(of, sequence, stamp48, now))];
}

inline frame::Reason Receiver::record(flow::Class of, std::uint64_t sequence, std::uint64_t stamp48, std::uint64_t now) {
    ClassTally& tally = result_.classes[static_cast<std::size_t>(of)];
    const auto mark = window_.mark(sequence);
    if (mark != ArrivalWindow::Mark::first) [[unlikely]]
        return mark == ArrivalWindow::Mark::duplicate ? frame::Reason::duplicate : frame::Reason::beyond_window;
    ++tally.arrived;
    const std::int64_t delay = frame::probe::ticks_since(stamp48, now);
    if (delay < 0) [[unlikely]] {
        ++tally.negative_delay;
    } else {
        tally.delay.add(scale_.ns(static_cast<std::uint64_t>(delay)));
    }
    const bool late = delay > static_cast<std::int64_t>(timeout_ticks_);
    if (sequence >= highest_) [[likely]] {
        highest_ = sequence + 1;
    } else {
        tally.reordered += late ? 0 : 1;
    }
    return late ? frame::Reason::late : frame::Reason::expected;
}

void Receiver::look_closely(const std::uint8_t* at, std::size_t size, std::uint64_t now) {
    if (const auto answer = neighbors_.receive(at, size)) {
        rte_mbuf* buffer = port::make_buffer(port_, *answer);
        if (buffer != nullptr && rte_ring_enqueue(port_.outbox(), buffer) != 0) rte_pktmbuf_free(buffer);
    }
    const frame::Finding finding = classifier_ ? classifier_->classify(at, size) : frame::classify_stray(at, size);
    if (finding.stray) {
        count_stray(finding);
        if (*finding.stray != frame::Stray::arp_nd) keep_sample(std::string(frame::name(*finding.stray)), finding, at, size);
        return;
    }
    ClassTally& tally = result_.classes[static_cast<std::size_t>(finding.of)];
    if (*finding.reason == frame::Reason::expected) {
        tally.udp_checksum_zero += finding.udp_checksum_zero ? 1 : 0;
        tally.df_set += finding.dont_fragment ? 1 : 0;
        count(finding.of, *finding.sequence, finding.stamp48, now);
        keep_sample("udp_checksum_zero", finding, at, size);
        return;
    }
    // A frame that arrived damaged isn't lost, as far as its number can be read.
    if (finding.sequence && window_.mark(*finding.sequence) == ArrivalWindow::Mark::first) {
        ++tally.arrived;
        highest_ = std::max(highest_, *finding.sequence + 1);
    }
    ++tally.by_reason[frame::index(*finding.reason)];
    keep_sample(std::string(frame::name(*finding.reason)), finding, at, size);
}

void Receiver::count_stray(const frame::Finding& finding) {
    ++result_.strays.by_kind[frame::index(*finding.stray)];
    if (!finding.icmp_error) return;
    const auto& error = *finding.icmp_error;
    const StrayTally::Icmp key{static_cast<int>(error.family), error.type, error.code, technology::to_text(error.from)};
    auto& counts = result_.strays.icmp_errors;
    if (counts.size() < StrayTally::most_icmp_kinds || counts.contains(key)) {
        ++counts[key];
    } else {
        ++counts[{static_cast<int>(error.family), error.type, error.code, "others"}];
    }
}

void Receiver::keep_sample(std::string reason, const frame::Finding& finding, const std::uint8_t* at, std::size_t size) {
    constexpr std::size_t most_bytes = 256;
    const auto same = std::count_if(result_.samples.begin(), result_.samples.end(), [&](const Sample& s) { return s.reason == reason; });
    if (static_cast<unsigned>(same) >= samples_) return;
    Sample sample;
    sample.side = side_;
    sample.reason = std::move(reason);
    sample.number = finding.sequence;
    if (finding.reason) sample.of = finding.of;
    sample.received.assign(at, at + std::min(size, most_bytes));
    if (finding.sequence && classifier_) {
        sample.expected = classifier_->expected_bytes(*finding.sequence, finding.stamp48);
        sample.expected.resize(std::min(sample.expected.size(), most_bytes));
    }
    sample.text = finding.text;
    result_.samples.push_back(std::move(sample));
}

void Receiver::finish(std::uint64_t sent) { window_.finish(sent); }

}  // namespace xlatperf::trial
