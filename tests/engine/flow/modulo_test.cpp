#include "flow/modulo.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace xlatperf::flow {
namespace {

constexpr std::uint64_t end48 = std::uint64_t{1} << 48;

void expect_exact(std::uint32_t divisor, std::uint64_t n) { ASSERT_EQ(Modulo(divisor)(n), n % divisor) << n << " % " << divisor; }

TEST(Modulo, EdgesOfNumbersAndDivisors) {
    const std::vector<std::uint32_t> divisors = {1,     2,          3,          5,          7,         10,    255,
                                                 256,   257,        1000,       49151,      64511,     64512, 65535,
                                                 65536, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    for (const auto divisor : divisors) {
        EXPECT_EQ(Modulo(divisor).divisor(), divisor);
        std::vector<std::uint64_t> numbers = {0, 1, 2, end48 - 1, end48 - 2, end48 / 2};
        for (const std::uint64_t multiple : {std::uint64_t{1}, std::uint64_t{2}, (end48 - 1) / divisor}) {
            numbers.insert(numbers.end(), {multiple * divisor - 1, multiple * divisor, multiple * divisor + 1});
        }
        for (const auto n : numbers) {
            if (n < end48) expect_exact(divisor, n);
        }
    }
}

TEST(Modulo, AllSmallDivisors) {
    for (std::uint32_t divisor = 1; divisor <= 2048; ++divisor) {
        for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{divisor} - 1, std::uint64_t{divisor}, end48 - 1,
                                      end48 - divisor, end48 / divisor}) {
            expect_exact(divisor, std::min(n, end48 - 1));
        }
    }
}

TEST(Modulo, RandomNumbersAndDivisors) {
    std::mt19937_64 random(2019);
    for (int i = 0; i < 200000; ++i) {
        const auto divisor = static_cast<std::uint32_t>(random() >> (32 + random() % 32));
        expect_exact(divisor == 0 ? 1 : divisor, random() >> (16 + random() % 48));
    }
}

}  // namespace
}  // namespace xlatperf::flow
