#include "frame/reassembly.h"

#include <algorithm>
#include <cstring>

#include "flow/random.h"
#include "wire/byte_order.h"
#include "wire/checksum.h"
#include "wire/ethernet.h"
#include "wire/headers.h"

namespace xlatperf::frame {

namespace {

std::size_t length(const Fragment& one) { return one.end - one.data; }

constexpr std::size_t outer_ip = wire::ethernet::size;
constexpr std::size_t most_headers = outer_ip + wire::ipv6::size + wire::encapsulation_limit::size + wire::ipv4::size;

// Up to the end of the fragment's IP header, without options.
std::size_t headers_size(const Fragment& one) {
    return one.ip + (one.family == wire::Family::ipv4 ? wire::ipv4::size : wire::ipv6::size);
}

// These: all but what makes it a fragment, and follows from that.
std::array<std::uint8_t, most_headers> plain_headers(const std::uint8_t* at, const Fragment& one) {
    std::array<std::uint8_t, most_headers> found{};
    std::copy_n(at, std::min(headers_size(one), most_headers), found.begin());
    std::uint8_t* header = found.data() + one.ip;
    if (one.in_tunnel()) wire::store16(&found[outer_ip + wire::ipv6::payload_length], 0);
    if (one.family == wire::Family::ipv6) {
        wire::store16(header + wire::ipv6::payload_length, 0);
        header[wire::ipv6::next_header] = 0;
        return found;
    }
    const std::uint16_t flags = wire::load16(header + wire::ipv4::flags_offset);
    wire::store16(header + wire::ipv4::total_length, 0);
    wire::store16(header + wire::ipv4::flags_offset,
                  flags & static_cast<std::uint16_t>(~(wire::ipv4::more_fragments | wire::ipv4::offset_mask)));
    wire::store16(header + wire::ipv4::checksum, one.checksum_is_right ? 0 : 1);
    return found;
}

// The header, of so many bytes, of a packet with `all` behind it, from that of one of its fragments.
void finish_ipv4(std::uint8_t* header, std::size_t size, std::size_t all, std::size_t df_above, bool right) {
    const std::uint16_t flags = wire::load16(header + wire::ipv4::flags_offset);
    const bool turns = df_above > 0 && size + all > df_above;
    wire::store16(header + wire::ipv4::total_length, static_cast<std::uint16_t>(size + all));
    wire::store16(header + wire::ipv4::flags_offset,
                  static_cast<std::uint16_t>((flags & ~(wire::ipv4::more_fragments | wire::ipv4::offset_mask)) ^
                                             (turns ? wire::ipv4::dont_fragment : 0)));
    wire::store16(header + wire::ipv4::checksum, 0);
    std::uint16_t checksum = static_cast<std::uint16_t>(~wire::fold(wire::sum_bytes(header, size)));
    if (!right) checksum ^= 1;
    std::memcpy(header + wire::ipv4::checksum, &checksum, 2);
}

}  // namespace

std::size_t Reassembly::HashKey::operator()(const Key& key) const {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < key.bytes.size(); i += 8) {
        std::uint64_t word;
        std::memcpy(&word, &key.bytes[i], 8);
        found = flow::mix(found ^ word);
    }
    return found;
}

Reassembly::Key Reassembly::key_of(const std::uint8_t* at, const Fragment& one) {
    Key key;
    const bool ipv4 = one.family == wire::Family::ipv4;
    std::memcpy(key.bytes.data(), at + one.ip + (ipv4 ? wire::ipv4::source : wire::ipv6::source), ipv4 ? 8 : 32);
    std::memcpy(&key.bytes[32], &one.identification, 4);
    key.bytes[36] = ipv4 ? one.protocol : 0;
    key.bytes[37] = static_cast<std::uint8_t>((ipv4 ? 4 : 6) | (one.in_tunnel() ? 0x80 : 0));
    return key;
}

// RFC 8200 §4.5: an exact duplicate may be ignored.
bool Reassembly::repeats(const Packet& packet, const std::uint8_t* at, const Fragment& one) {
    const auto end = packet.parts.begin() + static_cast<std::ptrdiff_t>(packet.used);
    return std::any_of(packet.parts.begin(), end, [&](const Part& part) {
        const Fragment& other = part.fragment;
        return one.offset == other.offset && one.more == other.more && length(one) == length(other) &&
               std::memcmp(at + one.data, part.frame.data() + other.data, length(one)) == 0;
    });
}

// RFC 5722: fragments that overlap are no packet. Nor are those of which two are the last one, or one is behind the last.
bool Reassembly::contradicts(const Packet& packet, const Fragment& one) {
    const std::size_t end = one.offset + length(one);
    return std::any_of(packet.parts.begin(), packet.parts.begin() + static_cast<std::ptrdiff_t>(packet.used),
                       [&](const Part& part) {
                           const Fragment& other = part.fragment;
                           const std::size_t other_end = other.offset + length(other);
                           if (one.offset < other_end && other.offset < end) return true;
                           return (!one.more && (!other.more || other_end > end)) || (!other.more && end > other_end);
                       });
}

