// These tests are built for each set of instructions that the loops over arrays can use.
#include <gtest/gtest.h>

namespace {

class Instructions : public testing::Environment {
    void SetUp() override {
#if defined(NEEDS_AVX2)
        if (__builtin_cpu_supports("avx2") == 0) GTEST_SKIP() << "this CPU doesn't have AVX2";
#endif
    }
};
const auto* const instructions = testing::AddGlobalTestEnvironment(new Instructions);

TEST(Instructions, AreThere) { EXPECT_NE(instructions, nullptr); }

}  // namespace
