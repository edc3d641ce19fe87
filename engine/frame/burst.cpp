#include "frame/burst.h"

#include <algorithm>
#include <type_traits>

#include "wire/clones.h"

namespace xlatperf::frame {

namespace {

constexpr std::size_t udp_header = 8;  // bytes: one word

using flow::whole_vectors;

// What address words add to a checksum that others add `sum` to.
XLATPERF_VECTOR_CLONES void sum_up(std::uint64_t sum, const AddressBurst::Words& addresses, unsigned words, unsigned n,
                                   std::uint64_t* sums) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) sums[i] = sum + probe::words(addresses.of[0][i]);
    for (unsigned w = 1; w < words; ++w) {
        for (unsigned i = 0; i < whole_vectors(n); ++i) sums[i] += probe::words(addresses.of[w][i]);
    }
}

// `sum`: of all but the ports, where it is the same in all frames; else it is in `sums`.
XLATPERF_VECTOR_CLONES void make_udp(std::uint64_t sum, const std::uint64_t* sums, UdpRest rest, const std::uint64_t* ports,
                                     unsigned n, std::uint64_t* udp) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t of_others = sums != nullptr ? sums[i] : sum;
        udp[i] = ports[i] | rest.length << 32 | (wire::udp_checksum(of_others + ports[i]) & rest.checksum_mask) << 48;
    }
}

// The same, and the IPv4 header's checksums, of packets whose addresses differ. Sums: of all but these, and the ports.
XLATPERF_VECTOR_CLONES void make_udp_and_ipv4(std::uint64_t udp_sum, std::uint64_t ipv4_sum, UdpRest rest,
                                              const std::uint64_t* addresses, const std::uint64_t* ports, unsigned n,
                                              std::uint64_t* udp, std::uint64_t* ipv4_checksums) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t sum = probe::words(addresses[i]);
        udp[i] = ports[i] | rest.length << 32 | (wire::udp_checksum(udp_sum + sum + ports[i]) & rest.checksum_mask) << 48;
        ipv4_checksums[i] = wire::folded(ipv4_sum + sum) ^ 0xffff;
    }
}

// The probe from the number on, which is there and gets the guard, as two words that overlap in the guard.
XLATPERF_VECTOR_CLONES void make_probe(std::uint32_t tag, std::uint64_t stamp48, unsigned n, std::uint64_t* number,
                                       std::uint64_t* tail) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t guard = probe::guard_of(tag, number[i], stamp48);
        number[i] |= guard << 48;
        tail[i] = stamp48 << 16 | guard;
    }
}

// Calls `function` with their number as a constant, so that loops over them are unrolled.
template <unsigned words = AddressBurst::most_words>
[[gnu::always_inline]] inline auto with_words(unsigned n, const auto& function) {
    if constexpr (words == 0) {
        return function(std::integral_constant<unsigned, 0>());
    } else {
        if (n == words) return function(std::integral_constant<unsigned, words>());
        return with_words<words - 1>(n, function);
    }
}

// What is written into each frame over the template, and where.
struct Pieces {
    const std::uint8_t* bytes;  // of the template
    std::size_t udp_at, checksum_at;
    const std::uint64_t *udp, *number, *tail;
    const std::uint64_t* ipv4_checksums;  // or null: the template's is right
};

// The tag is in the template.
template <unsigned words> [[gnu::always_inline]] inline void write_pieces(const Pieces& p, const AddressBurst& addresses,
                                                                          const AddressBurst::Words& of, unsigned n,
                                                                          std::uint8_t* const* probes) {
    std::array<std::size_t, words> offset;
    for (unsigned w = 0; w < words; ++w) offset[w] = addresses.offset(w);
    for (unsigned i = 0; i < n; ++i) {
        std::uint8_t* const frame = probes[i] - udp_header - p.udp_at;
        std::memcpy(frame, p.bytes, Image::head);  // a constant size: a few vector stores, which may reach into the fill
        for (unsigned w = 0; w < words; ++w) std::memcpy(frame + offset[w], &of.of[w][i], 8);
        if (words > 0 && p.ipv4_checksums != nullptr) std::memcpy(frame + p.checksum_at, &p.ipv4_checksums[i], 2);
        std::uint8_t* header = frame + p.udp_at;
        std::memcpy(header, &p.udp[i], udp_header);
        std::memcpy(header + udp_header + probe::number, &p.number[i], 8);
        std::memcpy(header + udp_header + probe::guard, &p.tail[i], 8);
    }
}

