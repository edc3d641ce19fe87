// What technologies say about the headers of what arrives: R7915-4.1, R7915-5.1, R2473-6.3, R2473-6.4.
#include "frame/ruled_fields.h"

#include <gtest/gtest.h>

#include "technology/forwarded.h"
#include "technology/translated.h"
#include "technology/tunnelled.h"

namespace {

using namespace xlatperf::technology;
using xlatperf::frame::is_open;

bool open_in(const auto& fields, std::string_view name, const Arriving& rules) {
    for (const auto& field : fields) {
        if (field.name == name) return is_open(field, rules);
    }
    ADD_FAILURE() << name;
    return false;
}

// RFC 7915 §5.1: a translator to IPv4 chooses the identification; DF follows from the size. Nothing else is its own choice.
TEST(RuledFields, TranslatorsChooseIdentificationAndDfAlone) {
    using xlatperf::frame::ipv4_fields, xlatperf::frame::ipv6_fields;
    for (const auto& field : ipv4_fields) {
        EXPECT_EQ(is_open(field, ipv4_from_ipv6), field.name == "identification" || field.name == "DF") << field.name;
        EXPECT_FALSE(is_open(field, forwarded_ipv4)) << field.name;
        EXPECT_FALSE(is_open(field, untouched)) << field.name;
    }
    for (const auto& field : ipv6_fields) {
        EXPECT_FALSE(is_open(field, ipv6_from_ipv4)) << field.name;
        EXPECT_FALSE(is_open(field, forwarded_ipv6)) << field.name;
    }
}

// RFC 2473 §6.5: the outer flow label is the tunnel's own; in a loopback nobody has one.
TEST(RuledFields, TunnelsChooseTheFlowLabelAlone) {
    using xlatperf::frame::outer_fields;
    for (const auto& field : outer_fields) {
        EXPECT_EQ(is_open(field, tunnelled(forwarded_ipv4)), field.name == "outer flow label") << field.name;
        EXPECT_FALSE(is_open(field, untouched)) << field.name;
    }
    EXPECT_TRUE(open_in(outer_fields, "outer flow label", tunnelled(forwarded_ipv6)));
}

// Findings cite the section of each rule, so each that may be broken has one.
TEST(RuledFields, EachRuleHasItsSection) {
    const auto of = [](const auto& fields, const Arriving& rules) {
        for (const auto& field : fields) EXPECT_FALSE((rules.*field.rule).section.empty()) << field.name;
        for (const auto section : {rules.lengths, rules.udp_checksum}) EXPECT_FALSE(section.empty());
    };
    for (const auto& rules : {ipv4_from_ipv6, forwarded_ipv4}) {
        of(xlatperf::frame::ipv4_fields, rules);
        EXPECT_FALSE(rules.header_checksum.empty());
        of(xlatperf::frame::outer_fields, tunnelled(rules));
    }
    for (const auto& rules : {ipv6_from_ipv4, forwarded_ipv6}) of(xlatperf::frame::ipv6_fields, rules);
}

// Each bit of a header belongs to one field at most.
TEST(RuledFields, FieldsDoNotOverlap) {
    const auto of = [](const auto& fields) {
        std::array<std::uint32_t, 3> seen{};
        for (const auto& field : fields) {
            ASSERT_LT(field.word / 4, seen.size());
            EXPECT_EQ(seen[field.word / 4] & field.mask, 0U) << field.name;
            seen[field.word / 4] |= field.mask;
        }
    };
    of(xlatperf::frame::outer_fields);
    of(xlatperf::frame::ipv4_fields);
    of(xlatperf::frame::ipv6_fields);
}

}  // namespace
