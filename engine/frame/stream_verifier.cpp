#include "frame/stream_verifier.h"

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
        of_class_[i].emplace(stream, of);
        number_at_[i] = stream.expected[i]->probe() + probe::sequence;
    }
}

// The class follows from the number, and where the number is from the class: from the headers, where the classes differ in that.
// A frame whose headers aren't those of its number's class isn't right, whatever it is taken for. Returns a pattern of the mix,
// or `otherwise`, where numbers aren't consecutive.
const flow::MixPattern& StreamVerifier::classes_of(const std::uint8_t* const* at, unsigned n, SeenBurst& seen,
                                                   flow::MixPattern& otherwise) const {
    const auto [foreground, background] = number_at_;
    std::uint64_t jumps = 0;
    for (unsigned i = 0; i < n; ++i) {
        const std::size_t where = foreground == background || !is_native(at[i]) ? foreground : background;
        const std::uint64_t number = piece(at[i] + where, 0) & probe::low48;
        seen.sequence[i] = number;
        jumps |= number ^ (seen.sequence[0] + i);
    }
    seen.consecutive = jumps == 0;
    seen.right = seen.df_differs = 0;
    const flow::MixPattern* pattern = &otherwise;
    if (seen.consecutive) [[likely]] {
        pattern = &stream_.mix.pattern(seen.sequence[0]);
    } else {
        for (unsigned i = 0; i < n; ++i) otherwise.add(i, stream_.mix(seen.sequence[i]));
    }
    seen.background = pattern->background & flow::first_bits(n);
    return *pattern;
}

StreamVerifier::ReceivedPart::ReceivedPart(const flow::MixPattern& pattern, Class of, const std::uint8_t* const* frames,
                                           const std::uint16_t* sizes, unsigned all)
    : n(pattern.count(of, all)), place(pattern.places[flow::index(of)].data()) {
    for (unsigned k = 0; k < n; ++k) {
        at[k] = frames[place[k]];
        size[k] = sizes[place[k]];
    }
}

void StreamVerifier::ReceivedPart::put_back(const SeenBurst& own, bool connections, SeenBurst& whole) const {
    for (unsigned k = 0; k < n; ++k) {
        const unsigned i = place[k];
        whole.stamp48[i] = own.stamp48[k];
        if (connections) whole.connection[i] = own.connection[k];
        whole.right |= (own.right >> k & 1) << i;
        whole.df_differs |= (own.df_differs >> k & 1) << i;
    }
}

}  // namespace xlatperf::frame