XLATPERF_VECTOR_CLONES void write_frames(const Pieces& pieces, const AddressBurst& addresses, const AddressBurst::Words& words,
                                         unsigned n, std::uint8_t* const* probes) {
    const Pieces p = pieces;  // nothing that is written can change it
    with_words(
        addresses.words(), [&](auto count)
                               __attribute__((always_inline)) { write_pieces<count>(p, addresses, words, n, probes); });
}

// The first words of a frame, anywhere in memory. Each member is as large as vectors of AVX2; by memcpy it would be stored in
// smaller ones, and then loading the whole would have to wait.
using Vector [[gnu::vector_size(32)]] = std::uint64_t;
struct [[gnu::packed, gnu::may_alias]] FirstWords {
    Vector headers, behind, in_tunnel;
};
static_assert(sizeof(FirstWords) == 8 * Comparison::words);

// Returns zero if what is the same in all frames is as it must be.
XLATPERF_VECTOR_CLONES std::uint64_t gather(const Comparison& comparison, std::uint32_t tag, const std::uint8_t* const* at,
                                            const std::uint16_t* size, unsigned n, SeenWords& seen) {
    const auto& pattern = *reinterpret_cast<const FirstWords*>(comparison.pattern.data());
    const auto& mask = *reinterpret_cast<const FirstWords*>(comparison.mask.data());
    const Vector headers = pattern.headers, behind = pattern.behind, in_tunnel = pattern.in_tunnel;
    const bool tunnel = comparison.tunnel;
    Vector headers_differ{}, behind_differ{}, in_tunnel_differ{};  // collected over all frames
    std::uint64_t any = 0;
    for (unsigned i = 0; i < n; ++i) {
        const std::uint8_t* probe = at[i] + comparison.probe;
        std::uint32_t seen_tag;
        std::memcpy(&seen_tag, probe + probe::tag, 4);
        std::memcpy(&seen.udp[i], probe - udp_header, 8);
        std::memcpy(&seen.number[i], probe + probe::number, 8);
        std::memcpy(&seen.tail[i], probe + probe::guard, 8);
        std::memcpy(&seen.ipv4[i], at[i] + comparison.ip + wire::ipv4::identification, 8);
        const auto& first = *reinterpret_cast<const FirstWords*>(at[i]);
        headers_differ |= first.headers ^ headers;
        behind_differ |= first.behind ^ behind;
        if (tunnel) in_tunnel_differ |= first.in_tunnel ^ in_tunnel;
        any |= (seen_tag ^ tag) | (size[i] ^ comparison.size);
    }
    const Vector differ = (headers_differ & mask.headers) | (behind_differ & mask.behind) | (in_tunnel_differ & mask.in_tunnel);
    for (unsigned w = 0; w < 4; ++w) any |= differ[w];
    for (unsigned i = n; i < whole_vectors(n); ++i) seen.udp[i] = seen.ipv4[i] = seen.number[i] = seen.tail[i] = 0;
    return any;
}

// A number beyond the trial isn't right, and becomes one for which there is a flow. Returns zero if there is none.
XLATPERF_VECTOR_CLONES std::uint64_t take_apart(std::uint64_t frames, const SeenWords& seen, unsigned n, SeenBurst& found) {
    const std::uint64_t first = seen.number[0] & probe::low40;
    std::uint64_t jumps = 0, beyond = 0;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        const std::uint64_t number = seen.number[i] & probe::low40;
        const bool in_trial = number < frames;
        found.sequence[i] = in_trial ? number : 0;
        found.stamp48[i] = seen.tail[i] >> 16;
        beyond |= in_trial ? 0 : 1;
        jumps |= i < n ? number ^ (first + i) : 0;
    }
    found.consecutive = jumps == 0;
    return beyond;
}

std::uint64_t look_at_words(const AddressBurst& addresses, const AddressBurst::Words& words, unsigned n,
                            const std::uint8_t* const* at) {
    return with_words(addresses.words(), [&](auto count) {
        std::uint64_t any = 0;
        for (unsigned i = 0; i < n; ++i) {
            const std::uint8_t* frame = at[i];
            for (unsigned w = 0; w < count; ++w) any |= piece(frame + addresses.offset(w), 0) ^ words.of[w][i];
        }
        return any;
    });
}

