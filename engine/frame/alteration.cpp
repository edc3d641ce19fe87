#include "frame/alteration.h"

#include <algorithm>
#include <cstring>

#include "wire/checksum.h"

namespace xlatperf::frame {

namespace {

std::uint64_t sum_after(const std::uint8_t* checksum_at, std::uint64_t before, std::uint64_t after) {
    std::uint16_t checksum;
    std::memcpy(&checksum, checksum_at, 2);
    return wire::sum_after(checksum, before, after);
}

std::array<std::uint8_t, 16> network_order(wire::Bits128 bits, std::size_t size) {
    std::array<std::uint8_t, 16> bytes{};
    for (std::size_t i = size; i-- > 0; bits >>= 8) bytes[i] = static_cast<std::uint8_t>(bits & 0xff);
    return bytes;
}

}  // namespace

unsigned width(HeaderField field, wire::Family family, bool in_tunnel) {
    switch (field) {
        case HeaderField::outer_source:
        case HeaderField::outer_destination:
            return in_tunnel ? 128 : 0;
        case HeaderField::source:
        case HeaderField::destination:
            return family == wire::Family::ipv4 ? 32 : 128;
        default:
            return 16;
    }
}

Alteration::Alteration(const std::vector<Change>& changes, const Image& image)
    : ipv4_checksum_(image.ip() + wire::ipv4::checksum), udp_checksum_(image.udp() + wire::udp::checksum) {
    const std::size_t outer = wire::ethernet::size;
    for (const auto& change : changes) {
        Place place{};
        const unsigned bits = width(change.field, image.family(), image.outer());
        place.size = bits / 8;
        place.of_another = change.of_another;
        place.keep = network_order(change.of_another ? ~wire::Bits128{0} : change.keep, place.size);
        place.flip = network_order(change.of_another ? wire::Bits128{1} << (bits - 1) : change.flip, place.size);
        const bool is_address = change.field == HeaderField::source || change.field == HeaderField::destination;
        place.in_ipv4_header = is_address && image.family() == wire::Family::ipv4;
        // RFC 8200 §8.1: the pseudo header has the packet's addresses, not the tunnel's.
        const bool of_packet = change.field != HeaderField::outer_source && change.field != HeaderField::outer_destination;
        place.in_udp_checksum = of_packet && image.udp_checksum_mask() != 0;
        switch (change.field) {
            case HeaderField::outer_source:
                place.offset = outer + wire::ipv6::source;
                break;
            case HeaderField::outer_destination:
                place.offset = outer + wire::ipv6::destination;
                break;
            case HeaderField::source:
                place.offset = image.source_offset();
                break;
            case HeaderField::destination:
                place.offset = image.destination_offset();
                break;
            case HeaderField::source_port:
                place.offset = image.udp() + wire::udp::source_port;
                break;
            case HeaderField::destination_port:
                place.offset = image.udp() + wire::udp::destination_port;
                break;
        }
        places_.push_back(place);
    }
}

bool Alteration::needs_another() const {
    return std::any_of(places_.begin(), places_.end(), [](const Place& place) { return place.of_another; });
}

bool Alteration::differs(const std::uint8_t* frame, const std::uint8_t* another) const {
    return std::all_of(places_.begin(), places_.end(), [&](const Place& place) {
        return !place.of_another || std::memcmp(frame + place.offset, another + place.offset, place.size) != 0;
    });
}

void Alteration::apply(std::uint8_t* frame, const std::uint8_t* another) const {
    for (const auto& place : places_) {
        std::uint8_t* at = frame + place.offset;
        const std::uint64_t before = wire::sum_bytes(at, place.size);
        if (place.of_another && another != nullptr) {
            std::memcpy(at, another + place.offset, place.size);
        } else {
            for (std::size_t i = 0; i < place.size; ++i)
                at[i] = static_cast<std::uint8_t>((at[i] & place.keep[i]) ^ place.flip[i]);
        }
        const std::uint64_t after = wire::sum_bytes(at, place.size);
        if (place.in_ipv4_header) {
            std::uint8_t* checksum_at = frame + ipv4_checksum_;
            const auto checksum = static_cast<std::uint16_t>(~wire::fold(sum_after(checksum_at, before, after)));
            std::memcpy(checksum_at, &checksum, 2);
        }
        if (place.in_udp_checksum) {
            std::uint8_t* checksum_at = frame + udp_checksum_;
            const std::uint16_t checksum = wire::udp_checksum_field(sum_after(checksum_at, before, after));
            std::memcpy(checksum_at, &checksum, 2);
        }
    }
}

}  // namespace xlatperf::frame
