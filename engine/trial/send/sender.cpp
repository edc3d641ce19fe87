#include "trial/send/sender.h"

#include <rte_ethdev.h>

#include <algorithm>

#include "port/handover.h"
#include "trial/send/prepare.h"

namespace xlatperf::trial {

using counter::Sending;

namespace {
constexpr double away_s = 50e-6;                             // who polls and sends nothing for so long was held up itself
constexpr double stall_s = 100e-6;                           // and leaves a gap that a DUT notices
constexpr double least_ahead_s = 1e-6, most_ahead_s = 5e-6;  // frames are built an interval before they are due, within these
constexpr double most_wait_s = 0.5e-6;                       // for which a sender keeps its worker from looking at other ports

}  // namespace

void Departure::add(const Departure& other) {
    late.add(other.late);
    counts.add(other.counts);
    sent += other.sent;
    last_departure_ticks = std::max(last_departure_ticks, other.last_departure_ticks);
    overrun_ticks = std::max(overrun_ticks, other.overrun_ticks);
    for (std::size_t i = 0; i < intervals.size(); ++i) {
        intervals[i].late_frames += other.intervals[i].late_frames;
        intervals[i].stalls += other.intervals[i].stalls;
    }
}

Sender::Sender(const port::Port& port, const frame::Stream& stream, const Schedule& schedule, Share share, const Pacing& pacing,
               double duration_s, double fastest_fps, double ticks_per_second)
    : port_(port),
      stream_(stream),
      schedule_(schedule),
      share_(share),
      scale_(ticks_per_second),
      duration_ticks_(static_cast<std::uint64_t>(duration_s * ticks_per_second)),
      most_overrun_ticks_(static_cast<std::uint64_t>(pacing.most_overrun_s(duration_s, fastest_fps) * ticks_per_second)),
      late_ticks_(static_cast<std::uint64_t>(pacing.late_us * 1e-6 * ticks_per_second)),
      slack_ticks_(static_cast<std::uint64_t>(pacing.burst * ticks_per_second / fastest_fps)),
      catch_up_ticks_(static_cast<std::uint64_t>(ticks_per_second / fastest_fps / pacing.catch_up)),
      ahead_ticks_(static_cast<std::uint64_t>(std::clamp(1 / fastest_fps, least_ahead_s, most_ahead_s) * ticks_per_second)),
      most_wait_ticks_(static_cast<std::uint64_t>(most_wait_s * ticks_per_second)),
      burst_(std::min(pacing.burst, most_burst)),
      buffers_(port, share.index, stream),
      held_back_(late_ticks_, static_cast<std::uint64_t>(away_s * ticks_per_second), pacing.catch_up),
      stalls_(static_cast<std::uint64_t>(stall_s * ticks_per_second)),
      build_(schedule, share),
      depart_(schedule, share),
      only_class_(stream.mix.only_class()),
      next_number_(share.first()) {
    for (const auto of : flow::both_classes) {
        if (!stream.sent[flow::index(of)]) continue;
        for (unsigned size = 0; size < stream.sizes.sizes().size(); ++size)
            writers_[flow::index(of)].emplace_back(stream, of, size);
    }
}

Sender::~Sender() {
    if (pending_end_ > pending_first_) port::free_burst(&pending_[pending_first_], pending_end_ - pending_first_);
}

void Sender::send_by_nic(const port::BufferTime& field, const NicClock& clock, double lead_s, double ticks_per_second) {
    nic_field_ = field;
    nic_clock_ = clock;
    ahead_ticks_ = static_cast<std::uint64_t>(lead_s * ticks_per_second);
}

void Sender::start() {
    build_ = depart_ = DueTime(schedule_, share_);
    deadline_ = schedule_.due_ticks(0) + duration_ticks_ + most_overrun_ticks_;
    last_call_ = idle_since_ = elsewhere_ = 0;
    can_be_held_back_ = port_.facts().holds_back && port_.link().up;
}

bool Sender::poll() {
    if (finished_) return false;
    const bool nothing_built = pending_first_ == pending_end_;
    // Who couldn't keep up at the last call has more to do than to look at the clock.
    const bool nothing_left = nothing_built && build_.over();
    const bool behind = nothing_built && !nothing_left && build_.ticks() <= last_call_;
    const std::uint64_t now = behind ? last_call_ : Clock::now();
    if (nothing_left || too_late(now)) {
        finish(now);
        return false;
    }
    if (idle_since_ != 0) elsewhere_ = std::min(now - idle_since_, most_wait_ticks_);
    idle_since_ = 0;
    if (!nothing_built) return hand_over_due(now) || idle(now);
    if (now + ahead_ticks_ < build_.ticks()) return idle(now);
    build(now);
    return true;
}

bool Sender::idle(std::uint64_t now) {
    idle_since_ = now;
    return false;
}

// Of frames that are due soon, so that little is left to be done when they are. They leave at once if they are due by then.
void Sender::build(std::uint64_t now) {
    const std::uint64_t first = build_.sequence();
    const unsigned frames = build_.due_by(now + ahead_ticks_, burst_);
    if (!take_buffers(first, frames)) {
        if (build_.ticks() <= now) departure_.counts.note(Sending::no_buffers, 1);
        return;
    }
    build_.skip(frames);
    pending_first_ = 0;
    pending_end_ = frames;
    std::uint64_t stamp;
    if (stream_.sizes.several()) [[unlikely]] {
        stamp = build_sizes(first, frames);
    } else {
        stamp = only_class_ ? build_burst(frames) : build_classes();
    }
    if (stream_.source_macs) [[unlikely]]
        give_source_macs(frames);
    if (stream_.numbered_identification) [[unlikely]]
        number_identifications(first, frames);
    if (!stream_.alteration.none()) [[unlikely]]
        alter(first, frames);
    if (neighbors_ != nullptr) [[unlikely]]
        direct(first, frames);
    if (port_.tag().sent) [[unlikely]]
        put_tags(frames);
    if (nic_field_) [[unlikely]]
        give_times(frames);
    if (nic_field_ || (depart_.due_by(stamp, frames) == frames && may_leave(stamp))) hand_over(frames, stamp);
}

// Waits where the next poll would come too late. Returns whether anything was due.
bool Sender::hand_over_due(std::uint64_t now) {
    unsigned frames = pending_end_ - pending_first_;
    if (!nic_field_) [[likely]] {
        const std::uint64_t due = depart_.ticks();
        if (now < due && due - now > elsewhere_) return false;
        while (now < due) now = Clock::now();
        if (!may_leave(now)) return false;
        frames = depart_.due_by(now, frames);
        stamp(pending_first_, frames, now);
    }
    hand_over(frames, now);
    return true;
}

void Sender::stamp(unsigned first, unsigned frames, std::uint64_t now) {
    for (unsigned i = first; i < first + frames; ++i) frame::probe::restamp(probes_[i], now);
}

void Sender::hand_over(unsigned frames, std::uint64_t now) {
    transmit(frames, now);
    if (table_ == nullptr || pending_first_ != pending_end_ || build_.over() || stream_.sizes.several()) return;
    // Of a burst like this one.
    flow::Part& next = parts_[flow::index(flow::Class::foreground)];
    const std::uint64_t first = build_.sequence();
    const auto more = static_cast<unsigned>(std::min<std::uint64_t>(pending_end_, stream_.frames - first));
    if (only_class_) {
        next.take_all(first, more);
    } else {
        next.take(stream_.mix.pattern(first), flow::Class::foreground, first, more);
    }
    ask_for_mappings(next);
}

// All or none.
bool Sender::take_buffers(std::uint64_t first, unsigned frames) {
    if (only_class_) [[likely]] {
        parts_[flow::index(*only_class_)].take_all(first, frames);
        return buffers_.take(*only_class_, pending_.data(), frames);
    }
    const flow::MixPattern& pattern = stream_.mix.pattern(first);
    for (const auto of : flow::both_classes) parts_[flow::index(of)].take(pattern, of, first, frames);
    return buffers_.take(parts_, pending_.data());
}

// Returns the frames' stamp.
std::uint64_t Sender::build_burst(unsigned frames) {
    const flow::Part& part = parts_[flow::index(*only_class_)];
    frame::HeaderBurst headers;
    make_headers(*only_class_, 0, part, headers);
    for (unsigned i = 0; i < frames; ++i) probes_[i] = prepare(pending_[i], stream_.sent_image(*only_class_));
    const std::uint64_t now = Clock::now();
    writers_[flow::index(*only_class_)][0].write(headers, part.sequence.data(), frames, now, probes_.data());
    return now;
}

std::uint64_t Sender::build_classes() {
    std::array<frame::HeaderBurst, flow::classes> headers;
    for (const auto of : flow::both_classes) {
        const flow::Part& part = parts_[flow::index(of)];
        if (part.n == 0) continue;
        make_headers(of, 0, part, headers[flow::index(of)]);
        const frame::Image& image = stream_.sent_image(of);
        std::uint8_t** const own = probes_of_[flow::index(of)].data();
        for (unsigned k = 0; k < part.n; ++k) {
            const unsigned i = part.place[k];
            probes_[i] = own[k] = prepare(pending_[i], image);
        }
    }
    const std::uint64_t now = Clock::now();
    for (std::size_t i = 0; i < flow::classes; ++i) {
        if (parts_[i].n > 0) writers_[i][0].write(headers[i], parts_[i].sequence.data(), parts_[i].n, now, probes_of_[i].data());
    }
    return now;
}

// All but the bytes.
void Sender::make_headers(flow::Class of, unsigned size, const flow::Part& part, frame::HeaderBurst& headers) {
    const frame::BurstWriter& writer = writers_[flow::index(of)][size];
    if (learnt_destinations(of)) {
        const unsigned known = read_mappings(part);
        writer.draw_connected(connections_, part.n, headers);
        send_to_mappings(headers, part.n, known);
    } else {
        writer.draw(part.sequence.data(), part.n, headers);
    }
    writer.finish(part.n, headers);
}

// The table's entries come while others are at work.
void Sender::ask_for_mappings(const flow::Part& part) {
    asked_ = part.n;
    if (asked_ == 0) return;
    asked_first_ = part.sequence[0];
    writers_[flow::index(flow::Class::foreground)][0].connections(part.sequence.data(), part.n, connections_);
    for (unsigned i = 0; i < asked_; ++i) table_->prefetch(connections_[i]);
}

// Before the frames' headers are made, because vectors can't load at once what was stored in smaller parts. Returns of how many
// the client is known.
unsigned Sender::read_mappings(const flow::Part& part) {
    if (asked_ < part.n || asked_first_ != part.sequence[0]) ask_for_mappings(part);
    auto& words = mapped_.words;
    unsigned known = 0;
    if (table_->family() == wire::Family::ipv4) {
        for (unsigned i = 0; i < part.n; ++i) {
            words[0][i] = table_->ipv4_client(connections_[i]);
            known += words[0][i] != 0 ? 1U : 0U;
        }
        return known;
    }
    for (unsigned i = 0; i < part.n; ++i) {
        const std::uint8_t* client = table_->ipv6_client(connections_[i]);
        if (client == nullptr) continue;
        words[0][i] = frame::piece(client, 0);
        words[1][i] = frame::piece(client, 1);
        std::uint16_t port;
        std::memcpy(&port, client + 16, sizeof port);
        words[2][i] = port;
        ++known;
    }
    return known;
}

void Sender::send_to_mappings(frame::HeaderBurst& headers, unsigned frames, unsigned known) const {
    constexpr auto of = flow::Class::foreground;
    const frame::BurstWriter& writer = writers_[flow::index(of)][0];
    if (known == frames) [[likely]]
        return writer.send_to(headers, mapped_, frames);
    for (unsigned i = 0; i < frames; ++i) {
        state::Mapping mapping;
        if (table_->read(headers.flows.connection[i], mapping)) {
            writer.send_to(headers, i, mapping.address, mapping.port);
        } else {
            const frame::Ends ends = stream_.sent_ends(of, headers.flows.at(i));
            writer.send_to(headers, i, ends.destination.bytes.data(), ends.destination_port);
        }
    }
}

// The departure that counts is the one that the NIC was told.
void Sender::give_times(unsigned frames) {
    DueTime due = depart_;
    for (unsigned i = 0; i < frames; ++i, due.next()) {
        stamp(i, 1, due.ticks());
        nic_field_->set(pending_[i], nic_clock_->to_nic(due.ticks()));
    }
}

void Sender::transmit(unsigned frames, std::uint64_t now) {
    if (can_be_held_back_) held_back_.trying(static_cast<std::int64_t>(now), static_cast<std::int64_t>(now - depart_.ticks()));
    const unsigned sent = port_.transmit(share_.index, &pending_[pending_first_], static_cast<std::uint16_t>(frames));
    earliest_ = now + sent * catch_up_ticks_;
    if (sent > 0) left(sent, now);
    if (depart_.over()) left_last();
    if (!can_be_held_back_) return;
    held_back_.tried(sent < frames);
    // What waited too long for room in the DUT's memory is lost, as it would be on a wire.
    while (held_back_.too_long() && pending_first_ < pending_end_) {
        port::free_burst(&pending_[pending_first_++], 1);
        give_up_one();
    }
}

void Sender::left(unsigned sent, std::uint64_t now) {
    const std::uint64_t first_due = depart_.ticks();
    if (last_call_ != 0) departure_.counts.note(Sending::smallest_gap_ns, now - last_call_);
    const std::uint64_t waited_from = std::max(last_call_, first_due);
    const std::uint64_t waited = now > waited_from ? now - waited_from : 0;
    departure_.counts.note(Sending::longest_stall_ns, waited);
    last_call_ = now;
    departure_.counts.note(Sending::largest_burst, sent);
    const std::uint64_t first = depart_.sequence();
    const std::uint64_t late_frames = count_late(sent, now);
    const bool behind = !depart_.over() && depart_.ticks() <= now;
    const std::uint64_t stalls_before = stalls_.count();
    stalls_.left(first, sent, held_back_.refused() ? 0 : waited, behind);
    if (find_interval_) [[unlikely]] {
        IntervalDeparture& interval = departure_.intervals[(*find_interval_)(first)];
        interval.late_frames += late_frames;
        interval.stalls += stalls_.count() - stalls_before;
    }
    departure_.counts.note(Sending::late_frames, late_frames);
    departure_.sent += sent;
    next_number_.store(depart_.sequence(), std::memory_order_relaxed);
    departure_.last_departure_ticks = now;
    pending_first_ += sent;
}

// Goes on to the first frame that hasn't left. Returns how many of those that have were late.
std::uint64_t Sender::count_late(unsigned sent, std::uint64_t now) {
    const std::uint64_t in_time = late_ticks_ + held_back_.excused();
    if (sent <= depart_.evenly()) {  // each less late than the one before
        const std::uint64_t first = depart_.ticks(), last = depart_.ticks_in(sent - 1);
        const bool all = last + in_time < now, none = now <= first + in_time;
        if (last <= now && (all || none) && departure_.late.add_spread(scale_.ns(now - last), scale_.ns(now - first), sent)) {
            depart_.skip(sent);
            return all ? sent : 0;
        }
    }
    std::uint64_t late_frames = 0;
    for (unsigned i = 0; i < sent; ++i, depart_.next()) {
        const std::uint64_t due = depart_.ticks(), late = now > due ? now - due : 0;
        departure_.late.add(scale_.ns(late));
        late_frames += late > in_time ? 1 : 0;
    }
    return late_frames;
}

// The rate that counts is the one that was offered: until the port had taken the last frame.
void Sender::left_last() {
    const std::uint64_t now = Clock::now(), due = schedule_.due_ticks(share_.last_below(stream_.frames)),
                        excused = due + held_back_.ticks();
    departure_.last_departure_ticks = std::max(now, due);
    departure_.overrun_ticks = now > excused ? now - excused : 0;
}

void Sender::give_up_one() {
    const std::uint64_t due = depart_.ticks();
    depart_.next();
    next_number_.store(depart_.sequence(), std::memory_order_relaxed);
    held_back_.gave_up(depart_.ticks() - due);
    given_up_.store(++departure_.counts[Sending::not_taken], std::memory_order_relaxed);
    ++departure_.sent;
    departure_.last_departure_ticks = std::max(departure_.last_departure_ticks, due);
}

void Sender::finish(std::uint64_t now) {
    while (held_back_.ticks() > 0 && !depart_.over()) give_up_one();
    if (departure_.sent > 0) stalls_.finish(share_.last_below(depart_.sequence()));
    finished_ = true;
    finished_at_ = now;
}

void Sender::stop() {
    if (!finished_) finish(Clock::now());
}

}  // namespace xlatperf::trial