// The words of a probe and its tag sum to 0xffff.
std::uint64_t probe_differs(std::uint64_t tag, std::uint64_t number, std::uint64_t tail) {
    const std::uint64_t guard = number >> 48;
    return wire::folded(tag + probe::words(number & probe::low48) + probe::words(tail >> 16) + guard) ^ 0xffff;
}

// Returns zero if all UDP headers and probes are right. `sealed`: the numbers that those frames have.
XLATPERF_VECTOR_CLONES std::uint64_t compare(std::uint64_t tag, const std::uint64_t* udp, const std::uint64_t* sealed,
                                             const SeenWords& seen, unsigned n) {
    std::uint64_t any = 0;
    for (unsigned i = 0; i < n; ++i) {
        any |= probe_differs(tag, seen.number[i], seen.tail[i]) | (seen.udp[i] ^ udp[i]);
        any |= (seen.number[i] ^ sealed[i]) & probe::low48;
    }
    return any;
}

// `sum`: of all words of the header that are the same in all frames. Those of the addresses, if they aren't, are in `addresses`.
std::uint64_t ipv4_differs(std::uint64_t sum, std::uint64_t word, std::uint64_t addresses) {
    return wire::folded(sum + probe::words(word) + probe::words(addresses)) ^ 0xffff;
}

// Returns zero if all IPv4 checksums are right. Bit i of `df_differs`: DF is another in frame i than in the image, whose word
// this is.
XLATPERF_VECTOR_CLONES std::uint64_t look_at_ipv4(std::uint64_t sum, std::uint64_t word, const SeenWords& seen,
                                                  const std::uint64_t* addresses, unsigned n, std::uint64_t& df_differs) {
    constexpr unsigned df = 8 * (wire::ipv4::flags_offset - wire::ipv4::identification) + 6;
    std::uint64_t any = 0, differ = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        any |= ipv4_differs(sum, seen.ipv4[i], addresses != nullptr ? addresses[i] : 0);
        differ |= ((seen.ipv4[i] ^ word) >> df & 1) << i;
    }
    df_differs = differ;
    return any;
}

// Returns zero if what is behind the probes is as it must be, which is the same in all frames.
std::uint64_t look_at_fill(const Image& image, const std::uint8_t* const* at, unsigned n) {
    constexpr std::size_t worth_a_call = 128;
    const std::size_t fill = image.probe() + probe::size, end = image.size();
    if (end <= fill) return 0;
    std::uint64_t any = 0;
    if (end - fill < 8 || end - fill > worth_a_call) {
        for (unsigned i = 0; any == 0 && i < n; ++i)
            any = std::memcmp(at[i] + fill, image.bytes() + fill, end - fill) != 0 ? 1 : 0;
        return any;
    }
    for (std::size_t from = fill; from < end; from += 8) {
        const std::size_t word = std::min(from, end - 8);  // the last one ends where the frame does
        const std::uint64_t right = piece(image.bytes() + word, 0);
        for (unsigned i = 0; i < n; ++i) any |= piece(at[i] + word, 0) ^ right;
    }
    return any;
}

// Source and destination as in `AddressBurst`, ports as in the flow.
XLATPERF_VECTOR_CLONES void join_destinations(const std::uint64_t* ends, unsigned n, std::uint64_t* addresses,
                                              std::uint64_t* ports) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        addresses[i] = (addresses[i] & 0xffffffff) | ends[i] << 32;
        ports[i] = (ports[i] & 0xffff) | flow::port_in_memory(ends[i] >> 32 & 0xffff) << 16;
    }
}

XLATPERF_VECTOR_CLONES void set_ipv6_destinations(const LearntEnds& ends, unsigned n, OfBurst<std::uint64_t>* address,
                                                  std::uint64_t* ports) {
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        address[0][i] = ends.words[0][i];
        address[1][i] = ends.words[1][i];
        ports[i] = (ports[i] & 0xffff) | flow::port_in_memory(ends.words[2][i] & 0xffff) << 16;
    }
}

// Whom the DUT chose is right; the sums must be those of it. Source and destination as in `AddressBurst`, ports as in the flow.
XLATPERF_VECTOR_CLONES void join_sources(const SeenWords& seen, unsigned n, std::uint64_t* addresses, std::uint64_t* ports) {
    constexpr std::uint64_t address = 0xffffffff, port = 0xffff;
    for (unsigned i = 0; i < whole_vectors(n); ++i) {
        addresses[i] = (addresses[i] & ~address) | (seen.addresses[i] & address);
        ports[i] = (ports[i] & 0xffff0000) | (seen.udp[i] & port);
    }
}

}  // namespace

