#include "port/words.h"

#include <gtest/gtest.h>
#include <rte_log.h>

#include <cerrno>
#include <string>

namespace xlatperf::port {
namespace {

void say(const char* text) { rte_log(RTE_LOG_ERR, RTE_LOGTYPE_USER1, "%s", text); }

TEST(Words, AreTakenOnce) {
    keep_words();
    take_words();
    say("memif_connect_client(): Failed to connect socket: /run/x.sock.\n");
    EXPECT_EQ(take_words(), "memif_connect_client(): Failed to connect socket: /run/x.sock.");
    EXPECT_EQ(take_words(), "");
}

TEST(Words, AreOneLineWithoutRepetitions) {
    keep_words();
    take_words();
    say("  one\t\n");
    say("two\n\n two\nEAL: Driver cannot attach the device (net_memif0)\n");
    EXPECT_EQ(take_words(), "one; two");
}

TEST(Words, OfThoseThatSayTooMuchTheLastAreKept) {
    keep_words();
    take_words();
    for (int i = 0; i < 10'000; ++i) say((std::to_string(i) + "\n").c_str());
    const std::string words = take_words();
    EXPECT_LT(words.size(), 8192U);
    EXPECT_TRUE(words.ends_with("9999"));
}

TEST(Words, ARefusalWithoutThemIsTheErrorsMeaning) {
    keep_words();
    take_words();
    EXPECT_EQ(refusal(EBUSY), "Device or resource busy");
    say("it is taken\n");
    EXPECT_EQ(refusal(EBUSY), "it is taken");
}

}  // namespace
}  // namespace xlatperf::port
