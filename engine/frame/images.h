// The images of one class on one link: one for each frame size, which differ in nothing else.
#pragma once

#include <algorithm>
#include <vector>

#include "frame/image.h"

namespace xlatperf::frame {

class Images {
  public:
    /// None: the stream has no frames of this class.
    Images() = default;
    Images(Image image) { add(std::move(image)); }  // NOLINT(google-explicit-constructor): most streams have one size

    void add(Image image) { of_size_.push_back(std::move(image)); }

    bool has_value() const { return !of_size_.empty(); }
    explicit operator bool() const { return has_value(); }
    /// For what doesn't depend on the size: names, offsets, the seal.
    const Image& operator*() const { return of_size_.front(); }
    const Image* operator->() const { return &of_size_.front(); }
    const Image& of_size(std::size_t which) const { return of_size_[which]; }
    /// What is behind the probe begins with the same octets in all.
    const Image& longest() const {
        return *std::max_element(of_size_.begin(), of_size_.end(),
                                 [](const Image& a, const Image& b) { return a.size() < b.size(); });
    }

  private:
    std::vector<Image> of_size_;
};

}  // namespace xlatperf::frame
