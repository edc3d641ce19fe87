// The image of a test frame as it is on one link: a template, and what varies from frame to frame. The sender writes frames
// from the image of its link, the receiver checks them against the image of the other link: one description for both.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "flow/enumeration.h"
#include "frame/header_fields.h"
#include "frame/probe.h"
#include "frame/seal.h"
#include "technology/technology.h"
#include "wire/encapsulation_limit.h"
#include "wire/ethernet.h"
#include "wire/headers.h"

namespace xlatperf::frame {

/// An address as it is on the wire, and what it adds to a checksum.
struct alignas(32) AddressEntry {
    std::array<std::uint8_t, 16> bytes{};
    std::uint64_t sum = 0;
};

AddressEntry make_entry(const wire::Address& address);

/// An address as it is on the wire, of `size` bytes.
inline AddressEntry load_entry(const std::uint8_t* at, std::size_t size) {
    AddressEntry entry;
    std::memcpy(entry.bytes.data(), at, size);
    entry.sum = wire::sum_bytes(entry.bytes.data(), size);
    return entry;
}

/// Source and destination of a packet.
struct Ends {
    AddressEntry source, destination;
    std::uint16_t source_port, destination_port;
};

/// 8 bytes in memory order, the i-th of those at `at`.
inline std::uint64_t piece(const std::uint8_t* at, std::size_t i) {
    std::uint64_t value;
    std::memcpy(&value, at + 8 * i, 8);
    return value;
}

/// The addresses of a frame as they are on the wire, in pieces that fit into registers.
struct FrameAddresses {
    std::array<std::uint64_t, 4> packet;  ///< source and destination; of IPv4 both are in the first
    std::array<std::uint64_t, 4> outer;   ///< in a tunnel
};

/// The outer header of frames in a tunnel (RFC 2473 §5).
struct OuterFields {
    technology::Names source, destination;
    std::uint8_t traffic_class = 0, hop_limit = 64;
    std::optional<std::uint8_t> encapsulation_limit{};  ///< an option behind the header (§4.1.1)

    std::size_t option() const { return encapsulation_limit ? wire::encapsulation_limit::size : 0; }
};

/// What all frames of an image share, and who they are between.
struct ImageFields : HeaderFields {
    wire::Mac source_mac{}, destination_mac{};
    technology::Names sources, destinations;  ///< of one family; if both are subscribers, they are IPv4 hosts in tunnels
    std::optional<OuterFields> outer;         ///< in a tunnel
    std::size_t frame_size = 84;              ///< with frame check sequence (RFC 1242 §3.5), without encapsulation limit
    std::uint32_t tag = 0;
    Key key{};  ///< of the numbers' seals
};

/// The smallest frame that holds headers and probe, with FCS.
constexpr std::size_t smallest_frame(std::size_t ip_headers) {
    return wire::ethernet::size + ip_headers + wire::udp::size + probe::size + wire::ethernet::check_sequence;
}
constexpr std::size_t smallest_frame(wire::Family family) {
    return smallest_frame(family == wire::Family::ipv4 ? wire::ipv4::size : wire::ipv6::size);
}

class Image {
  public:
    /// Who is named in a field of a header.
    struct Named {
        std::vector<AddressEntry> list;    ///< empty: the subscriber, the client's B4, or the server's CE
        std::uint32_t of_each_domain = 0;  ///< entries of `list` for each domain; 0: for all together
        /// Instead of the subscriber's own IPv6 address, its IPv4 address in that of the other one's domain, or in the only one.
        std::vector<wire::Ipv6Prefix> outside;
        std::vector<std::array<std::uint8_t, 16>> sorted;  ///< addresses of a list that is long

        bool has(const AddressEntry& entry) const;

        /// Whether it isn't the same in all frames.
        bool varies() const { return list.size() != 1; }
    };

    explicit Image(const ImageFields& fields);

