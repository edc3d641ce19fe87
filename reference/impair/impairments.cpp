#include "impair/impairments.h"

#include <algorithm>
#include <utility>

#include "impair/alter.h"

namespace xlatperf::reference {

namespace {
bool does_nothing(const Plan& plan) {
    return plan.drop.empty() && !plan.stall && !plan.capacity && plan.corrupt.empty() && plan.untranslated.empty() &&
           plan.duplicate.empty() && !plan.reorder && plan.delay_ns == 0 && plan.delays.empty();
}
}  // namespace

Impairments::Impairments(FramePool& pool, Transmitter& transmitter, std::size_t held_limit)
    : pool_(pool), transmitter_(transmitter), held_limit_(held_limit) {
    start();
}

Impairments::~Impairments() {
    line_.release(DelayLine::never, [&](const HeldFrame& held) { pool_.free(held.frame); });
    for (const HeldBack& back : held_back_) pool_.free(back.frame);
}

void Impairments::set(Plan plan) {
    line_.release(DelayLine::never, [&](const HeldFrame& held) { transmitter_.transmit(held.side, held.frame); });
    for (const HeldBack& back : held_back_) transmitter_.transmit(back.side, back.frame);
    held_back_.clear();
    plan_ = std::move(plan);
    start();
}

void Impairments::reset() {
    counters_ = {};
    Plan plan = plan_;
    set(std::move(plan));
}

void Impairments::start() {
    idle_ = does_nothing(plan_);
    select_ = Selectors{};
    select_.drop = Selector(plan_.drop);
    select_.untranslated = Selector(plan_.untranslated);
    select_.duplicate = Selector(plan_.duplicate);
    if (plan_.reorder) select_.reorder = Selector(plan_.reorder->which);
    for (const Corruption& corruption : plan_.corrupt) select_.corrupt.emplace_back(corruption.which);
    for (const DelayRule& rule : plan_.delays) select_.delays.emplace_back(rule.which);
    capacity_.reset();
    if (plan_.capacity) capacity_.emplace(plan_.capacity->rate_fps, plan_.capacity->buffer);
    number_ = stall_end_ns_ = stall_kept_ = last_arrival_ns_ = 0;
    line_ = DelayLine(plan_.delays.size() + 2);  // the plain delay, the rules', and what reordering flushes
}

void Impairments::offer(Side out, Frame frame, Frame original, std::uint64_t now_ns) {
    if (!carries_udp(frame.bytes())) {
        if (original) pool_.free(original);
        transmitter_.transmit(out, frame);
        return;
    }
    if (counters_.test_packets++ == 0) counters_.first_arrival_ns = now_ns;
    counters_.last_arrival_ns = now_ns;
    ++number_;
    if (idle_) {
        ++counters_.passed;
        if (original) pool_.free(original);
        transmitter_.transmit(out, frame);
        return;
    }
    impair(out, frame, original, now_ns);
}

/// Steps 2 to 4: when the packet has been served; nothing if it's dropped.
std::optional<std::uint64_t> Impairments::admit(std::uint64_t now_ns) {
    std::uint64_t arrival_ns = now_ns;
    if (select_.drop.next()) {
        ++counters_.dropped;
        return {};
    }
    if (plan_.stall) {
        // Not ==: step 2 may have dropped the packet that it begins with.
        if (number_ >= plan_.stall->at && stall_end_ns_ == 0) stall_end_ns_ = now_ns + plan_.stall->for_ns;
        if (now_ns < stall_end_ns_) {
            if (stall_kept_ == plan_.stall->buffer) {
                ++counters_.stall_dropped;
                return {};
            }
            ++stall_kept_;
            ++counters_.stall_buffered;
            arrival_ns = stall_end_ns_;
        }
    }
    if (!capacity_) return arrival_ns;
    const auto served = capacity_->serve(arrival_ns);
    if (!served) ++counters_.capacity_dropped;
    return served;
}

void Impairments::corrupt(Frame& frame) {
    for (std::size_t i = 0; i < select_.corrupt.size(); ++i) {
        if (!select_.corrupt[i].next()) continue;
        const Alteration what = plan_.corrupt[i].what;
        if (alter(frame.bytes(), what))
            ++counters_.corrupted[static_cast<std::size_t>(what)];
        else
            ++counters_.not_applicable;
    }
}

/// The lane of the packet's delay: 0 is the plain one, the others are the rules', the last one that takes it.
std::size_t Impairments::choose_delay() {
    std::size_t lane = 0;
    for (std::size_t i = 0; i < select_.delays.size(); ++i)
        if (select_.delays[i].next()) lane = i + 1;
    return lane;
}

void Impairments::impair(Side out, Frame frame, Frame original, std::uint64_t now_ns) {
    last_arrival_ns_ = now_ns;
    // Every selector counts every packet, whatever becomes of it: so "every 100th" is the same packet for each.
    const bool untranslated = select_.untranslated.next(), duplicated = select_.duplicate.next();
    const bool reordered = plan_.reorder && select_.reorder.next();
    const std::size_t lane = choose_delay();
    const auto served_ns = admit(now_ns);
    if (!served_ns || (*served_ns + delay_of(lane) > now_ns && held() >= held_limit_)) {
        if (served_ns) ++counters_.overflow;
        counters_.dropped_positions.add(number_);
        for (Selector& selector : select_.corrupt) selector.next();
        if (original) pool_.free(original);
        pool_.free(frame);
        return;
    }
    ++counters_.passed;
    corrupt(frame);
    if (untranslated && original) {
        ++counters_.untranslated;
        std::swap(frame, original);
    } else if (untranslated) {
        ++counters_.not_applicable;
    }
    if (original) pool_.free(original);

    const std::uint64_t due_ns = *served_ns + delay_of(lane);
    if (due_ns > now_ns) ++counters_.delayed;
    if (reordered) {
        held_back_.push_back({frame, out, plan_.reorder->by});
        if (duplicated) ++counters_.not_applicable;
        return;
    }
    if (duplicated) duplicate(lane, due_ns, out, frame, now_ns);  // first: once passed, the frame may be gone
    pass(lane, due_ns, out, frame, now_ns);
    for (std::size_t i = 0; i < held_back_.size();) {
        if (--held_back_[i].still != 0) {
            ++i;
            continue;
        }
        ++counters_.reordered;
        pass(lane, due_ns, held_back_[i].side, held_back_[i].frame, now_ns);
        held_back_.erase(held_back_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void Impairments::duplicate(std::size_t lane, std::uint64_t due_ns, Side side, const Frame& frame, std::uint64_t now_ns) {
    Frame copy = pool_.allocate();
    if (!copy || copy.room < frame.size) {
        if (copy) pool_.free(copy);
        ++counters_.not_applicable;
        return;
    }
    std::copy_n(frame.data, frame.size, copy.data);
    copy.size = frame.size;
    ++counters_.duplicated;
    pass(lane, due_ns, side, copy, now_ns);
}

void Impairments::pass(std::size_t lane, std::uint64_t due_ns, Side side, Frame frame, std::uint64_t now_ns) {
    if (due_ns <= now_ns && line_.empty())
        transmitter_.transmit(side, frame);
    else
        line_.hold(lane, due_ns, side, frame);
}

void Impairments::flush_held_back(std::uint64_t now_ns) {
    for (const HeldBack& back : held_back_) {
        ++counters_.flushed;
        pass(flush_lane(), now_ns, back.side, back.frame, now_ns);
    }
    held_back_.clear();
}

void Impairments::poll(std::uint64_t now_ns) {
    if (!held_back_.empty() && now_ns >= last_arrival_ns_ + plan_.reorder->flush_ns) flush_held_back(now_ns);
    line_.release(now_ns, [&](const HeldFrame& held) { transmitter_.transmit(held.side, held.frame); });
}

std::uint64_t Impairments::next_due() const {
    const std::uint64_t due = line_.next_due();
    return held_back_.empty() ? due : std::min(due, last_arrival_ns_ + plan_.reorder->flush_ns);
}

}  // namespace xlatperf::reference