BurstHeaders::BurstHeaders(const Image& image, const flow::Enumeration& flows, bool any_source, bool any_destination)
    : image_(&image),
      flows_(flows),
      addresses_(image, any_source, any_destination),
      sum_(image.udp_sum() + addresses_.sum_of_others()),
      rest_{wire::network16(static_cast<std::uint16_t>(image.size() - image.udp())), image.udp_checksum_mask()} {}

void BurstHeaders::draw(const std::uint64_t* sequences, unsigned n, HeaderBurst& found) const {
    flows_.draw(sequences, n, found.flows);
    addresses_.write(found.flows, n, found.addresses);
}

void BurstHeaders::draw_connected(const OfBurst<std::uint64_t>& connections, unsigned n, HeaderBurst& found) const {
    std::copy_n(connections.begin(), flow::whole_vectors(n), found.flows.connection.begin());
    flows_.draw_connected(n, found.flows);
    addresses_.write(found.flows, n, found.addresses);
}

void BurstHeaders::finish(unsigned n, HeaderBurst& found) const {
    const unsigned words = addresses_.packet_words();
    const std::uint64_t* ports = found.flows.ports.data();
    if (words == 0) return make_udp(sum_, nullptr, rest_, ports, n, found.udp.data());
    if (image_->family() == wire::Family::ipv4)
        return make_udp_and_ipv4(sum_, image_->ipv4_sum(), rest_, found.addresses.of[0].data(), ports, n, found.udp.data(),
                                 found.ipv4_checksum.data());
    alignas(64) OfBurst<std::uint64_t> sums;
    sum_up(sum_, found.addresses, words, n, sums.data());
    make_udp(0, sums.data(), rest_, ports, n, found.udp.data());
}

BurstWriter::BurstWriter(const Stream& stream, Class of, unsigned size)
    : headers_(stream.sent[flow::index(of)].of_size(size), stream.flows(of), false,
               stream.learnt_destination && of == Class::foreground) {}

void BurstWriter::send_to(HeaderBurst& headers, unsigned i, const std::uint8_t* address, std::uint16_t port) const {
    headers_.addresses().set_destination(headers.addresses, i, address);
    std::uint64_t& ports = headers.flows.ports[i];
    ports = (ports & 0xffff) | std::uint64_t{wire::network16(port)} << 16;
}

void BurstWriter::send_to(HeaderBurst& headers, const LearntEnds& ends, unsigned n) const {
    std::uint64_t* ports = headers.flows.ports.data();
    if (headers_.image().family() == wire::Family::ipv4)
        return join_destinations(ends.words[0].data(), n, headers.addresses.of[0].data(), ports);
    set_ipv6_destinations(ends, n, headers_.addresses().destination(headers.addresses), ports);
}

void BurstWriter::write(const HeaderBurst& headers, const std::uint64_t* sequences, unsigned n, std::uint64_t ticks,
                        std::uint8_t* const* probes) const {
    const Image& image = headers_.image();
    const AddressBurst& addresses = headers_.addresses();
    alignas(64) OfBurst<std::uint64_t> number, tail;
    image.seal().numbers(sequences, n, number.data());
    make_probe(image.tag(), ticks & probe::low48, n, number.data(), tail.data());
    const bool ipv4 = addresses.packet_words() > 0 && image.family() == wire::Family::ipv4;
    write_frames({.bytes = image.bytes(),
                  .udp_at = image.udp(),
                  .checksum_at = image.ip() + wire::ipv4::checksum,
                  .udp = headers.udp.data(),
                  .number = number.data(),
                  .tail = tail.data(),
                  .ipv4_checksums = ipv4 ? headers.ipv4_checksum.data() : nullptr},
                 addresses, headers.addresses, n, probes);
}