    wire::Family family() const { return family_; }  ///< of the packet; in a tunnel, of the one inside
    bool outer() const { return outer_; }
    bool has_encapsulation_limit() const { return ip_ > wire::ethernet::size + wire::ipv6::size; }  ///< (RFC 2473 §4.1.1)
    std::size_t ip() const { return ip_; }      ///< offset of the packet's header
    std::size_t size() const { return size_; }  ///< without FCS
    std::size_t udp() const { return udp_; }    ///< offset of the UDP header
    std::size_t probe() const { return udp_ + wire::udp::size; }
    const std::uint8_t* bytes() const { return bytes_.data(); }
    std::uint32_t tag() const { return tag_; }
    const Seal& seal() const { return seal_; }
    const flow::Subscribers* subscribers() const { return subscribers_.get(); }
    /// No tunnel whose ends differ from frame to frame.
    bool one_outer_pair() const { return one_outer_pair_; }
    const Named& sources() const { return source_; }
    const Named& destinations() const { return destination_; }
    const Named& outer_sources() const { return outer_source_; }
    const Named& outer_destinations() const { return outer_destination_; }
    /// Both are subscribers (RFC 7596 §6.2, RFC 7597 §5).
    bool hairpin() const { return hairpin_; }
    const std::optional<flow::B4s>& b4s() const { return b4s_; }
    const std::optional<flow::MappedServers>& mapped() const { return mapped_; }
    const AddressEntry& source(std::uint32_t host) const { return source_.list[host]; }
    const AddressEntry& destination(std::uint32_t host) const { return destination_.list[host]; }
    /// Of an image without subscribers: who the frame of `flow` comes from, or goes to.
    AddressEntry source_of(const flow::Flow& flow) const {
        if (source_.list.empty()) [[unlikely]]
            return make_entry(mapped_->address(flow.source_host, flow.source_port));
        return source_.list[flow.source_host];
    }
    AddressEntry destination_of(const flow::Flow& flow) const {
        if (destination_.list.empty()) [[unlikely]]
            return make_entry(mapped_->address(flow.destination_host, flow.destination_port));
        return destination_.list[flow.destination_host];
    }
    /// Whether a packet, the outer one of a tunnel or the one inside, may be addressed to who is named here. Of subscribers, who
    /// are too many to ask each, to somebody whom a rule covers.
    bool may_be_to(const wire::Address& destination) const;
    /// The same of who may have sent it.
    bool may_be_from(const wire::Address& source) const;
    std::size_t source_offset() const { return source_offset_; }
    std::size_t destination_offset() const { return source_offset_ + address_size_; }
    std::size_t address_size() const { return address_size_; }

    /// The UDP checksum field (in memory order) of a packet between these ends: the probe adds nothing to it.
    std::uint16_t udp_checksum(const Ends& ends) const {
        return udp_checksum_mask_ &
               wire::udp_checksum_field(udp_sum_ + wire::network16(ends.source_port) + wire::network16(ends.destination_port) +
                                        ends.source.sum + ends.destination.sum);
    }

    /// What all frames add to the UDP checksum: everything but ports and addresses.
    std::uint64_t udp_sum() const { return udp_sum_; }
    /// 0: packets have no UDP checksum (RFC 768).
    std::uint16_t udp_checksum_mask() const { return udp_checksum_mask_; }
    /// What all packets add to the IPv4 header's checksum: everything but the addresses.
    std::uint64_t ipv4_sum() const { return ipv4_sum_; }

    /// Who the frame of `flow` goes from and to.
    Ends ends(const flow::Flow& flow) const {
        if (subscribers_) [[unlikely]]
            return subscriber_ends(flow);
        return {source_of(flow), destination_of(flow), flow.source_port, flow.destination_port};
    }

    /// Of images with subscribers: all addresses of the frame of `flow`.
    FrameAddresses subscriber_addresses(const flow::Flow& flow) const {
        if (hairpin_) [[unlikely]]
            return hairpin_addresses(flow);
        const auto who = flow::Subscriber::of(flow.subscriber);
        const bool sends = source_.list.empty();
        const std::uint32_t host = sends ? flow.source_host : flow.destination_host;
        const Named& other = sends ? destination_ : source_;
        const std::uint32_t far_host = sends ? flow.destination_host : flow.source_host;
        const AddressEntry& far = other.list[far_host + who.domain * other.of_each_domain];
        FrameAddresses found;
        std::uint64_t high = 0, low = 0;
        if (outer_ || family_ == wire::Family::ipv6) {
            const wire::Bits128 address = subscribers_->ipv6(who, host).value;
            high = __builtin_bswap64(static_cast<std::uint64_t>(address >> 64));
            low = __builtin_bswap64(static_cast<std::uint64_t>(address));
        }
        if (family_ == wire::Family::ipv4) {
            const std::uint64_t own = __builtin_bswap32(subscribers_->ipv4(who, host).value),
                                there = piece(far.bytes.data(), 0) & 0xffffffff;
            found.packet[0] = sends ? own | there << 32 : there | own << 32;
        } else {
            found.packet = in_order(sends, high, low, far);
        }
        if (outer_) {
            const Named& end = sends ? outer_destination_ : outer_source_;
            found.outer = in_order(sends, high, low, end.list[who.domain * end.of_each_domain]);
        }
        return found;
    }

