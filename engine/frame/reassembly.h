// Puts the fragments of packets together, so that they can be verified as the one frame that was sent (RFC 791 §3.2, RFC 8200
// §4.5). All receivers of a direction share it: a NIC may give the fragments of one packet to several of its queues.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "frame/fragment.h"
#include "frame/image.h"

namespace xlatperf::frame {

class Reassembly {
  public:
    /// So many packets at a time may wait for the rest of their fragments; the oldest is given up for one more.
    static constexpr std::uint32_t most_waiting = 1U << 14;

    /// A packet as if it had come whole, with the Ethernet header of its first fragment.
    struct Whole {
        std::size_t size = 0;
        std::vector<std::uint8_t> bytes;  ///< at least `Image::readable`; `size` are the frame's
        /// The same with the headers of another fragment; empty where all have the same, but for what makes them fragments.
        std::vector<std::uint8_t> other;
        std::uint32_t identification = 0;  ///< that the fragments had
    };

    /// A fragment, as a frame, of a packet whose rest didn't come, or that contradicts another: the first one, if it's there.
    struct GivenUp {
        std::vector<std::uint8_t> bytes;
        std::uint64_t arrival;
    };

    /// `df_above` bytes of an IPv4 packet that a translator makes it sets DF (RFC 7915 §5.1), but not in fragments, which is as
    /// right: the whole gets one then. 0: DF stays as it is in the fragments. A packet waits for `most_ticks` at most: less than
    /// it takes until an identification comes again, or it would get fragments of another packet (RFC 4963).
    Reassembly(std::size_t df_above, std::uint64_t most_ticks)
        : df_above_(df_above), most_ticks_(static_cast<std::int64_t>(most_ticks)), waiting_(most_waiting) {}

    enum class Taken : std::uint8_t {
        waits,      ///< for the rest
        completes,  ///< its packet, which is in `whole`
        repeats,    ///< one that waits: it isn't taken
    };

    /// Takes `one`, which is in the frame at `at` that arrived in tick `arrival`. Packets that are given up are added to
    /// `given_up`.
    Taken add(const std::uint8_t* at, const Fragment& one, std::uint64_t arrival, Whole& whole, std::vector<GivenUp>& given_up);

    /// All that still wait.
    std::vector<GivenUp> give_up_rest();

  private:
    // Source, destination, identification, and of IPv4 the protocol.
    struct Key {
        std::array<std::uint8_t, 40> bytes{};
        bool operator==(const Key&) const = default;
    };
    struct HashKey {
        std::size_t operator()(const Key& key) const;
    };
    struct Part {
        Fragment fragment;
        std::vector<std::uint8_t> frame;
        std::uint64_t arrival;
    };
    struct Packet {
        Key key;
        std::vector<Part> parts;
        std::size_t used = 0;  // of `parts`, whose memory is used again; 0: nothing waits here
    };

    static Key key_of(const std::uint8_t* at, const Fragment& one);
    static bool repeats(const Packet& packet, const std::uint8_t* at, const Fragment& one);
    static bool contradicts(const Packet& packet, const Fragment& one);
    static bool completes(const Packet& packet, const Fragment& one);
    void put_together(const Packet& packet, const std::uint8_t* at, const Fragment& last, Whole& whole) const;
    void give_up(Packet& packet, std::vector<GivenUp>& given_up);
    Packet& packet_for(const Key& key, std::uint64_t now, std::vector<GivenUp>& given_up);

    std::size_t df_above_;
    std::int64_t most_ticks_;
    std::mutex mutex_;
    std::vector<Packet> waiting_;
    std::uint32_t next_ = 0;  // of `waiting_`, in turn
    std::unordered_map<Key, std::uint32_t, HashKey> places_;
};

}  // namespace xlatperf::frame
