// Frames as the StreamVerifier sees them, alone in a burst.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "frame/stream_verifier.h"
#include "frame/streams.h"

namespace xlatperf::frame {

/// Whether `size` bytes at `at`, where there are `Image::readable`, are right; then `match` is filled.
inline bool matches(const StreamVerifier& verifier, const std::uint8_t* at, std::size_t size, Match& match) {
    const auto size16 = static_cast<std::uint16_t>(size);
    SeenBurst seen;
    verifier.look({&at, &size16, 1}, seen, [](const std::uint64_t*, unsigned) {});
    EXPECT_EQ(seen.right >> 1, 0U);
    if (seen.right == 0) return false;
    match = verifier.match(seen, 0, at);
    return true;
}
/// The same of the first `size` bytes; `match.source` is null.
inline bool matches(const StreamVerifier& verifier, Bytes frame, std::size_t size, Match& match) {
    frame.resize(std::max(frame.size(), Image::readable));
    const bool found = matches(verifier, frame.data(), size, match);
    match.source = nullptr;  // it pointed into the copy
    return found;
}
inline bool matches(const StreamVerifier& verifier, const Bytes& frame) {
    Match match;
    return matches(verifier, frame, frame.size(), match);
}
inline bool matches(const Stream& stream, const Bytes& frame, Match& match) {
    return matches(StreamVerifier(stream), frame, frame.size(), match);
}
inline bool matches(const Stream& stream, const Bytes& frame) { return matches(StreamVerifier(stream), frame); }

}  // namespace xlatperf::frame
