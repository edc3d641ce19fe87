#include "frame/burst.h"

#include "wire/byte_order.h"
#include "wire/clones.h"

namespace xlatperf::frame {

namespace {

constexpr std::size_t udp_header = 8;  // bytes: one word

using flow::whole_vectors;

// Adds an address word to the sums.
XLATPERF_VECTOR_CLONES void add(const std::uint64_t* words, unsigned n, std::uint64_t* sums) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) sums[i] += (words[i] & 0xffffffff) + (words[i] >> 32);
}

// From the sums of all but the ports.
XLATPERF_VECTOR_CLONES void make_udp(const std::uint64_t* sums, std::uint64_t length, const std::uint32_t* ports, unsigned n,
                                     std::uint64_t* udp) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t both = ports[i];
        const std::uint64_t checksum = wire::udp_checksum_field(sums[i] + (both & 0xffff) + (both >> 16));
        udp[i] = both | length << 32 | checksum << 48;
    }
}

XLATPERF_VECTOR_CLONES void make_ipv4_checksums(std::uint64_t sum, const std::uint64_t* addresses, unsigned n,
                                                std::uint16_t* checksums) {
    for (unsigned i = 0; i < whole_vectors(n); ++i)
        checksums[i] = static_cast<std::uint16_t>(~wire::fold(sum + (addresses[i] & 0xffffffff) + (addresses[i] >> 32)));
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

void write_words(const std::uint64_t* words, std::size_t offset, unsigned n, std::uint8_t* const* at) {
    for (unsigned i = 0; i < n; ++i) std::memcpy(at[i] + offset, &words[i], 8);
}

void write_checksums(const std::uint16_t* checksums, std::size_t offset, unsigned n, std::uint8_t* const* at) {
    for (unsigned i = 0; i < n; ++i) std::memcpy(at[i] + offset, &checksums[i], 2);
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
    for (unsigned i = n; i < whole_vectors(n); ++i) seen.differs[i] = seen.number[i] = seen.tail[i] = 0;
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

// A number beyond the trial isn't right, and becomes one for which there is a flow.
XLATPERF_VECTOR_CLONES void take_apart(std::uint64_t frames, unsigned n, Words& seen, SeenBurst& found) {
    const std::uint64_t first = seen.number[0] & probe::low48;
    std::uint64_t jumps = 0;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t number = seen.number[i] & probe::low48;
        const bool in_trial = number < frames;
        found.sequence[i] = in_trial ? number : 0;
        found.stamp48[i] = seen.tail[i] >> 16;
        seen.differs[i] |= in_trial ? 0 : 1;
        jumps |= i < n ? number ^ (first + i) : 0;
    }
    found.consecutive = jumps == 0;
}

// Whether number, probe and UDP header are right: zero if they are in all frames.
XLATPERF_VECTOR_CLONES std::uint64_t compare(std::uint64_t tag, const std::uint64_t* udp, const SeenBurst& found, unsigned n,
                                             Words& seen) {
    std::uint64_t any = 0;
    for (unsigned i = 0; i < n; ++i) {
        const std::uint64_t guard = seen.number[i] >> 48;
        const std::uint64_t sum = tag + probe::words(found.sequence[i]) + probe::words(found.stamp48[i]) + guard;
        seen.differs[i] |= (wire::fold(sum) ^ 0xffffU) | (seen.udp[i] ^ udp[i]);
        any |= seen.differs[i];
    }
    return any;
}

void look_at_words(const std::uint64_t* words, std::size_t offset, const std::uint8_t* const* at, unsigned n, Words& seen) {
    for (unsigned i = 0; i < n; ++i) seen.differs[i] |= piece(at[i] + offset, 0) ^ words[i];
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

}  // namespace

std::optional<Class> class_of_bursts(const Stream& stream) {
    if (stream.mix.only_foreground()) return Class::foreground;
    if (stream.mix.only_background()) return Class::background;
    return {};
}

BurstHeaders::BurstHeaders(const Image& image, const flow::Enumeration& flows, bool any_source, bool any_destination)
    : image_(&image),
      flows_(flows),
      addresses_(image, any_source, any_destination),
      sum_(image.udp_sum() + addresses_.sum_of_others()),
      length_(wire::network16(static_cast<std::uint16_t>(image.size() - image.udp()))) {}

void BurstHeaders::draw(const std::uint64_t* sequences, unsigned n, HeaderBurst& found) const {
    flows_.draw(sequences, n, found.flows);
    addresses_.write(found.flows, n, found.addresses);
}

void BurstHeaders::finish(unsigned n, HeaderBurst& found) const {
    alignas(64) OfBurst<std::uint64_t> sums;
    sums.fill(sum_);
    const unsigned words = addresses_.packet_words();
    for (unsigned w = 0; w < words; ++w) add(found.addresses.of[w].data(), n, sums.data());
    make_udp(sums.data(), length_, found.flows.ports.data(), n, found.udp.data());
    if (words > 0 && image_->family() == wire::Family::ipv4)
        make_ipv4_checksums(image_->ipv4_sum(), found.addresses.of[0].data(), n, found.ipv4_checksum.data());
}

BurstWriter::BurstWriter(const Stream& stream, Class of)
    : headers_(stream.sent_image(of), stream.flows(of), false, stream.learnt_destination && of == Class::foreground) {}

void BurstWriter::draw(std::uint64_t first, unsigned n, HeaderBurst& headers) const {
    alignas(64) OfBurst<std::uint64_t> sequences;
    for (unsigned i = 0; i < most_in_burst; ++i) sequences[i] = first + i;
    headers_.draw(sequences.data(), n, headers);
}

void BurstWriter::send_to(HeaderBurst& headers, unsigned i, const std::uint8_t* address, std::uint16_t port) const {
    headers_.addresses().set_destination(headers.addresses, i, address);
    std::uint32_t& ports = headers.flows.ports[i];
    ports = (ports & 0xffff) | std::uint32_t{wire::network16(port)} << 16;
}

void BurstWriter::write(HeaderBurst& headers, std::uint64_t first, unsigned n, std::uint64_t ticks,
                        std::uint8_t* const* at) const {
    const Image& image = headers_.image();
    const AddressBurst& addresses = headers_.addresses();
    headers_.finish(n, headers);
    alignas(64) OfBurst<std::uint64_t> sequences, number, tail;
    for (unsigned i = 0; i < most_in_burst; ++i) sequences[i] = first + i;
    make_probe(image.tag(), ticks & probe::low48, sequences.data(), n, number.data(), tail.data());
    write_frames(image.bytes(), image.udp(), headers.udp.data(), number.data(), tail.data(), n, at);
    for (unsigned w = 0; w < addresses.words(); ++w) write_words(headers.addresses.of[w].data(), addresses.offset(w), n, at);
    if (addresses.packet_words() > 0 && image.family() == wire::Family::ipv4)
        write_checksums(headers.ipv4_checksum.data(), image.ip() + wire::ipv4::checksum, n, at);
}

BurstVerifier::BurstVerifier(const Stream& stream, Class of)
    : any_source_(stream.any_source && of == Class::foreground),
      headers_(stream.expected_image(of), stream.flows(of), any_source_, false),
      comparison_(Comparison::of(stream, of)),
      frames_(stream.frames) {}

std::uint16_t BurstVerifier::source_port(const std::uint8_t* at) const { return wire::load16(at + headers_.image().udp()); }

// Who the DUT chose is right; the sums must be those of it.
void BurstVerifier::take_sources(const std::uint8_t* const* at, unsigned n, HeaderBurst& headers) const {
    const std::size_t address = headers_.image().source_offset(), udp = headers_.image().udp();
    for (unsigned i = 0; i < n; ++i) {
        headers_.addresses().set_source(headers.addresses, i, at[i] + address);
        std::uint16_t port;
        std::memcpy(&port, at[i] + udp, 2);
        std::uint32_t& ports = headers.flows.ports[i];
        ports = (ports & ~0xffffU) | port;
    }
}

void BurstVerifier::look(const std::uint8_t* const* at, const std::uint16_t* size, unsigned n, SeenBurst& found) const {
    const Image& image = headers_.image();
    Words seen;
    gather(comparison_, image.tag(), at, size, n, seen);
    found.df_differs = 0;
    if (comparison_.ipv4)
        look_at_ipv4(comparison_, image.bytes()[comparison_.ip + wire::ipv4::flags_offset], at, n, seen, found.df_differs);
    take_apart(frames_, n, seen, found);

    HeaderBurst headers;
    headers_.draw(found.sequence.data(), n, headers);
    found.key = headers.flows.key;
    if (any_source_) take_sources(at, n, headers);
    headers_.finish(n, headers);
    const AddressBurst& addresses = headers_.addresses();
    for (unsigned w = 0; w < addresses.words(); ++w)
        look_at_words(headers.addresses.of[w].data(), addresses.offset(w), at, n, seen);
    std::uint64_t any = compare(image.tag(), headers.udp.data(), found, n, seen);
    any |= look_at_fill(image, at, n, seen);

    found.right = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    if (any == 0) [[likely]]
        return;
    for (unsigned i = 0; i < n; ++i) found.right &= ~(std::uint64_t{seen.differs[i] != 0} << i);
}

}  // namespace xlatperf::frame
