#include "flow/permutation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace xlatperf::flow {
namespace {

void expect_bijection(std::uint64_t size, std::uint64_t key) {
    const Permutation permutation(size, key);
    ASSERT_EQ(permutation.size(), size);
    std::vector<bool> seen(size);
    for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t at = permutation(i);
        ASSERT_LT(at, size);
        ASSERT_FALSE(seen[at]) << at << " comes twice; size " << size << ", key " << key;
        seen[at] = true;
    }
}

TEST(Permutation, EverySmallSizeIsABijection) {  // R9693-4.4-3
    for (std::uint64_t size = 1; size <= 2000; ++size) {
        expect_bijection(size, 0);
        expect_bijection(size, size * 77);
        if (HasFatalFailure()) return;
    }
    for (std::uint64_t key = 0; key < 1000; ++key) expect_bijection(257, key);
}

TEST(Permutation, SizesAroundPowersOfTwoAreBijections) {
    for (const std::uint64_t size : {65535U, 65536U, 65537U, 64512U * 7, (1U << 20) - 1, 1U << 20, (1U << 20) + 1}) {
        expect_bijection(size, 9693);
        if (HasFatalFailure()) return;
    }
}

// Too large to go through: no number comes twice in windows at the beginning and the end.
TEST(Permutation, LargeSizesDoNotRepeat) {
    constexpr std::uint64_t half = 100'000;
    for (const std::uint64_t size : {std::uint64_t{1'600'000'000}, std::uint64_t{0xffffffff}, std::uint64_t{1} << 32,
                                     (std::uint64_t{1} << 32) + 1, std::uint64_t{1} << Permutation::most_bits}) {
        const Permutation permutation(size, 1);
        std::vector<std::uint64_t> found;
        found.reserve(2 * half);
        for (std::uint64_t i = 0; i < half; ++i) {
            found.push_back(permutation(i));
            found.push_back(permutation(size - 1 - i));
        }
        std::sort(found.begin(), found.end());
        ASSERT_LT(found.back(), size);
        ASSERT_EQ(std::adjacent_find(found.begin(), found.end()), found.end()) << "size " << size;
    }
}

// R9693-4.4-3: pseudorandom. Positions and what stands there are independent: chi-square of a table of 16 x 16.
TEST(Permutation, LooksPseudorandom) {
    for (const std::uint64_t size : {std::uint64_t{40'000}, std::uint64_t{64'512}, std::uint64_t{1'000'003},
                                     std::uint64_t{1'600'000'000}, std::uint64_t{0xffffffff}}) {
        for (const std::uint64_t key : {0U, 1U, 2U}) {
            const Permutation permutation(size, key);
            constexpr std::uint64_t parts = 16;
            const std::uint64_t looked_at = std::min<std::uint64_t>(size, 1'000'003);
            std::vector<double> table(parts * parts);
            std::uint64_t ascents = 0, before = 0;
            for (std::uint64_t i = 0; i < looked_at; ++i) {
                const std::uint64_t at = permutation(i);
                ++table[i * parts / looked_at * parts + at * parts / size];
                ascents += i > 0 && at > before ? 1 : 0;
                before = at;
            }
            const double each = static_cast<double>(looked_at) / (parts * parts);
            double chi_square = 0;
            for (const double count : table) chi_square += (count - each) * (count - each) / each;
            // 225 to 255 degrees of freedom, a standard deviation of 22: five of them either way.
            EXPECT_GT(chi_square, 115) << "size " << size << " key " << key;
            EXPECT_LT(chi_square, 365) << "size " << size << " key " << key;
            const double deviation = std::sqrt(static_cast<double>(looked_at) / 12);  // of ascents in a random order
            EXPECT_NEAR(static_cast<double>(ascents), static_cast<double>(looked_at) / 2, 5 * deviation) << "size " << size;
        }
    }
}

// Small sizes have the fewest bits to mix: the order is random for each key, not only for most.
TEST(Permutation, LooksPseudorandomWithEveryKey) {
    for (const std::uint64_t size : {std::uint64_t{1000}, std::uint64_t{8192}, std::uint64_t{65536}, std::uint64_t{1} << 32}) {
        for (std::uint64_t key = 0; key < 400; ++key) {
            const Permutation permutation(size, key * 0x1234567 + key % 2 * 77);
            constexpr std::uint64_t parts = 8;
            const std::uint64_t looked_at = std::min<std::uint64_t>(size, 20'000);
            std::vector<double> table(parts * parts);
            std::uint64_t ascents = 0, before = 0;
            for (std::uint64_t i = 0; i < looked_at; ++i) {
                const std::uint64_t at = permutation(i);
                ++table[i * parts / looked_at * parts + at / ((size + parts - 1) / parts)];
                ascents += i > 0 && at > before ? 1 : 0;
                before = at;
            }
            const double each = static_cast<double>(looked_at) / (parts * parts);
            double chi_square = 0;
            for (const double count : table) chi_square += (count - each) * (count - each) / each;
            ASSERT_LT(chi_square, 63 + 5 * std::sqrt(2 * 63)) << "size " << size << " key " << key;
            const double deviation = std::sqrt(static_cast<double>(looked_at) / 12);
            ASSERT_NEAR(static_cast<double>(ascents), static_cast<double>(looked_at) / 2, 5 * deviation)
                << size << " key " << key;
        }
    }
}

// Neighbours in number aren't neighbours in value: the low bits alone are uniform as well.
TEST(Permutation, StepsBetweenNeighboursAreSpread) {
    constexpr std::uint64_t size = 1'600'000'000, frames = 256'000;
    const Permutation permutation(size, 5);
    std::vector<double> low(256), steps(256);
    std::uint64_t before = permutation(0);
    for (std::uint64_t i = 1; i <= frames; ++i) {
        const std::uint64_t at = permutation(i);
        ++low[at % 256];
        ++steps[(at + size - before) % size * 256 / size];
        before = at;
    }
    for (const auto& counts : {low, steps}) {
        double chi_square = 0;
        for (const double count : counts) chi_square += (count - 1000) * (count - 1000) / 1000;
        EXPECT_NEAR(chi_square, 255, 120);  // more than 5 standard deviations of 22.6
    }
}

TEST(Permutation, DiffersByKeyAndIsTheSameAgain) {
    const Permutation one(100'000, 1), again(100'000, 1), other(100'000, 2);
    int equal = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        EXPECT_EQ(one(i), again(i));
        equal += one(i) == other(i) ? 1 : 0;
    }
    EXPECT_LT(equal, 5);
}

}  // namespace
}  // namespace xlatperf::flow
