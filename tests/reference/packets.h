// Packets and buffers for the tests of the reference device, written without its code: the checksums are plain RFC 1071.
#pragma once

#include <cstdint>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "link/frame.h"
#include "wire/address.h"

namespace xlatperf::reference::test {

using Octets = std::vector<std::uint8_t>;

inline Octets hex(std::string_view text) {
    Octets octets;
    int high = -1;
    for (const char c : text) {
        const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
        if (digit < 0) continue;
        if (high < 0) {
            high = digit;
        } else {
            octets.push_back(static_cast<std::uint8_t>(high * 16 + digit));
            high = -1;
        }
    }
    return octets;
}

inline std::uint16_t get16(const Octets& o, std::size_t at) { return static_cast<std::uint16_t>(o.at(at) << 8 | o.at(at + 1)); }
inline void put16(Octets& o, std::size_t at, std::size_t value) {
    o.at(at) = static_cast<std::uint8_t>(value >> 8);
    o.at(at + 1) = static_cast<std::uint8_t>(value);
}
inline std::uint16_t ones_sum(const Octets& o, std::size_t from, std::size_t to, std::uint32_t sum = 0) {
    for (std::size_t i = from; i < to; i += 2) sum += static_cast<std::uint32_t>(o[i] << 8) | (i + 1 < to ? o[i + 1] : 0u);
    while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(sum);
}

/// The sum that a correct transport checksum makes 0xffff. `ip` is a whole packet, without extension headers.
inline std::uint16_t transport_sum(const Octets& ip, std::uint8_t protocol) {
    const bool v4 = ip[0] >> 4 == 4;
    const std::size_t header = v4 ? 20 : 40;
    const std::size_t end = v4 ? get16(ip, 2) : 40u + get16(ip, 4);
    std::uint32_t sum = v4 ? ones_sum(ip, 12, 20) : ones_sum(ip, 8, 40);
    sum += static_cast<std::uint32_t>(end - header) + protocol;
    return ones_sum(ip, header, end, sum);
}

inline Octets ipv4(std::string_view source, std::string_view destination, std::uint8_t protocol, const Octets& payload,
                   std::uint16_t flags_offset = 0, std::uint8_t ttl = 10, std::uint8_t tos = 0xb8) {
    Octets p(20);
    p[0] = 0x45;
    p[1] = tos;
    put16(p, 2, 20 + payload.size());
    put16(p, 4, 0x1234);
    put16(p, 6, flags_offset);
    p[8] = ttl;
    p[9] = protocol;
    wire::parse_ipv4(source)->store(p.data() + 12);
    wire::parse_ipv4(destination)->store(p.data() + 16);
    put16(p, 10, static_cast<std::uint16_t>(~ones_sum(p, 0, 20)));
    p.insert(p.end(), payload.begin(), payload.end());
    return p;
}

inline Octets ipv6(std::string_view source, std::string_view destination, std::uint8_t next_header, const Octets& payload,
                   std::uint8_t hop_limit = 10, std::uint8_t traffic_class = 0xb8) {
    Octets p(40);
    p[0] = static_cast<std::uint8_t>(0x60 | traffic_class >> 4);
    p[1] = static_cast<std::uint8_t>(traffic_class << 4);
    put16(p, 4, payload.size());
    p[6] = next_header;
    p[7] = hop_limit;
    wire::parse_ipv6(source)->store(p.data() + 8);
    wire::parse_ipv6(destination)->store(p.data() + 24);
    p.insert(p.end(), payload.begin(), payload.end());
    return p;
}

/// Sets the transport checksum of a whole packet.
inline Octets with_checksum(Octets ip, std::uint8_t protocol, std::size_t offset, bool pseudo = true) {
    const std::size_t header = ip[0] >> 4 == 4 ? 20 : 40;
    put16(ip, header + offset, 0);
    const std::uint16_t sum = pseudo ? transport_sum(ip, protocol) : ones_sum(ip, header, ip.size());
    const auto field = static_cast<std::uint16_t>(~sum);
    put16(ip, header + offset, field == 0 && protocol == 17 ? 0xffff : field);
    return ip;
}

inline Octets udp(std::size_t data_size, std::uint16_t source_port = 0xc020, std::uint16_t destination_port = 7) {
    Octets p(8 + data_size);
    put16(p, 0, source_port);
    put16(p, 2, destination_port);
    put16(p, 4, p.size());
    for (std::size_t i = 0; i < data_size; ++i) p[8 + i] = static_cast<std::uint8_t>(i);
    return p;
}

/// The hosts of standards.md §4.2: 198.18.0.2 and 198.19.0.2.
inline Octets udp4(std::size_t data_size, std::uint16_t flags_offset = 0) {
    return with_checksum(ipv4("198.18.0.2", "198.19.0.2", 17, udp(data_size), flags_offset), 17, 6);
}
inline Octets udp6(std::size_t data_size) {
    return with_checksum(ipv6("2001:2::2", "2001:2:0:1000::2", 17, udp(data_size)), 17, 6);
}

/// UDP from and to any ports.
inline Octets v4(const char* source, const char* destination, std::uint16_t source_port, std::uint16_t destination_port,
                 std::size_t size = 18, std::uint16_t flags_offset = 0) {
    return with_checksum(ipv4(source, destination, 17, udp(size, source_port, destination_port), flags_offset), 17, 6);
}
inline Octets v6(const char* source, const char* destination, std::uint16_t source_port, std::uint16_t destination_port,
                 std::size_t size = 18) {
    return with_checksum(ipv6(source, destination, 17, udp(size, source_port, destination_port)), 17, 6);
}
/// With the next lower TTL.
inline Octets hop(Octets packet) {
    if (packet[0] >> 4 == 6) {
        --packet[7];
        return packet;
    }
    --packet[8];
    put16(packet, 10, 0);
    put16(packet, 10, static_cast<std::uint16_t>(~ones_sum(packet, 0, 20)));
    return packet;
}

inline Octets ethernet(std::uint16_t type, const Octets& packet, const Octets& destination, const Octets& source) {
    Octets frame = destination;
    frame.insert(frame.end(), source.begin(), source.end());
    frame.push_back(static_cast<std::uint8_t>(type >> 8));
    frame.push_back(static_cast<std::uint8_t>(type));
    frame.insert(frame.end(), packet.begin(), packet.end());
    return frame;
}

/// Buffers on the heap, each of its exact size so that AddressSanitizer sees what leaves it; counts those that aren't freed.
class HeapPool : public FramePool {
  public:
    explicit HeapPool(std::uint32_t room = 4096) : room_(room) {}
    ~HeapPool() override {
        for (void* buffer : live_) delete[] static_cast<std::uint8_t*>(buffer);
    }
    Frame allocate() override {
        if (live_.size() >= limit) return {};
        auto* data = new std::uint8_t[room_];
        live_.insert(data);
        return {data, data, 0, room_};
    }
    void free(Frame frame) override {
        if (live_.erase(frame.buffer) == 1)
            delete[] static_cast<std::uint8_t*>(frame.buffer);
        else
            ++wrongly_freed;
    }
    Frame with(const Octets& octets) {
        auto* data = new std::uint8_t[octets.size() + 1];
        std::copy(octets.begin(), octets.end(), data);
        live_.insert(data);
        return {data, data, static_cast<std::uint32_t>(octets.size()), static_cast<std::uint32_t>(octets.size())};
    }
    std::size_t live() const { return live_.size(); }
    std::size_t limit = 1'000'000, wrongly_freed = 0;

  private:
    std::uint32_t room_;
    std::set<void*> live_;
};

class Recorder : public Transmitter {
  public:
    explicit Recorder(HeapPool& pool) : pool_(pool) {}
    void transmit(Side side, Frame frame) override {
        sent.push_back({side, Octets(frame.data, frame.data + frame.size), now});
        pool_.free(frame);
    }
    struct Sent {
        Side side;
        Octets octets;
        std::uint64_t at_ns;
    };
    std::vector<Sent> sent;
    std::uint64_t now = 0;  // set by the test

  private:
    HeapPool& pool_;
};

}  // namespace xlatperf::reference::test
