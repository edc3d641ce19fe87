#include "wire/ethernet.h"

#include <gtest/gtest.h>

#include <random>

namespace xlatperf::wire {
namespace {

TEST(Mac, ReadsBothCases) {
    EXPECT_EQ(parse_mac("02:00:5e:AB:cd:0F"), (Mac{0x02, 0x00, 0x5e, 0xab, 0xcd, 0x0f}));
    EXPECT_EQ(to_text(Mac{0x02, 0x00, 0x5e, 0xab, 0xcd, 0x0f}), "02:00:5e:ab:cd:0f");
}

TEST(Mac, RefusesEverythingElse) {
    for (const char* text :
         {"", "02:00:00:00:00", "02:00:00:00:00:0", "02:00:00:00:00:001", "02-00-00-00-00-01", "02:00:00:00:00:0g",
          "020000000001", "02:00:00:00:00:01:", ":2:00:00:00:00:01", "02:00:00:00:00:+1", "02:00:00:00:00: 1"}) {
        EXPECT_FALSE(parse_mac(text)) << text;
    }
}

TEST(Mac, RandomOnesSurviveText) {
    std::mt19937_64 random(48);
    for (int i = 0; i < 1000; ++i) {
        Mac mac{};
        for (auto& byte : mac) byte = static_cast<std::uint8_t>(random());
        ASSERT_EQ(parse_mac(to_text(mac)), mac);
    }
}

}  // namespace
}  // namespace xlatperf::wire
