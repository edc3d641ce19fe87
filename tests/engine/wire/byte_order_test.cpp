#include "wire/byte_order.h"

#include <gtest/gtest.h>

#include <array>

namespace xlatperf::wire {
namespace {

TEST(ByteOrder, TheMostSignificantByteComesFirst) {
    const std::array<std::uint8_t, 6> bytes = {0x01, 0x23, 0x45, 0x67, 0x89, 0xab};
    EXPECT_EQ(load16(bytes.data()), 0x0123);
    EXPECT_EQ(load32(bytes.data()), 0x01234567U);
    EXPECT_EQ(load48(bytes.data()), 0x0123456789abULL);
    std::array<std::uint8_t, 6> written{};
    store32(written.data(), 0xfedcba98);
    store16(written.data() + 4, 0x7654);
    EXPECT_EQ(written, (std::array<std::uint8_t, 6>{0xfe, 0xdc, 0xba, 0x98, 0x76, 0x54}));
}

}  // namespace
}  // namespace xlatperf::wire
