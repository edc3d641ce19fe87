#include "frame/burst.h"

#include "wire/clones.h"

namespace xlatperf::frame {

namespace {

constexpr std::size_t udp_header = 8;  // bytes: one word

using flow::whole_vectors;

// Of which addresses the UDP checksum is: null if all frames have the same, which is in `sum` then.
XLATPERF_VECTOR_CLONES void make_udp(std::uint64_t sum, std::uint64_t length, const std::uint32_t* ports,
                                     const std::uint64_t* addresses, unsigned n, std::uint64_t* udp) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t both = ports[i];
        const std::uint64_t of_addresses = addresses != nullptr ? addresses[i] : 0;
        const std::uint64_t checksum = wire::udp_checksum_field(sum + of_addresses + (both & 0xffff) + (both >> 16));
        udp[i] = both | length << 32 | checksum << 48;
    }
}

// The probe from the number on, as two words that overlap in the guard.
XLATPERF_VECTOR_CLONES void make_probe(std::uint32_t tag, std::uint64_t stamp48, const std::uint64_t* sequences, unsigned n,
                                       std::uint64_t* number, std::uint64_t* tail) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t guard = probe::guard_of(tag, sequences[i], stamp48);
        number[i] = sequences[i] | guard << 48;
        tail[i] = stamp48 << 16 | guard;
    }
}

// Copies the template, then writes the UDP header and the probe, whose tag is in the template.
XLATPERF_VECTOR_CLONES void write_frames(const std::uint8_t* from, std::size_t udp_at, const std::uint64_t* udp,
                                         const std::uint64_t* number, const std::uint64_t* tail, unsigned n,
                                         std::uint8_t* const* at) {
    for (unsigned i = 0; i < n; ++i) {
        std::memcpy(at[i], from, Image::head);  // a constant size: a few vector stores, which may reach into the fill
        std::uint8_t* header = at[i] + udp_at;
        std::memcpy(header, &udp[i], udp_header);
        std::memcpy(header + udp_header + probe::sequence, &number[i], 8);
        std::memcpy(header + udp_header + probe::guard, &tail[i], 8);
    }
}

// Words of each frame, and whether what is the same in all frames is as it must be.
struct Words {
    alignas(64) OfBurst<std::uint64_t> differs, udp, number, tail;
};

XLATPERF_VECTOR_CLONES void gather(const Comparison& comparison, std::uint32_t tag, const std::uint8_t* const* at,
                                   const std::uint16_t* size, unsigned n, Words& seen) {
    for (unsigned i = 0; i < n; ++i) {
        const std::uint8_t* probe = at[i] + comparison.probe;
        std::uint32_t seen_tag;
        std::memcpy(&seen_tag, probe + probe::tag, 4);
        std::memcpy(&seen.udp[i], probe - udp_header, 8);
        std::memcpy(&seen.number[i], probe + probe::sequence, 8);
        std::memcpy(&seen.tail[i], probe + probe::guard, 8);
        seen.differs[i] = comparison.differs(at[i], size[i]) | (seen_tag ^ tag);
    }
    for (unsigned i = n; i < whole_vectors(n); ++i) seen.number[i] = seen.tail[i] = 0;
}

// The checksum of the IPv4 header, and whether DF is another than in the image.
void look_at_ipv4(const Comparison& comparison, std::uint8_t flags, const std::uint8_t* const* at, unsigned n, Words& seen,
                  std::uint64_t& df_differs) {
    for (unsigned i = 0; i < n; ++i) {
        const std::uint8_t* ip = at[i] + comparison.ip;
        seen.differs[i] |= wire::fold(wire::sum_bytes(ip, wire::ipv4::size)) ^ 0xffffU;
        df_differs |= std::uint64_t{((ip[wire::ipv4::flags_offset] ^ flags) & 0x40U) != 0} << i;
    }
}

XLATPERF_VECTOR_CLONES void take_apart(const Words& seen, unsigned n, SeenBurst& found) {
    const std::uint64_t first = seen.number[0] & probe::low48;
    std::uint64_t jumps = 0;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        found.sequence[i] = seen.number[i] & probe::low48;
        found.stamp48[i] = seen.tail[i] >> 16;
        jumps |= i < n ? found.sequence[i] ^ (first + i) : 0;
    }
    found.consecutive = jumps == 0;
}

// Whether number, probe and UDP header are right: zero if they are in all frames.
XLATPERF_VECTOR_CLONES std::uint64_t compare(std::uint64_t frames, std::uint64_t tag, const std::uint64_t* udp,
                                             const SeenBurst& found, unsigned n, Words& seen) {
    std::uint64_t any = 0;
    for (unsigned i = 0; i < n; ++i) {
        const std::uint64_t guard = seen.number[i] >> 48;
        const std::uint64_t sum = tag + probe::words(found.sequence[i]) + probe::words(found.stamp48[i]) + guard;
        const std::uint64_t in_trial = found.sequence[i] < frames ? 0 : 1;
        seen.differs[i] |= (wire::fold(sum) ^ 0xffffU) | (seen.udp[i] ^ udp[i]) | in_trial;
        any |= seen.differs[i];
    }
    return any;
}