    /// Of images whose outer pairs differ: the outer addresses of the frame of `flow`.
    std::array<std::uint64_t, 4> outer_ends(const flow::Flow& flow) const {
        if (subscribers_) return subscriber_addresses(flow).outer;
        const bool sends = outer_source_.list.empty();
        const auto& far = (sends ? outer_destination_ : outer_source_).list[0];
        if (b4s_) return in_order(sends, b4s_->address(flow.b4), far);
        return in_order(sends,
                        sends ? mapped_->address(flow.source_host, flow.source_port)
                              : mapped_->address(flow.destination_host, flow.destination_port),
                        far);
    }

    /// Writes the frame of `flow` between these ends to `at`, which has room for `size()` and at least `head` bytes.
    void write(std::uint8_t* at, const flow::Flow& flow, const Ends& between, std::uint64_t sequence, std::uint64_t ticks) const;

    /// How much of a template is always copied; a frame may be shorter.
    static constexpr std::size_t head = 80;
    /// The bytes of a received frame that may be looked at whatever its size.
    static constexpr std::size_t readable = 112;

  private:
    Ends subscriber_ends(const flow::Flow& flow) const;
    FrameAddresses hairpin_addresses(const flow::Flow& flow) const;
    /// `who` in a field of an IPv6 header, in a packet from or to `other`.
    wire::Ipv6Address hairpin_end(const Named& named, const flow::Subscriber& who, std::uint32_t host,
                                  const flow::Subscriber& other) const;
    static Named make_named(const technology::Names& names);
    bool may_be(const Named& who, const wire::Address& address) const;

    void write_addresses(std::uint8_t* at, const AddressEntry& source, const AddressEntry& destination) const;

    /// An IPv6 address and that of the other end, as source and destination.
    static std::array<std::uint64_t, 4> in_order(bool sends, wire::Ipv6Address own, const AddressEntry& far) {
        return in_order(sends, __builtin_bswap64(static_cast<std::uint64_t>(own.value >> 64)),
                        __builtin_bswap64(static_cast<std::uint64_t>(own.value)), far);
    }
    static std::array<std::uint64_t, 4> in_order(bool sends, std::uint64_t high, std::uint64_t low, const AddressEntry& far) {
        if (sends) return {high, low, piece(far.bytes.data(), 0), piece(far.bytes.data(), 1)};
        return {piece(far.bytes.data(), 0), piece(far.bytes.data(), 1), high, low};
    }

    void build_outer(const OuterFields& outer);
    void build_ipv4(const ImageFields& fields);
    void build_ipv6(const ImageFields& fields);

    wire::Family family_;
    bool outer_, hairpin_, one_outer_pair_ = true;
    std::uint16_t udp_checksum_mask_ = 0xffff;
    std::size_t ip_, size_;
    std::size_t source_offset_ = 0, address_size_ = 0, udp_ = 0;
    std::uint32_t tag_;
    Seal seal_;
    std::uint64_t udp_sum_ = 0;   // pseudo header without addresses, length twice, probe and fill
    std::uint64_t ipv4_sum_ = 0;  // IPv4 header without addresses and checksum
    std::vector<std::uint8_t> bytes_;
    std::shared_ptr<const flow::Subscribers> subscribers_;
    std::optional<flow::B4s> b4s_;
    std::optional<flow::MappedServers> mapped_;
    Named source_, destination_, outer_source_, outer_destination_;
};

}  // namespace xlatperf::frame
