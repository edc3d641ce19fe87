// Which of several sizes frames have: in turn, each class for itself (RFC 6985 §4: a sequence that repeats).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "flow/modulo.h"

namespace xlatperf::flow {

class SizeSequence {
  public:
    static constexpr std::size_t longest = 1024, most_sizes = 16;

    /// The sizes of the frames, at most `longest` before they repeat, with at most `most_sizes` different ones.
    explicit SizeSequence(const std::vector<std::size_t>& in_turn) : modulo_(static_cast<std::uint32_t>(in_turn.size())) {
        for (const std::size_t bytes : in_turn) {
            auto at = std::find(sizes_.begin(), sizes_.end(), bytes);
            if (at == sizes_.end()) at = sizes_.insert(at, bytes);
            which_.push_back(static_cast<std::uint8_t>(at - sizes_.begin()));
        }
    }

    /// Different ones, in the order in which they come first.
    const std::vector<std::size_t>& sizes() const { return sizes_; }
    bool several() const { return sizes_.size() > 1; }

    /// Which of them the frame has that is the `number`-th of its class.
    unsigned operator()(std::uint64_t number) const { return which_[modulo_(number)]; }

    /// The same of `n` frames from that one on.
    void run(std::uint64_t number, unsigned n, std::uint8_t* which) const {
        std::size_t at = modulo_(number);
        for (unsigned i = 0; i < n; ++i) {
            which[i] = which_[at];
            if (++at == which_.size()) at = 0;
        }
    }

  private:
    Modulo modulo_;
    std::vector<std::size_t> sizes_;
    std::vector<std::uint8_t> which_;
};

}  // namespace xlatperf::flow
