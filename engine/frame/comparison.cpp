#include "frame/comparison.h"

#include <algorithm>

#include "frame/ruled_fields.h"

namespace xlatperf::frame {

namespace {

// `mask`: of a header. What is up to the DUT isn't compared.
template <std::size_t n> void leave_open(const std::array<RuledField, n>& fields, const Arriving& rules, std::uint8_t* mask) {
    for (const RuledField& field : fields) {
        std::uint8_t* word = mask + field.word;
        if (is_open(field, rules)) wire::store32(word, wire::load32(word) & ~field.mask);
    }
}

}  // namespace

Comparison Comparison::of(const Stream& stream, Class of, const Image& image) {
    Comparison c;
    c.probe = image.probe();
    c.size = image.size();
    c.ipv4 = image.family() == wire::Family::ipv4;
    c.tunnel = image.outer();
    c.ip = image.ip();
    std::array<std::uint8_t, 8 * words> pattern{}, mask{};
    std::copy_n(image.bytes(), std::min(image.probe(), pattern.size()), pattern.begin());
    std::fill_n(mask.begin(), std::min(image.probe(), mask.size()), std::uint8_t{0xff});
    const auto ignore = [&](std::size_t at, std::size_t bytes) {
        std::fill_n(mask.begin() + static_cast<std::ptrdiff_t>(at), bytes, std::uint8_t{0});
    };
    if (!stream.one_source_mac()) ignore(wire::ethernet::source, 6);
    const bool any_source = stream.any_source && of == Class::foreground;
    if (any_source || image.sources().varies()) ignore(image.source_offset(), image.address_size());
    if (image.destinations().varies()) ignore(image.destination_offset(), image.address_size());
    ignore(image.udp(), 4);  // ports and checksum are compared with those of the flow
    ignore(image.udp() + wire::udp::checksum, 2);
    const Arriving& rules = stream.arriving[flow::index(of)];
    if (c.ipv4) {
        ignore(c.ip + wire::ipv4::checksum, 2);
        leave_open(ipv4_fields, rules, mask.data() + c.ip);
    } else {
        leave_open(ipv6_fields, rules, mask.data() + c.ip);
    }
    if (image.outer()) {
        if (image.outer_sources().varies()) ignore(wire::ethernet::size + wire::ipv6::source, 16);
        if (image.outer_destinations().varies()) ignore(wire::ethernet::size + wire::ipv6::destination, 16);
        leave_open(outer_fields, rules, mask.data() + wire::ethernet::size);
    }
    std::memcpy(c.pattern.data(), pattern.data(), pattern.size());
    std::memcpy(c.mask.data(), mask.data(), mask.size());
    return c;
}

}  // namespace xlatperf::frame
