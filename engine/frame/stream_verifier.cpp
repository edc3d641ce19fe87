#include "frame/stream_verifier.h"

#include <bit>

namespace xlatperf::frame {

namespace {

// A packet of native IPv6 with UDP: neither IPv4 nor in a tunnel.
bool is_native(const std::uint8_t* at) {
    return wire::load16(at + wire::ethernet::type) == wire::ethernet::ipv6 &&
           at[wire::ethernet::size + wire::ipv6::next_header] == wire::protocol::udp;
}

}  // namespace

StreamVerifier::StreamVerifier(const Stream& stream) : stream_(stream), only_class_(stream.mix.only_class()) {
    for (const auto of : flow::both_classes) {
        const auto i = flow::index(of);
        if (!stream.expected[i]) continue;
        for (unsigned size = 0; size < stream.sizes.sizes().size(); ++size) of_class_[i].emplace_back(stream, of, size);
        number_at_[i] = stream.expected[i]->probe() + probe::number;
    }
}

// The class follows from the number, and where the number is from the class. If nothing is between the first frame and the last
// one but what was sent between them, all numbers follow from the first one. Null: it isn't so, or numbers aren't where they
// should be.
const flow::MixPattern* StreamVerifier::as_sent(const ArrivedFrames& frames, SeenBurst& seen) const {
    const std::uint64_t first = number_by_headers(frames.at[0]);
    const unsigned behind = frames.n - 1;
    const flow::MixPattern& pattern = stream_.mix.pattern(first);
    const std::uint8_t* const last = frames.at[behind] + number_at_[pattern.background >> behind & 1];
    if ((piece(last, 0) & probe::low40) != first + behind) return nullptr;
    seen.consecutive = true;
    for (unsigned i = 0; i < flow::whole_vectors(frames.n); ++i) seen.sequence[i] = first + i;
    return &pattern;
}

// A frame whose headers aren't those of its number's class isn't right, whatever it is taken for.
void StreamVerifier::read_numbers(const ArrivedFrames& frames, SeenBurst& seen, flow::MixPattern& classes) const {
    seen.consecutive = false;
    for (unsigned i = 0; i < frames.n; ++i) {
        seen.sequence[i] = number_by_headers(frames.at[i]);
        classes.add(i, stream_.mix(seen.sequence[i]));
    }
}

// It is where the headers say, if the classes differ in that.
std::uint64_t StreamVerifier::number_by_headers(const std::uint8_t* at) const {
    const auto [foreground, background] = number_at_;
    const std::size_t where = foreground == background || !is_native(at) ? foreground : background;
    return piece(at + where, 0) & probe::low40;
}

void StreamVerifier::read_sizes(Class of, const ArrivedFrames& frames, SeenBurst& seen, std::uint8_t* which) const {
    const std::size_t where = number_at_[flow::index(of)];
    std::uint64_t jumps = 0;
    for (unsigned i = 0; i < frames.n; ++i) {
        const std::uint64_t number = piece(frames.at[i] + where, 0) & probe::low40;
        seen.sequence[i] = number < stream_.frames ? number : 0;
        jumps |= seen.sequence[i] ^ (seen.sequence[0] + i);
    }
    seen.consecutive = jumps == 0;
    if (only_class_ && seen.consecutive) [[likely]]
        return stream_.sizes.run(seen.sequence[0], frames.n, which);
    for (unsigned i = 0; i < frames.n; ++i) which[i] = static_cast<std::uint8_t>(stream_.size_of(of, seen.sequence[i]));
}

StreamVerifier::ReceivedPart::ReceivedPart(std::uint64_t which, const std::uint8_t* places, const ArrivedFrames& all)
    : n(static_cast<unsigned>(std::popcount(which))), those(which), place(places) {
    for (unsigned k = 0; k < n; ++k) {
        at[k] = all.at[place[k]];
        size[k] = all.size[place[k]];
    }
}

bool StreamVerifier::ReceivedPart::put_back(const SeenBurst& own, bool connections, SeenBurst& whole) const {
    std::uint64_t differ = 0;
    for (unsigned k = 0; k < n; ++k) {
        const unsigned i = place[k];
        differ |= own.sequence[k] ^ whole.sequence[i];
        whole.stamp48[i] = own.stamp48[k];
        if (connections) whole.connection[i] = own.connection[k];
    }
    whole.right |= spread(own.right);
    whole.df_differs |= spread(own.df_differs);
    return differ == 0;
}

std::uint64_t StreamVerifier::ReceivedPart::spread(std::uint64_t bits) const {
    if (bits == 0) return 0;
    if (bits == flow::first_bits(n)) [[likely]]
        return those;
    std::uint64_t found = 0;
    for (unsigned k = 0; k < n; ++k) found |= (bits >> k & 1) << place[k];
    return found;
}

}  // namespace xlatperf::frame