BurstVerifier::BurstVerifier(const Stream& stream, Class of, unsigned size)
    : any_source_(stream.any_source && of == Class::foreground),
      has_connections_(stream.flows(of).has_connections()),
      headers_(stream.expected[flow::index(of)].of_size(size), stream.flows(of), any_source_, false),
      comparison_(Comparison::of(stream, of, headers_.image())),
      frames_(stream.frames) {
    if (!comparison_.ipv4) return;
    const std::uint8_t* ip = headers_.image().bytes() + comparison_.ip;
    std::memcpy(&ipv4_word_, ip + wire::ipv4::identification, 8);
    ipv4_sum_ = wire::sum_bytes(ip, wire::ipv4::identification);
    if (headers_.addresses().packet_words() == 0) ipv4_sum_ += headers_.addresses().sum_of_others();
}

void BurstVerifier::take_sources(Looking& looking) const {
    HeaderBurst& headers = looking.headers;
    if (headers_.image().family() == wire::Family::ipv4)
        return join_sources(looking.words, looking.n, headers.addresses.of[0].data(), headers.flows.ports.data());
    const std::size_t address = headers_.image().source_offset();
    for (unsigned i = 0; i < looking.n; ++i) {
        headers_.addresses().set_source(headers.addresses, i, looking.at[i] + address);
        headers.flows.ports[i] = (headers.flows.ports[i] & 0xffff0000) | (looking.words.udp[i] & 0xffff);
    }
}

void BurstVerifier::begin(Looking& looking, SeenBurst& found) const {
    const auto* at = looking.at;
    const unsigned n = looking.n;
    SeenWords& seen = looking.words;
    seen.number[0] = 0;  // where there is no frame
    looking.any = gather(comparison_, headers_.image().tag(), at, looking.size, n, seen);
    if (any_source_ && comparison_.ipv4) {
        const std::size_t addresses = headers_.image().source_offset();
        for (unsigned i = 0; i < n; ++i) seen.addresses[i] = piece(at[i] + addresses, 0);
        for (unsigned i = n; i < whole_vectors(n); ++i) seen.addresses[i] = 0;
    }
    looking.any |= take_apart(frames_, seen, n, found);
    if (has_connections_) headers_.flows().connections(found.sequence.data(), n, found.connection.data());
}

void BurstVerifier::finish(Looking& looking, SeenBurst& found) const {
    const Image& image = headers_.image();
    const AddressBurst& addresses = headers_.addresses();
    const auto* at = looking.at;
    const auto* size = looking.size;
    const unsigned n = looking.n;
    const SeenWords& seen = looking.words;
    HeaderBurst& headers = looking.headers;
    std::uint64_t any = looking.any;
    if (has_connections_) {
        headers_.draw_connected(found.connection, n, headers);
    } else {
        headers_.draw(found.sequence.data(), n, headers);
    }
    if (any_source_) take_sources(looking);
    headers_.finish(n, headers);
    any |= look_at_words(addresses, headers.addresses, n, at);
    found.df_differs = 0;
    const std::uint64_t* of_ipv4 = addresses.packet_words() > 0 ? headers.addresses.of[0].data() : nullptr;
    if (comparison_.ipv4) any |= look_at_ipv4(ipv4_sum_, ipv4_word_, seen, of_ipv4, n, found.df_differs);
    alignas(64) OfBurst<std::uint64_t> sealed;
    image.seal().numbers(found.sequence.data(), n, sealed.data());
    any |= compare(image.tag(), headers.udp.data(), sealed.data(), seen, n);
    // Not of frames that aren't right anyway, perhaps by their size.
    if (any == 0) any = look_at_fill(image, at, n);

    found.right = n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
    if (any == 0) [[likely]]
        return;
    const auto differs = [&](unsigned i) {
        std::uint64_t one = comparison_.differs(at[i], size[i]) | (probe::load_tag(at[i] + comparison_.probe) ^ image.tag());
        one |= (seen.number[i] ^ sealed[i]) & probe::low48;
        one |= probe_differs(image.tag(), seen.number[i], seen.tail[i]) | (seen.udp[i] ^ headers.udp[i]);
        for (unsigned w = 0; w < addresses.words(); ++w)
            one |= piece(at[i] + addresses.offset(w), 0) ^ headers.addresses.of[w][i];
        if (comparison_.ipv4) one |= ipv4_differs(ipv4_sum_, seen.ipv4[i], of_ipv4 != nullptr ? of_ipv4[i] : 0);
        return one != 0 || look_at_fill(image, &at[i], 1) != 0;  // which a shorter frame doesn't have
    };
    for (unsigned i = 0; i < n; ++i) found.right &= ~(std::uint64_t{differs(i)} << i);
}

}  // namespace xlatperf::frame
