#include "frame/image.h"

#include <gtest/gtest.h>

#include <random>

#include "frame/streams.h"

namespace xlatperf::frame {
namespace {

const flow::Flow golden_flow{0, 0, 0xc020, 7, 0};

ImageFields fields(std::initializer_list<const char*> source_and_destination, std::size_t frame_size, std::uint8_t hops,
                   std::uint8_t tos) {
    ImageFields found;
    found.sources = technology::Addresses{address(*source_and_destination.begin())};
    found.destinations = technology::Addresses{address(*(source_and_destination.begin() + 1))};
    found.frame_size = frame_size;
    found.hop_limit = hops;
    found.traffic_class = tos;
    found.dont_fragment = false;
    found.tag = probe::make_tag(flow::Direction::forward, {0, 1});
    return found;
}

std::string hex(const Bytes& bytes, std::size_t from, std::size_t size) {
    std::string text;
    for (std::size_t i = from; i < from + size; ++i) {
        text += "0123456789abcdef"[bytes[i] >> 4];
        text += "0123456789abcdef"[bytes[i] & 15];
    }
    return text;
}

void expect_right_checksums(const Bytes& frame) {
    const Bytes packet = ip_packet(frame);
    if (is_ipv4(frame)) {
        EXPECT_EQ(rfc1071::sum({packet.begin(), packet.begin() + wire::ipv4::size}), 0xffff);
    }
    const std::uint16_t checksum = wire::load16(&frame[udp_offset(frame) + wire::udp::checksum]);
    EXPECT_EQ(checksum, rfc1071::udp_checksum(packet));
    EXPECT_NE(checksum, 0) << "RFC 768: zero means that there is none";
}

// standards.md §4.3 (R7915-V): the headers of the golden vector; the data differ, as ours begin with the probe.
TEST(Image, GoldenVectorIpv6) {
    const auto frame = written(Image(fields({"2001:2::2", "2001:2:0:1000::2"}, 84, 10, 0xb8)), golden_flow, 0);
    ASSERT_EQ(frame.size(), 80U);
    EXPECT_EQ(hex(frame, 12, 42), "86dd6b800000001a110a2001000200000000000000000000000220010002000010000000000000000002");
    EXPECT_EQ(hex(frame, 54, 6), "c0200007001a");
    expect_right_checksums(frame);
}
TEST(Image, GoldenVectorIpv4) {
    const auto frame = written(Image(fields({"198.18.0.2", "198.19.0.2"}, 64, 9, 0xb8)), golden_flow, 0);
    ASSERT_EQ(frame.size(), 60U);
    EXPECT_EQ(hex(frame, 12, 22), "080045b8002e00000000091124dec6120002c6130002");
    EXPECT_EQ(hex(frame, 34, 6), "c0200007001a");
    expect_right_checksums(frame);
}
TEST(Image, GoldenVectorRfc2544Header) {  // C.2.6.4 with TTL 10 and TOS 0
    const auto frame = written(Image(fields({"198.18.0.2", "198.19.0.2"}, 64, 10, 0)), golden_flow, 0);
    EXPECT_EQ(hex(frame, 14, 20), "4500002e000000000a112496c6120002c6130002");
}

// With the RFC's own data (octets 00 to 11 hex) the checksums of the vector come out: the independent sum agrees with it.
TEST(Image, TheTestsOwnChecksumAgreesWithTheGoldenVector) {
    for (const auto& [source, destination, size, wanted] :
         {std::tuple{"2001:2::2", "2001:2:0:1000::2", 84, 0xa737}, std::tuple{"198.18.0.2", "198.19.0.2", 64, 0x6b17}}) {
        auto frame = written(Image(fields({source, destination}, static_cast<std::size_t>(size), 10, 0xb8)), golden_flow, 0);
        for (std::size_t i = 0; i < 18; ++i) frame[data_offset(frame) + i] = static_cast<std::uint8_t>(i);
        EXPECT_EQ(rfc1071::udp_checksum(ip_packet(frame)), wanted);
    }
}

// standards.md §3.3: the lengths of C.2.6.4, where the RFC's own UDP lengths are wrong.
TEST(Image, LengthsOfRfc2544) {
    const std::tuple<std::size_t, int, int> table[] = {{64, 0x2e, 0x1a},     {128, 0x6e, 0x5a},   {256, 0xee, 0xda},
                                                       {512, 0x1ee, 0x1da},  {768, 0x2ee, 0x2da}, {1024, 0x3ee, 0x3da},
                                                       {1280, 0x4ee, 0x4da}, {1518, 0x5dc, 0x5c8}};
    for (const auto& [size, total, udp] : table) {
        const auto frame = written(Image(fields({"198.18.0.2", "198.19.0.2"}, size, 10, 0)), golden_flow, 0);
        ASSERT_EQ(frame.size(), size - 4);
        EXPECT_EQ(wire::load16(&frame[14 + wire::ipv4::total_length]), total);
        EXPECT_EQ(wire::load16(&frame[34 + wire::udp::length]), udp);
        const auto six = written(Image(fields({"2001:2::2", "2001:2::3"}, size + 20, 10, 0)), golden_flow, 0);
        EXPECT_EQ(wire::load16(&six[14 + wire::ipv6::payload_length]), udp) << "RFC 7915: the payload stays";
        EXPECT_EQ(wire::load16(&six[54 + wire::udp::length]), udp);
    }
}

TEST(Image, FillIsIncrementingOctets) {  // RFC 2544 C.2.4.4, R2544-C.2.6.4
    for (const std::size_t size : {84U, 85U, 103U, 128U, 512U, 1518U, 9216U}) {
        const auto frame = written(Image(fields({"2001:2::2", "2001:2::3"}, size, 10, 0)), golden_flow, 3);
        for (std::size_t i = data_offset(frame) + probe::size; i < frame.size(); ++i) {
            ASSERT_EQ(frame[i], (i - data_offset(frame)) % 256) << "octet of a frame of " << size;
        }
    }
}

TEST(Image, NoFrameIsSmallerThanHeadersAndProbe) {  // R8219-5.1.1-2
    EXPECT_EQ(smallest_frame(wire::Family::ipv4), 64U);
    EXPECT_EQ(smallest_frame(wire::Family::ipv6), 84U);
    EXPECT_EQ(Image(fields({"2001:2::2", "2001:2::3"}, 64, 10, 0)).size(), 80U);
}

TEST(Image, DontFragment) {
    auto with = fields({"198.18.0.2", "198.19.0.2"}, 64, 10, 0);
    with.dont_fragment = true;
    const auto frame = written(Image(with), golden_flow, 0);
    EXPECT_EQ(wire::load16(&frame[14 + wire::ipv4::flags_offset]), 0x4000);
    expect_right_checksums(frame);
}

TEST(Image, EveryFrameOf256NetworksIsRight) {  // RFC 2544 §12
    for (const auto kind : {Kind::native_ipv4, Kind::native_ipv6}) {
        const Stream stream = make_stream({.kind = kind, .ipv6_size = 90, .networks = 256});
        for (std::uint64_t sequence = 0; sequence < 3000; ++sequence) {
            const auto frame = sent(stream, sequence);
            const auto flow = stream.foreground_flows(sequence);
            const auto family = sent_family(kind);
            Bytes addresses_there(2 * stream.sent[0]->address_size());
            std::visit([&](const auto& a) { a.store(addresses_there.data()); }, addresses(family, false, 256)[flow.source_host]);
            std::visit([&](const auto& a) { a.store(&addresses_there[stream.sent[0]->address_size()]); },
                       addresses(family, true, 256)[flow.destination_host]);
            ASSERT_TRUE(std::equal(addresses_there.begin(), addresses_there.end(),
                                   frame.begin() + static_cast<std::ptrdiff_t>(stream.sent[0]->source_offset())));
            ASSERT_EQ(wire::load16(&frame[udp_offset(frame)]), flow.source_port);
            ASSERT_EQ(wire::load16(&frame[udp_offset(frame) + 2]), flow.destination_port);
            ASSERT_EQ(probe::load_sequence(&frame[data_offset(frame)]), sequence);
            expect_right_checksums(frame);
            if (HasFailure()) return;
        }
    }
}

TEST(Image, ChecksumsAreRightForEverySizeNumberAndTime) {
    std::mt19937_64 random(768);
    for (std::size_t size = 84; size <= 1522; ++size) {
        for (const auto kind : {Kind::native_ipv4, Kind::native_ipv6}) {
            const Stream stream = make_stream({.kind = kind, .ipv6_size = size, .frames = probe::most_frames});
            const std::uint64_t sequence = random() & probe::low40;
            const auto frame =
                written(stream.sent_image(flow::Class::foreground), stream.foreground_flows(sequence), sequence, random());
            expect_right_checksums(frame);
            if (HasFailure()) FAIL() << "size " << size;
        }
    }
}

TEST(Image, RestampKeepsTheUdpChecksumRight) {
    const Stream stream = make_stream({});
    auto frame = sent(stream, 7);
    std::mt19937_64 random(1);
    for (int i = 0; i < 100; ++i) {
        probe::restamp(&frame[data_offset(frame)], random());
        expect_right_checksums(frame);
    }
}

TEST(Image, ComputedChecksumZeroIsSentAsAllOnes) {  // RFC 768
    for (const auto kind : {Kind::native_ipv4, Kind::native_ipv6}) {
        const Stream stream = make_stream({.kind = kind});
        int all_ones = 0;
        for (std::uint32_t port = 0; port < 65536; ++port) {
            const flow::Flow flow{0, 0, static_cast<std::uint16_t>(port), 7, 0};
            const auto checksum = stream.sent[0]->udp_checksum(stream.sent[0]->ends(flow));
            ASSERT_NE(checksum, 0);
            if (checksum == 0xffff) {
                ++all_ones;
                expect_right_checksums(written(*stream.sent[0], {0, 0, static_cast<std::uint16_t>(port), 7}, 1));
            }
        }
        EXPECT_GE(all_ones, 1) << "among all ports there is one whose checksum would be zero";
    }
}

}  // namespace
}  // namespace xlatperf::frame
