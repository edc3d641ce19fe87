// The image of a test frame as it is on one link: a template, and what varies from frame to frame. The sender writes frames
// from the image of its link, the receiver checks them against the image of the other link: one description for both.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "flow/enumeration.h"
#include "frame/probe.h"
#include "technology/technology.h"
#include "wire/ethernet.h"
#include "wire/headers.h"

namespace xlatperf::frame {

/// An address as it is on the wire, and what it adds to a checksum.
struct alignas(32) AddressEntry {
    std::array<std::uint8_t, 16> bytes{};
    std::uint64_t sum = 0;
};

AddressEntry make_entry(const technology::Address& address);

/// An address as it is on the wire, of `size` bytes.
inline AddressEntry load_entry(const std::uint8_t* at, std::size_t size) {
    AddressEntry entry;
    std::memcpy(entry.bytes.data(), at, size);
    entry.sum = wire::sum_bytes(entry.bytes.data(), size);
    return entry;
}

/// Source and destination of a frame; entries of somebody else.
struct Ends {
    const AddressEntry& source;
    const AddressEntry& destination;
    std::uint16_t source_port, destination_port;
};

/// Fields that all frames of an image share.
struct ImageFields {
    wire::Mac source_mac{}, destination_mac{};
    std::vector<technology::Address> sources, destinations;  ///< one for each network, all of one family
    std::size_t frame_size = 84;                             ///< with frame check sequence (RFC 1242 §3.5)
    std::uint8_t traffic_class = 0, hop_limit = 10;
    bool dont_fragment = true;
    std::uint32_t tag = 0;
};

/// The smallest frame that holds headers and probe, with FCS.
constexpr std::size_t smallest_frame(wire::Family family) {
    return wire::ethernet::size + (family == wire::Family::ipv4 ? wire::ipv4::size : wire::ipv6::size) + wire::udp::size +
           probe::size + wire::ethernet::check_sequence;
}

class Image {
  public:
    explicit Image(const ImageFields& fields);

    wire::Family family() const { return family_; }
    std::size_t size() const { return size_; }  ///< without FCS
    std::size_t udp() const { return udp_; }    ///< offset of the UDP header
    std::size_t probe() const { return udp_ + wire::udp::size; }
    const std::uint8_t* bytes() const { return bytes_.data(); }
    std::uint32_t tag() const { return tag_; }
    bool one_address_pair() const { return sources_.size() == 1 && destinations_.size() == 1; }
    std::uint32_t destinations() const { return static_cast<std::uint32_t>(destinations_.size()); }
    const AddressEntry& source(std::uint32_t network) const { return sources_[network]; }
    const AddressEntry& destination(std::uint32_t network) const { return destinations_[network]; }
    std::size_t source_offset() const { return source_offset_; }
    std::size_t destination_offset() const { return source_offset_ + address_size_; }
    std::size_t address_size() const { return address_size_; }

    /// The UDP checksum field (in memory order) of the frame of `flow`: the probe adds nothing to it.
    std::uint16_t udp_checksum(const flow::Flow& flow) const { return udp_checksum(ends(flow)); }
    std::uint16_t udp_checksum(const Ends& ends) const {
        return wire::udp_checksum_field(udp_sum_ + wire::network16(ends.source_port) + wire::network16(ends.destination_port) +
                                        ends.source.sum + ends.destination.sum);
    }

    /// Who the frame of `flow` goes from and to.
    Ends ends(const flow::Flow& flow) const {
        return {sources_[flow.source_network], destinations_[flow.destination_network], flow.source_port, flow.destination_port};
    }

    /// Writes the frame of `flow` to `at`, which has room for `size()` and at least `head` bytes. With `filled`, what follows the
    /// probe is there already.
    void write(std::uint8_t* at, const flow::Flow& flow, std::uint64_t sequence, std::uint64_t ticks, bool filled) const {
        std::memcpy(at, bytes_.data(), head);  // a constant size: a few vector stores, which may reach into the fill
        if (!filled && size_ > head) std::memcpy(at + head, bytes_.data() + head, size_ - head);
        const Ends between = ends(flow);
        if (!one_address_pair()) write_addresses(at, between);
        finish(at, between, sequence, ticks);
    }

    /// The same for ends that aren't the image's own: what a stateful gateway makes of a client.
    void write(std::uint8_t* at, const Ends& between, std::uint64_t sequence, std::uint64_t ticks, bool filled) const {
        std::memcpy(at, bytes_.data(), head);
        if (!filled && size_ > head) std::memcpy(at + head, bytes_.data() + head, size_ - head);
        write_addresses(at, between);
        finish(at, between, sequence, ticks);
    }

    /// How much `write` always copies; a frame may be shorter.
    static constexpr std::size_t head = 80;

  private:
    void finish(std::uint8_t* at, const Ends& between, std::uint64_t sequence, std::uint64_t ticks) const {
        const std::uint32_t ports =
            wire::network16(between.source_port) | (static_cast<std::uint32_t>(wire::network16(between.destination_port)) << 16);
        const std::uint16_t checksum = udp_checksum(between);
        std::memcpy(at + udp_, &ports, 4);
        std::memcpy(at + udp_ + wire::udp::checksum, &checksum, 2);
        probe::store(at + probe(), tag_, sequence, ticks);
    }

    void write_addresses(std::uint8_t* at, const Ends& between) const;
    void build_ipv4(const ImageFields& fields);
    void build_ipv6(const ImageFields& fields);

    wire::Family family_;
    std::size_t size_;
    std::size_t source_offset_ = 0, address_size_ = 0, udp_ = 0;
    std::uint32_t tag_;
    std::uint64_t udp_sum_ = 0;   // pseudo header without addresses, length twice, probe and fill
    std::uint64_t ipv4_sum_ = 0;  // IPv4 header without addresses and checksum
    std::vector<std::uint8_t> bytes_;
    std::vector<AddressEntry> sources_, destinations_;
};

}  // namespace xlatperf::frame
