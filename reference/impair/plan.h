// What is to be done to the test packets of one direction. Test packets are the UDP packets that the gateway forwards;
// they're numbered 1, 2, 3 ... in order of arrival.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace xlatperf::reference {

/// Every `every`-th packet (n % every == 0), and those of `positions` (sorted, the first packet is 1).
struct Selection {
    std::uint64_t every = 0;  // 0: none
    std::vector<std::uint64_t> positions;
    bool empty() const { return every == 0 && positions.empty(); }
};

enum class Alteration : std::uint8_t {
    payload,  // lowest bit of the last byte of UDP data; UDP checksum as it was
    address,  // lowest bit of the destination address; IPv4 header checksum right, UDP checksum as it was
    source_address,
    port,           // lowest bit of the destination port; UDP checksum as it was
    udp_checksum,   // a bit of it; never becomes zero
    ip_checksum,    // lowest bit of the IPv4 header checksum; IPv4 only
    traffic_class,  // lowest bit of the DSCP; IPv4 header checksum right
    hop_limit,      // not decremented; IPv4 header checksum right
    outer_address,  // in a tunnel (IPv4 in IPv6): lowest bit of the outer destination address
    outer_source_address,
    outer_traffic_class,  // lowest bit of the outer DSCP
    outer_hop_limit,      // one more than it should be
    count
};
inline constexpr std::size_t alterations = static_cast<std::size_t>(Alteration::count);
inline constexpr std::array<std::string_view, alterations> alteration_names = {"payload",
                                                                               "address",
                                                                               "source_address",
                                                                               "port",
                                                                               "udp_checksum",
                                                                               "ip_checksum",
                                                                               "traffic_class",
                                                                               "hop_limit",
                                                                               "outer_address",
                                                                               "outer_source_address",
                                                                               "outer_traffic_class",
                                                                               "outer_hop_limit"};

struct Corruption {
    Alteration what = Alteration::payload;
    Selection which;
};

struct Reorder {
    Selection which;
    std::uint64_t by = 1;                  // leaves right behind the `by`-th packet after it
    std::uint64_t flush_ns = 100'000'000;  // leaves anyway when nothing has arrived for so long
};

struct DelayRule {
    Selection which;
    std::uint64_t delay_ns = 0;
};

struct CapacityPlan {
    double rate_fps = 0;
    std::uint64_t buffer = 0;  // packets that may wait
};

struct Stall {
    std::uint64_t at = 0;  // the packet that it begins with
    std::uint64_t for_ns = 0;
    std::uint64_t buffer = 0;  // packets kept until it's over; the others are dropped
};

struct Plan {
    Selection change_mapping, share_mapping, outside_pool;  // of stateful translation, which numbers its packets itself
    Selection drop;
    std::optional<Stall> stall;
    std::optional<CapacityPlan> capacity;
    std::vector<Corruption> corrupt;
    Selection untranslated;
    Selection duplicate;
    std::optional<Reorder> reorder;
    std::uint64_t delay_ns = 0;
    std::vector<DelayRule> delays;  // the last one that selects a packet counts
};

/// Whether a selection takes packet n, for n = 1, 2, 3 ... asked once each, in order: no division.
class Selector {
  public:
    Selector() : Selector(Selection{}) {}
    explicit Selector(const Selection& selection) : every_(selection.every), positions_(selection.positions) {}
    bool next() {
        ++number_;
        bool taken = false;
        if (every_ != 0 && ++count_ == every_) {
            count_ = 0;
            taken = true;
        }
        while (at_ < positions_.size() && positions_[at_] < number_) ++at_;
        return taken || (at_ < positions_.size() && positions_[at_] == number_);
    }

  private:
    std::uint64_t every_, number_ = 0, count_ = 0;
    std::vector<std::uint64_t> positions_;
    std::size_t at_ = 0;
};

}  // namespace xlatperf::reference
