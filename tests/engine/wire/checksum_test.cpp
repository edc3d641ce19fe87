#include "wire/checksum.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "rfc1071.h"
#include "wire/byte_order.h"

namespace xlatperf::wire {
namespace {

std::uint16_t folded(const std::vector<std::uint8_t>& bytes) { return fold(sum_bytes(bytes.data(), bytes.size())); }

TEST(Checksum, Rfc1071Section3Example) {
    // 0001 f203 f4f5 f6f7: the sum is ddf2 after folding (RFC 1071 §3).
    EXPECT_EQ(network16(folded({0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7})), 0xddf2);
}

TEST(Checksum, OddSizesArePaddedWithZero) {
    EXPECT_EQ(folded({0x12, 0x34, 0x56}), folded({0x12, 0x34, 0x56, 0x00}));
    EXPECT_EQ(folded({0xff}), folded({0xff, 0x00}));
    EXPECT_EQ(folded({}), 0);
}

TEST(Checksum, Rfc2544TestFrameHeader) {  // standards.md §3.3, C.2.6.4 recomputed
    std::vector<std::uint8_t> header = {0x45, 0x00, 0x00, 0x2e, 0x00, 0x00, 0x00, 0x00, 0x0a, 0x11,
                                        0x00, 0x00, 0xc6, 0x12, 0x00, 0x02, 0xc6, 0x13, 0x00, 0x02};
    const auto field = static_cast<std::uint16_t>(~folded(header));
    EXPECT_EQ(network16(field), 0x2496);
    std::memcpy(&header[10], &field, 2);
    EXPECT_EQ(folded(header), 0xffff);
}

TEST(Checksum, AgreesWithRfc1071ForEverySize) {
    std::mt19937_64 random(1071);
    for (std::size_t size = 0; size < 1600; ++size) {
        std::vector<std::uint8_t> bytes(size);
        const bool heavy = size % 3 == 0;  // many carries
        for (auto& byte : bytes) byte = heavy ? 0xff : static_cast<std::uint8_t>(random());
        ASSERT_EQ(network16(folded(bytes)), rfc1071::sum(bytes)) << size;
    }
}

TEST(Checksum, UnfoldedSumsOfPartsAddUp) {
    std::mt19937_64 random(2);
    std::vector<std::uint8_t> bytes(256);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    for (std::size_t cut = 0; cut <= bytes.size(); cut += 2) {
        const auto parts = sum_bytes(bytes.data(), cut) + sum_bytes(bytes.data() + cut, bytes.size() - cut);
        ASSERT_EQ(fold(parts), folded(bytes)) << cut;
    }
}

TEST(Checksum, FoldTakesEverySum) {
    EXPECT_EQ(fold(0), 0);
    EXPECT_EQ(fold(0xffff), 0xffff);
    EXPECT_EQ(fold(0x10000), 1);
    EXPECT_EQ(fold(0x1ffff), 1);
    EXPECT_EQ(fold(0xffffffffffffffffULL), 0xffff);
    std::mt19937_64 random(3);
    for (int i = 0; i < 10000; ++i) {
        const std::uint64_t sum = random() >> (random() % 64);
        const auto found = fold(sum);
        ASSERT_EQ(found % 0xffff, sum % 0xffff);
        ASSERT_EQ(found == 0, sum == 0) << "a sum folds to zero only if it is zero";
    }
}

TEST(Checksum, Rfc768SendsZeroAsAllOnes) {
    EXPECT_EQ(udp_checksum_field(0xffff), 0xffff);
    EXPECT_EQ(udp_checksum_field(0), 0xffff);
    EXPECT_EQ(udp_checksum_field(1), 0xfffe);
    EXPECT_EQ(udp_checksum_field(0xfffe), 1);
    for (std::uint64_t sum = 0; sum < 0x20000; ++sum) ASSERT_NE(udp_checksum_field(sum), 0);
}

}  // namespace
}  // namespace xlatperf::wire
