#include "counter/counters.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace xlatperf::counter {
namespace {

template <typename Kind> class EachKind : public testing::Test {};
using Kinds = testing::Types<Reason, Remark, Stray, Port, Sending, Invalid>;
TYPED_TEST_SUITE(EachKind, Kinds);

TYPED_TEST(EachKind, HasARowForEachNameWithWords) {
    std::set<std::string_view> names;
    Counts<TypeParam>().each([&](TypeParam kind, const Row& row, std::uint64_t) {
        EXPECT_EQ(row.name, name(kind));
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
        EXPECT_FALSE(row.text.empty()) << row.name;
        EXPECT_NE(row.text.back(), '.') << row.text;
    });
    EXPECT_FALSE(names.empty());
}

TEST(Counters, NamesAreWhatTheyCount) {
    EXPECT_EQ(name(Reason::expected), "expected");
    EXPECT_EQ(name(Reason::mapping_changed), "mapping_changed");
    EXPECT_EQ(name(Remark::encapsulation_limit), "encapsulation_limit");
    EXPECT_EQ(name(Stray::malformed), "malformed");
    EXPECT_EQ(name(Invalid::clock), "clock");
}

TEST(Counters, SeveralCountTogetherAsTheRowSays) {
    Counts<Sending> one, other;
    EXPECT_EQ(one[Sending::smallest_gap_ns], Counts<Sending>::none);
    EXPECT_EQ(one[Sending::longest_stall_ns], 0U);
    one.note(Sending::stalls, 2);
    one.note(Sending::stalls, 3);
    one.note(Sending::smallest_gap_ns, 70);
    one.note(Sending::smallest_gap_ns, 90);
    other.note(Sending::stalls, 10);
    other.note(Sending::longest_stall_ns, 5);
    other.add(one);
    EXPECT_EQ(other[Sending::stalls], 15U);
    EXPECT_EQ(other[Sending::smallest_gap_ns], 70U);
    EXPECT_EQ(other[Sending::longest_stall_ns], 5U);
    EXPECT_EQ(other[Sending::largest_burst], 0U);
}

TEST(Counters, SomeOfAKind) {
    Some<Remark> some;
    EXPECT_FALSE(some.any());
    some.add(Remark::overtaken, false);
    EXPECT_FALSE(some.any());
    some.add(Remark::df_differs);
    some.add(Remark::encapsulation_limit);
    EXPECT_TRUE(some.has(Remark::df_differs));
    EXPECT_FALSE(some.has(Remark::overtaken));
    Counts<Remark> counts;
    some.count_into(counts);
    some.count_into(counts);
    EXPECT_EQ(counts[Remark::df_differs], 2U);
    EXPECT_EQ(counts[Remark::encapsulation_limit], 2U);
    EXPECT_EQ(counts[Remark::reordered], 0U);
}

}  // namespace
}  // namespace xlatperf::counter
