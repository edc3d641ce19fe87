// The ports of one of several subscribers that share an IPv4 address (RFC 7597 §5.1, Appendix B): a port is A, PSID and j,
// `offset`, `length` and the remaining bits wide. Sets with an offset leave out A = 0, and so the well-known ports.
#pragma once

#include <cstdint>

namespace xlatperf::flow {

class PortSet {
  public:
    /// `offset` 0 to 15, `length` 0 to 16, together at most 16; `psid` below 2^length.
    constexpr PortSet(unsigned offset, unsigned length, std::uint16_t psid) : offset_(offset), length_(length), psid_(psid) {}

    constexpr unsigned psid_offset() const { return offset_; }
    constexpr unsigned psid_length() const { return length_; }
    constexpr std::uint16_t psid() const { return psid_; }

    /// How many ports: (2^a - 1) 2^m, or 2^m with an offset of 0.
    constexpr std::uint32_t ports() const { return (offset_ == 0 ? 1U : (1U << offset_) - 1) << contiguous_bits(); }

    /// The ports in rising order, `i` below `ports()`.
    constexpr std::uint16_t port(std::uint32_t i) const {
        const unsigned m = contiguous_bits();
        const std::uint32_t block = (i >> m) + (offset_ == 0 ? 0 : 1), within = i & ((1U << m) - 1);
        return static_cast<std::uint16_t>((block << (16 - offset_)) | (std::uint32_t{psid_} << m) | within);
    }

    constexpr bool contains(std::uint16_t port) const {
        if (offset_ > 0 && (port >> (16 - offset_)) == 0) return false;
        return psid_of(port, offset_, length_) == psid_;
    }

    /// Whose port it is, whether or not A = 0 forbids it.
    static constexpr std::uint16_t psid_of(std::uint16_t port, unsigned offset, unsigned length) {
        return static_cast<std::uint16_t>((std::uint32_t{port} >> (16 - offset - length)) & ((1U << length) - 1));
    }

    constexpr bool operator==(const PortSet&) const = default;

  private:
    constexpr unsigned contiguous_bits() const { return 16 - offset_ - length_; }

    unsigned offset_, length_;
    std::uint16_t psid_;
};

}  // namespace xlatperf::flow
