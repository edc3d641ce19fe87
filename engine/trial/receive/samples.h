// Frames that weren't as expected, some of each kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frame/classifier.h"
#include "frame/match.h"
#include "wire/vlan.h"

namespace xlatperf::trial {

/// A frame that wasn't as expected, kept to be looked at.
struct Sample {
    flow::Side side;
    flow::Direction direction;
    std::string reason;
    std::optional<std::uint64_t> number;
    std::optional<flow::Class> of;
    std::vector<std::uint8_t> received, expected;
    std::string text;
};

class Samples {
  public:
    /// Of what arrives on `side`, `most` of each kind. `stream`, which outlives it, is null if nothing is sent there.
    /// `tag`: frames have it, and it was taken off, where a finding doesn't say otherwise.
    Samples(flow::Side side, const frame::Stream* stream, unsigned most, const std::optional<wire::VlanRequired>& tag)
        : side_(side), stream_(stream), most_(most), tag_(tag) {}

    /// Keeps the `size` bytes at `at`, unless there are enough with this reason.
    void keep(std::string reason, const frame::Finding& finding, const std::uint8_t* at, std::size_t size);
    /// The same of a frame that is right but for the client that the DUT shows.
    void keep_mapping(counter::Reason reason, const frame::Match& match, const std::uint8_t* at, std::size_t size);

    const std::vector<Sample>& all() const { return kept_; }

  private:
    std::vector<std::uint8_t> expected(const frame::Finding& finding, const std::uint8_t* at, std::size_t size) const;

    flow::Side side_;
    const frame::Stream* stream_;
    unsigned most_;
    std::optional<wire::VlanRequired> tag_;
    std::vector<Sample> kept_;
};

}  // namespace xlatperf::trial
