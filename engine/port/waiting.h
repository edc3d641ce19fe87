// Frames that a port has taken and that wait in the Tester's own memory until whoever is at the other end takes them.
#pragma once

#include <algorithm>
#include <cstdint>

namespace xlatperf::port {

/// Frames that left the kernel's interface under a port, how often one was dropped there (it may be tried again), and how many
/// were sent beside test frames.
struct Gone {
    std::uint64_t left = 0, dropped = 0, beside = 0;
};

/// Of earlier trials, and of what was sent beside them.
struct Waiting {
    std::uint64_t trials = 0, beside = 0;

    std::uint64_t all() const { return trials + beside; }

    /// What still waits when so many have gone since, those of trials first.
    Waiting after(const Gone& since) const {
        const std::uint64_t waited = std::min(trials, since.left), sent = beside + since.beside;
        return {trials - waited, sent - std::min(sent, since.left - waited + since.dropped)};
    }
};

}  // namespace xlatperf::port
