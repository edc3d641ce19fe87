// Frames that a DUT must not forward: bits of a header are changed after the frame was written, and its checksums fit again.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "frame/image.h"
#include "wire/address.h"

namespace xlatperf::frame {

enum class HeaderField : std::uint8_t { outer_source, outer_destination, source, destination, source_port, destination_port };
inline constexpr std::array<std::string_view, 6> header_field_names = {"outer_source", "outer_destination", "source",
                                                                       "destination",  "source_port",       "destination_port"};

/// What a field has instead of `value`: (value & keep) ^ flip; or what it has in frames of another subscriber.
struct Change {
    HeaderField field;
    wire::Bits128 keep, flip;
    bool of_another = false;
};

/// Bits of a field in packets of this family; 0 if they don't have it.
unsigned width(HeaderField field, wire::Family family, bool in_tunnel);

class Alteration {
  public:
    Alteration() = default;
    /// Of frames of `image`, which has all these fields.
    Alteration(const std::vector<Change>& changes, const Image& image);

    bool none() const { return places_.empty(); }
    bool needs_another() const;
    /// `frame`: as `image` wrote it. `another`: so is that of another subscriber; null: there is none, and the highest bit of
    /// such a field is the other way round.
    void apply(std::uint8_t* frame, const std::uint8_t* another = nullptr) const;
    /// Whether such fields are others in `another`, all of them.
    bool differs(const std::uint8_t* frame, const std::uint8_t* another) const;

  private:
    struct Place {
        std::size_t offset, size;
        std::array<std::uint8_t, 16> keep, flip;
        bool in_ipv4_header, in_udp_checksum, of_another;
    };
    std::vector<Place> places_;
    std::size_t ipv4_checksum_ = 0, udp_checksum_ = 0;
};

}  // namespace xlatperf::frame
