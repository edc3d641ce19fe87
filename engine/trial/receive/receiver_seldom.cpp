// What a receiver does seldom, or not for every frame.
#include <algorithm>
#include <bit>
#include <limits>

#include "port/service.h"
#include "trial/receive/receiver.h"

namespace xlatperf::trial {

void Receiver::tell(FenceWatch& fence) const {
    if (stream_ == nullptr) return;
    FenceSeen seen{window_->marked(stream_->fence, stream_->frames), 0, overtaken_};
    for (const ClassTally& tally : result_.classes) {
        seen.longest_delay_ns = std::max(seen.longest_delay_ns, tally.delay.maximum());
    }
    fence.tell(stream_->direction, index_, seen);
}

void Receiver::wait_is_over() {
    result_.last_in_time = last_arrival_;
    timeout_ticks_ = std::numeric_limits<std::int64_t>::min();
    too_late_ = counter::Reason::after_wait;
}

// A full outbox loses the question; there will be another.
void Receiver::inquire() {
    if (!inquiry_->due(Clock::now(), std::max(arrivals_->last().latest().ticks, schedule_.due_ticks(0)))) return;
    for (const auto& question : asking_->requests()) port::send_soon(*asked_at_, question);
}

// Since the last arrival at any receiver.
void Receiver::note_gap(std::uint64_t now, std::uint64_t sequence) {
    LastArrivals::Latest before{last_arrival_, last_number_};
    if (arrivals_->last().receivers() > 1) {
        const auto latest = arrivals_->last().latest();
        if (latest.ticks > before.ticks) before = latest;
    }
    if (before.ticks == 0 || now < before.ticks || now - before.ticks <= result_.longest_gap.ticks) return;
    result_.longest_gap = {now - before.ticks, before.number, sequence};
}

// From the first frame on that came behind a later one, of which those just before it may be of its flow.
bool Receiver::overtaken_in_flow(flow::Class of, std::uint64_t sequence) {
    if (!order_.watches()) {
        order_.watch();
        const std::uint64_t end = highest(of, sequence);
        for (std::uint64_t number = end - std::min(end, FlowOrder::looked_back); number < end; ++number) {
            if (number != sequence && window_->has(number)) order_.overtaken(flow_name(stream_->mix(number), number), number);
        }
    }
    return order_.overtaken(flow_name(of, sequence), sequence);
}

bool Receiver::keeps_extra(std::uint64_t number, const std::array<std::uint64_t, flow::classes>& of_class) const {
    if (!only_tags_) return true;
    const std::uint64_t all = of_class[0] | of_class[1];
    const auto frames = [](std::uint64_t those) { return static_cast<unsigned>(std::popcount(those)); };
    const auto first = static_cast<unsigned>(std::countr_zero(all));
    const auto some = [&](flow::Class of) {
        const std::uint64_t those = of_class[flow::index(of)];
        if (those == 0) return false;
        const std::uint64_t sequence = number + static_cast<unsigned>(std::countr_zero(those)) - first;
        return result_.classes[flow::index(of)].numbered.tagging.may_have(stream_->mix.number_in_class(of, sequence),
                                                                          frames(those));
    };
    return some(flow::Class::foreground) || some(flow::Class::background) ||
           (result_.together && result_.together->tagging.may_have(number, frames(all)));
}

void Receiver::record_extra(flow::Class of, std::uint64_t sequence, std::int64_t delay, std::uint64_t arrival) {
    if (delay < 0) [[unlikely]] {
        if (intervals_) intervals_->add_negative_delay(sequence);
        return;
    }
    ClassTally& tally = result_.classes[flow::index(of)];
    const std::uint64_t delay_ns = scale_.ns(static_cast<std::uint64_t>(delay));
    tally.numbered.add(stream_->mix.number_in_class(of, sequence), delay_ns);
    if (result_.together) result_.together->add(sequence, delay_ns);
    if (tally.raw_delays.size() < tally.raw_delays.capacity()) tally.raw_delays.push_back({sequence, delay_ns});
    if (intervals_) intervals_->add_delay(sequence, delay_ns);
    if (!tally.delay_from_due) return;
    const std::uint64_t due = schedule_.due_ticks(sequence);
    if (arrival < due) {
        ++tally.before_due;
    } else {
        tally.delay_from_due->add(scale_.ns(arrival - due));
    }
}

void Receiver::count_extra(std::uint64_t sequence, counter::Reason reason) {
    if (intervals_) intervals_->count(sequence, reason);
    if (sequence >= stream_->fence) ++result_.fence[reason];
}

}  // namespace xlatperf::trial
