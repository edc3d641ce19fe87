// IPv4 packets that may be fragmented have different identifications (RFC 6864 §4.3), or their fragments couldn't be told apart:
// the low 16 bits of their number turn those bits of the image's. Whoever compares frames with the image turns them back first.
#pragma once

#include <cstdint>

#include "frame/image.h"

namespace xlatperf::frame {

/// Frames after so many have the same.
inline constexpr std::uint64_t identifications = 1U << 16;

/// What the frame `number` with this image, which is IPv4, has.
std::uint16_t numbered_identification(const Image& image, std::uint64_t number);

/// Turns that of the frame at `at`, and the header's checksum with it, so that it is as right as before.
void turn_identification(std::uint8_t* at, const Image& image, std::uint64_t number);

/// Of frames that arrive: their numbers are where the image has them, if they are of its class.
class ArrivingIdentification {
  public:
    explicit ArrivingIdentification(const Image& image) : image_(image) {}

    /// Turns it where there is an IPv4 header. Returns 8 bytes of the frame, which bring it `back`.
    std::uint64_t turn(std::uint8_t* at) const;
    void back(std::uint8_t* at, std::uint64_t before) const;

  private:
    const Image& image_;
};

}  // namespace xlatperf::frame