void look_at_addresses(const Image& image, const flow::FlowBurst& flows, const std::uint8_t* const* at, unsigned n, Words& seen) {
    const auto differ = [&](const std::uint8_t* address, const AddressEntry& right) {
        return std::memcmp(address, right.bytes.data(), image.address_size()) != 0;
    };
    for (unsigned i = 0; i < n; ++i) {
        const bool differs = differ(at[i] + image.source_offset(), image.source(flows.source_network[i])) ||
                             differ(at[i] + image.destination_offset(), image.destination(flows.destination_network[i]));
        seen.differs[i] |= differs ? 1U : 0U;
    }
}

// What follows the probe: zero if it is right in all frames. Not of those that aren't right anyway, perhaps by their size.
std::uint64_t look_at_fill(const Image& image, const std::uint8_t* const* at, unsigned n, Words& seen) {
    const std::size_t fill = image.probe() + probe::size;
    if (image.size() == fill) return 0;
    std::uint64_t any = 0;
    for (unsigned i = 0; i < n; ++i) {
        if (seen.differs[i] != 0 || std::memcmp(at[i] + fill, image.bytes() + fill, image.size() - fill) == 0) continue;
        any = seen.differs[i] = 1;
    }
    return any;
}

[[gnu::noinline]] void sum_addresses(const Image& image, const flow::FlowBurst& flows, unsigned n, OfBurst<std::uint64_t>& sums) {
    for (unsigned i = 0; i < n; ++i)
        sums[i] = image.source(flows.source_network[i]).sum + image.destination(flows.destination_network[i]).sum;
}

}  // namespace

std::optional<Class> class_of_bursts(const Stream& stream, const std::array<std::optional<Image>, flow::classes>& images) {
    if (!stream.mix.only_foreground() && !stream.mix.only_background()) return {};
    const Class of = stream.mix.only_background() ? Class::background : Class::foreground;
    const auto& image = images[static_cast<std::size_t>(of)];
    const bool listed = image && image->subscribers() == nullptr && image->one_outer_pair();
    const bool as_drawn = of == Class::background || (!stream.any_source && !stream.learnt_destination);
    return listed && as_drawn && stream.flows(of).drawing() ? std::optional(of) : std::nullopt;
}

BurstHeaders::BurstHeaders(const Image& image, const flow::Enumeration& flows)
    : image_(&image),
      drawing_(*flows.drawing()),
      sum_(image.udp_sum() + (image.one_address_pair() ? image.source(0).sum + image.destination(0).sum : 0)),
      length_(wire::network16(static_cast<std::uint16_t>(image.size() - image.udp()))) {}

void BurstHeaders::follow(const std::uint64_t* sequences, unsigned n, flow::FlowBurst& flows, OfBurst<std::uint64_t>& udp) const {
    flow::draw(drawing_, sequences, n, flows);
    if (image_->one_address_pair()) return make_udp(sum_, length_, flows.ports.data(), nullptr, n, udp.data());
    alignas(64) OfBurst<std::uint64_t> sums;
    sum_addresses(*image_, flows, n, sums);
    make_udp(sum_, length_, flows.ports.data(), sums.data(), n, udp.data());
}

BurstWriter::BurstWriter(const Stream& stream, Class of) : headers_(stream.sent_image(of), stream.flows(of)) {}

void BurstWriter::write(std::uint64_t first, unsigned n, std::uint64_t ticks, std::uint8_t* const* at) const {
    const Image& image = headers_.image();
    alignas(64) OfBurst<std::uint64_t> sequence, udp, number, tail;
    for (unsigned i = 0; i < most_in_burst; ++i) sequence[i] = first + i;
    flow::FlowBurst flows;
    headers_.follow(sequence.data(), n, flows, udp);
    make_probe(image.tag(), ticks & probe::low48, sequence.data(), n, number.data(), tail.data());
    write_frames(image.bytes(), image.udp(), udp.data(), number.data(), tail.data(), n, at);
    if (image.one_address_pair()) return;
    for (unsigned i = 0; i < n; ++i)
        image.write_addresses(at[i], image.source(flows.source_network[i]), image.destination(flows.destination_network[i]));
}

BurstVerifier::BurstVerifier(const Stream& stream, Class of)
    : headers_(stream.expected_image(of), stream.flows(of)), comparison_(Comparison::of(stream, of)), frames_(stream.frames) {}

void BurstVerifier::look(const std::uint8_t* const* at, const std::uint16_t* size, unsigned n, SeenBurst& found) const {
    const Image& image = headers_.image();
    Words seen;
    gather(comparison_, image.tag(), at, size, n, seen);
    found.df_differs = 0;
    if (comparison_.ipv4)
        look_at_ipv4(comparison_, image.bytes()[comparison_.ip + wire::ipv4::flags_offset], at, n, seen, found.df_differs);
    take_apart(seen, n, found);

    flow::FlowBurst flows;
    alignas(64) OfBurst<std::uint64_t> udp;
    headers_.follow(found.sequence.data(), n, flows, udp);
    if (!image.one_address_pair()) look_at_addresses(image, flows, at, n, seen);
    std::uint64_t any = compare(frames_, image.tag(), udp.data(), found, n, seen);
    any |= look_at_fill(image, at, n, seen);

    found.right = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    if (any == 0) [[likely]]
        return;
    for (unsigned i = 0; i < n; ++i) found.right &= ~(std::uint64_t{seen.differs[i] != 0} << i);
}

}  // namespace xlatperf::frame