bool Reassembly::completes(const Packet& packet, const Fragment& one) {
    std::size_t got = length(one), all = one.more ? 0 : one.offset + length(one);
    for (std::size_t i = 0; i < packet.used; ++i) {
        const Fragment& other = packet.parts[i].fragment;
        got += length(other);
        if (!other.more) all = other.offset + length(other);
    }
    return got == all;
}

void Reassembly::put_together(const Packet& packet, const std::uint8_t* at, const Fragment& last, Whole& whole) const {
    const std::uint8_t* first_at = at;
    const Fragment* first = &last;
    std::size_t all = length(last);
    bool right = last.checksum_is_right;
    for (std::size_t i = 0; i < packet.used; ++i) {
        const Part& part = packet.parts[i];
        all += length(part.fragment);
        right &= part.fragment.checksum_is_right;
        if (part.fragment.offset != 0) continue;
        first_at = part.frame.data();
        first = &part.fragment;
    }
    const std::size_t headers = first->headers_end;
    whole.identification = last.identification;
    whole.bytes.assign(first_at, first_at + headers);
    whole.size = headers + all;
    whole.bytes.resize(std::max(whole.size, Image::readable));
    const auto copy = [&](const std::uint8_t* frame, const Fragment& one) {
        std::copy(frame + one.data, frame + one.end, whole.bytes.begin() + static_cast<std::ptrdiff_t>(headers + one.offset));
    };
    copy(at, last);
    for (std::size_t i = 0; i < packet.used; ++i) copy(packet.parts[i].frame.data(), packet.parts[i].fragment);
    const auto finish = [&](std::vector<std::uint8_t>& bytes, bool checksum_is_right) {
        bytes[first->protocol_at] = first->protocol;
        if (first->family == wire::Family::ipv4)
            finish_ipv4(bytes.data() + first->ip, headers - first->ip, all, df_above_, checksum_is_right);
        if (first->family == wire::Family::ipv6 || first->in_tunnel())
            wire::store16(&bytes[outer_ip + wire::ipv6::payload_length],
                          static_cast<std::uint16_t>(headers - outer_ip - wire::ipv6::size + all));
    };
    finish(whole.bytes, right);
    whole.other.clear();
    const auto own = plain_headers(first_at, *first);
    const auto compare = [&](const std::uint8_t* frame, const Fragment& one) {
        if (!whole.other.empty() || plain_headers(frame, one) == own) return;
        whole.other = whole.bytes;
        std::copy_n(frame, headers_size(one), whole.other.begin());
        // An option that isn't copied into each fragment (RFC 791 §3.1) is the first one's.
        if (one.family == wire::Family::ipv4) whole.other[one.ip] = first_at[one.ip];
        finish(whole.other, right);
    };
    compare(at, last);
    for (std::size_t i = 0; i < packet.used; ++i) compare(packet.parts[i].frame.data(), packet.parts[i].fragment);
}

void Reassembly::give_up(Packet& packet, std::vector<GivenUp>& given_up) {
    if (packet.used == 0) return;
    Part* first = &packet.parts[0];
    for (std::size_t i = 1; i < packet.used; ++i) {
        if (packet.parts[i].fragment.offset == 0) first = &packet.parts[i];
    }
    given_up.push_back({std::move(first->frame), first->arrival});
    packet.used = 0;
    places_.erase(packet.key);
}

Reassembly::Packet& Reassembly::packet_for(const Key& key, std::uint64_t now, std::vector<GivenUp>& given_up) {
    if (const auto found = places_.find(key); found != places_.end()) {
        Packet& waits = waiting_[found->second];
        if (static_cast<std::int64_t>(now - waits.parts[0].arrival) <= most_ticks_) return waits;
        give_up(waits, given_up);
    }
    Packet& packet = waiting_[next_];
    give_up(packet, given_up);
    packet.key = key;
    places_.emplace(key, next_);
    next_ = (next_ + 1) % most_waiting;
    return packet;
}

Reassembly::Taken Reassembly::add(const std::uint8_t* at, const Fragment& one, std::uint64_t arrival, Whole& whole,
                                  std::vector<GivenUp>& given_up) {
    const Key key = key_of(at, one);
    const std::lock_guard lock(mutex_);
    Packet* packet = &packet_for(key, arrival, given_up);
    if (repeats(*packet, at, one)) return Taken::repeats;
    if (contradicts(*packet, one)) {
        give_up(*packet, given_up);
        packet = &packet_for(key, arrival, given_up);
    }
    if (completes(*packet, one)) {
        put_together(*packet, at, one, whole);
        packet->used = 0;
        places_.erase(key);
        return Taken::completes;
    }
    if (packet->used == packet->parts.size()) packet->parts.emplace_back();
    Part& part = packet->parts[packet->used++];
    part.fragment = one;
    part.frame.assign(at, at + one.end);
    part.arrival = arrival;
    return Taken::waits;
}

std::vector<Reassembly::GivenUp> Reassembly::give_up_rest() {
    const std::lock_guard lock(mutex_);
    std::vector<GivenUp> found;
    for (std::uint32_t i = 0; i < most_waiting; ++i) give_up(waiting_[(next_ + i) % most_waiting], found);
    return found;
}

}  // namespace xlatperf::frame
