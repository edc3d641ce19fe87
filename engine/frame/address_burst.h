// The addresses of a burst's frames: those that differ from frame to frame, in words of 8 bytes as they are in memory.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "flow/burst.h"
#include "frame/image.h"

namespace xlatperf::frame {

inline constexpr unsigned most_in_burst = flow::most_in_burst;
using flow::OfBurst;

class AddressBurst {
  public:
    static constexpr unsigned most_words = 8;  ///< two IPv6 headers

    /// Words in the order of the packet's fields, then of the outer header's.
    struct Words {
        alignas(64) std::array<OfBurst<std::uint64_t>, most_words> of;
    };

    /// Of `image`, which outlives it. The source or the destination differs because the DUT chooses it, or else as the image
    /// says.
    AddressBurst(const Image& image, bool any_source, bool any_destination);

    /// How many words differ, and where in a frame they are; those of the packet come first.
    unsigned words() const { return words_; }
    unsigned packet_words() const { return packet_words_; }
    std::size_t offset(unsigned word) const { return offset_[word]; }
    /// What the packet's other addresses add to a checksum.
    std::uint64_t sum_of_others() const { return sum_of_others_; }

    /// The words of these flows' frames, as the image has them.
    void write(const flow::FlowBurst& flows, unsigned n, Words& words) const;

    /// Puts an address as it is in memory in the place of that of frame i. It's one that any may be.
    void set_source(Words& words, unsigned i, const std::uint8_t* address) const { set(words, i, address, source_word_); }
    void set_destination(Words& words, unsigned i, const std::uint8_t* address) const {
        set(words, i, address, destination_word_);
    }

    /// The two words of destinations that differ, of IPv6.
    OfBurst<std::uint64_t>* destination(Words& words) const { return &words.of[destination_word_]; }

    /// All that is fixed of subscribers of one rule: their addresses are computed from their number, or in its row.
    struct OfRule {
        const flow::Binding* rows = nullptr;
        std::uint64_t ipv6_high = 0, ipv6_low = 0, identifier_mask = 0;
        std::uint64_t ipv4 = 0, psid = 0, psid_mask = 0;
        unsigned ipv6_shift = 0, identifier_shift = 0, psid_bits = 0, host_bits = 0;
        bool host_in_ipv6 = false;
    };

  private:
    static constexpr unsigned none = most_words;

    unsigned add(std::size_t offset);
    void set(Words& words, unsigned i, const std::uint8_t* address, unsigned word) const {
        if (image_->family() == wire::Family::ipv6) {
            words.of[word][i] = piece(address, 0);
            words.of[word + 1][i] = piece(address, 1);
            return;
        }
        std::uint32_t value;
        std::memcpy(&value, address, 4);
        std::uint64_t& both = words.of[0][i];
        both = word == 0 ? (both & ~std::uint64_t{0xffffffff}) | value : (both & 0xffffffff) | std::uint64_t{value} << 32;
    }
    void write_listed(const flow::FlowBurst& flows, unsigned n, Words& words) const;
    void write_mapped(const flow::FlowBurst& flows, unsigned n, bool sources, OfBurst<std::uint64_t>* words) const;
    void write_subscribers(const flow::FlowBurst& flows, unsigned n, Words& words) const;
    void write_one_by_one(const flow::FlowBurst& flows, unsigned n, Words& words) const;

    const Image* image_;
    bool any_source_, any_destination_;
    unsigned words_ = 0, packet_words_ = 0;
    unsigned source_word_ = none, destination_word_ = none, outer_source_word_ = none, outer_destination_word_ = none;
    std::array<std::size_t, most_words> offset_{};
    std::uint64_t sum_of_others_ = 0;
    std::optional<OfRule> rule_;  // of subscribers, if there is only one, or all have rows; of the servers' CEs
};

}  // namespace xlatperf::frame
