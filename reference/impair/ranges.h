// Positions as ranges, a bounded number of them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace xlatperf::reference {

/// Positions are added in rising order.
class Ranges {
  public:
    static constexpr std::size_t limit = 1024;
    void add(std::uint64_t position) {
        if (!ranges_.empty() && ranges_.back().second + 1 == position && complete_) {
            ranges_.back().second = position;
        } else if (ranges_.size() < limit) {
            ranges_.emplace_back(position, position);
        } else {
            complete_ = false;
        }
    }
    const std::vector<std::pair<std::uint64_t, std::uint64_t>>& all() const { return ranges_; }
    bool complete() const { return complete_; }

  private:
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;
    bool complete_ = true;
};

}  // namespace xlatperf::reference
