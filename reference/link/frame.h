// Frames in buffers of someone else: DPDK's in the program, the heap's in tests.
#pragma once

#include <cstdint>
#include <span>

namespace xlatperf::reference {

enum class Side : std::uint8_t { left, right };
constexpr Side other(Side side) { return side == Side::left ? Side::right : Side::left; }
constexpr std::size_t index(Side side) { return static_cast<std::size_t>(side); }

/// A direction is named by the side where its frames arrive: forward is left to right.
enum class Direction : std::uint8_t { forward, reverse };
constexpr Direction direction_from(Side arrival) { return arrival == Side::left ? Direction::forward : Direction::reverse; }
constexpr std::size_t index(Direction direction) { return static_cast<std::size_t>(direction); }

/// From the Ethernet header to the last byte before the FCS. Whoever holds a frame passes it on or frees it.
struct Frame {
    void* buffer = nullptr;  // nullptr: no frame
    std::uint8_t* data = nullptr;
    std::uint32_t size = 0;
    std::uint32_t room = 0;  // how long it may become
    explicit operator bool() const { return buffer != nullptr; }
    std::span<std::uint8_t> bytes() const { return {data, size}; }
};

class FramePool {
  public:
    virtual ~FramePool() = default;
    /// No frame if there is none left.
    virtual Frame allocate() = 0;
    virtual void free(Frame frame) = 0;
};

class Transmitter {
  public:
    virtual ~Transmitter() = default;
    virtual void transmit(Side side, Frame frame) = 0;
};

}  // namespace xlatperf::reference
