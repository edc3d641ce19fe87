// Tags of IEEE 802.1Q, put into frames and taken out.
#include "wire/vlan.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace xlatperf::wire {
namespace {

std::vector<std::uint8_t> counting(std::size_t size) {
    std::vector<std::uint8_t> bytes(size);
    std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
    return bytes;
}

TEST(Vlan, ControlInformation) {  // IEEE 802.1Q-2022 §9.6: PCP 3 bits, DEI 1, VID 12
    EXPECT_EQ((VlanTag{100, 5}.control()), 0xa064);
    EXPECT_EQ((VlanTag{4094, 7}.control()), 0xeffe);
    EXPECT_EQ((VlanTag{1, 0}.control()), 0x0001);
    const auto bytes = tag_bytes({100, 5});
    EXPECT_EQ(std::vector(bytes.begin(), bytes.end()), (std::vector<std::uint8_t>{0x81, 0x00, 0xa0, 0x64}));
}

TEST(Vlan, WhatATagMustHave) {
    const VlanRequired any{100, {}}, five{100, std::uint8_t{5}};
    EXPECT_TRUE(any.fits(0x0064));
    EXPECT_TRUE(any.fits(0xf064)) << "whatever its priority, and its drop eligible indicator";
    EXPECT_FALSE(any.fits(0x0065));
    EXPECT_FALSE(any.fits(0x0864));
    EXPECT_TRUE(five.fits(0xa064));
    EXPECT_TRUE(five.fits(0xb064));
    EXPECT_FALSE(five.fits(0x8064));
    EXPECT_FALSE(five.fits(0x0064));
    EXPECT_FALSE((VlanRequired{100, std::uint8_t{0}}.fits(0xa064)));
    EXPECT_TRUE(five.in_vlan(0x0064));
    EXPECT_TRUE(five.of_any_priority().fits(0x0064));
    for (const auto& one : {any, five}) EXPECT_TRUE(one.fits(one.tag().control()));
}

TEST(Vlan, PutAndTakenAgain) {
    auto room = counting(4 + 60);
    const auto before = room;
    put_tag(&room[4], {100, 5});
    EXPECT_TRUE(has_tag(room.data(), room.size()));
    EXPECT_EQ(tag_control(room.data()), 0xa064);
    EXPECT_TRUE(std::equal(room.begin(), room.begin() + 12, before.begin() + 4)) << "the addresses are in front";
    EXPECT_TRUE(std::equal(room.begin() + 16, room.end(), before.begin() + 16)) << "the rest is where it was";
    take_tag(room.data());
    EXPECT_TRUE(std::equal(room.begin() + 4, room.end(), before.begin() + 4));
    EXPECT_EQ(load16(room.data()), 0x8100) << "the tag is in front of the frame";
    EXPECT_EQ(load16(&room[2]), 0xa064);
}

TEST(Vlan, NoTagInWhatIsTooShort) {
    auto frame = counting(18);
    EXPECT_FALSE(has_tag(frame.data(), frame.size()));
    store16(&frame[12], 0x8100);
    EXPECT_TRUE(has_tag(frame.data(), frame.size()));
    for (std::size_t size = 0; size < 18; ++size) EXPECT_FALSE(has_tag(frame.data(), size)) << size;
    EXPECT_EQ(tags(frame.data(), frame.size()), 1U);
    frame.resize(26);
    store16(&frame[16], 0x8100);
    EXPECT_EQ(tags(frame.data(), 26), 2U);
    EXPECT_EQ(tags(frame.data(), 21), 1U) << "half of the second one";
}

}  // namespace
}  // namespace xlatperf::wire
