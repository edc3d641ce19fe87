// What needs delays by their frames' numbers: tags (RFC 8219 §7.2) and IPDV (§7.3.2). Of the frames of one class, numbered among
// themselves, or of all frames of a stream.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trial/tally/delay_variation.h"
#include "trial/tally/tagging.h"

namespace xlatperf::trial {

struct NumberedDelays {
    Tagging tagging;
    std::vector<std::uint64_t> tagged_delays_ns;  ///< exactly
    std::optional<DelayVariation> variation;

    /// Frame `number` arrived for the first time.
    void add(std::uint64_t number, std::uint64_t delay_ns) {
        if (tagging(number)) tagged_delays_ns.push_back(delay_ns);
        if (variation) variation->add(number, delay_ns);
    }

    /// Those of another receiver.
    void add(const NumberedDelays& other) {
        if (variation) variation->add(*other.variation);
        tagged_delays_ns.insert(tagged_delays_ns.end(), other.tagged_delays_ns.begin(), other.tagged_delays_ns.end());
    }
};

}  // namespace xlatperf::trial
