// R7915-4.1, R7915-5.1: the values of what arrives follow from the technology's rules. What is sent has none of the values that
// a rule would give it, so that a wrong rule shows.
#include "frame/header_fields.h"

#include <gtest/gtest.h>

#include "technology/forwarded.h"
#include "technology/translated.h"
#include "technology/tunnelled.h"

namespace xlatperf::frame {
namespace {

using technology::Arriving;

constexpr HeaderFields distinct = {0xb8, 10, true, 0x1234, 0x54321};

TEST(HeaderFields, OfATranslationToIpv6) {
    const auto found = arriving_fields(distinct, technology::ipv6_from_ipv4, 1500, 1);
    EXPECT_EQ(found.traffic_class, 0xb8);
    EXPECT_EQ(found.hop_limit, 9);
    EXPECT_EQ(found.flow_label, 0U);
}

TEST(HeaderFields, OfATranslationToIpv4) {
    for (const std::size_t bytes : {46U, 1260U, 1261U, 1500U}) {
        for (const bool df : {false, true}) {
            auto other = distinct;
            other.dont_fragment = df;
            const auto found = arriving_fields(other, technology::ipv4_from_ipv6, bytes, 1);
            EXPECT_EQ(found.traffic_class, 0xb8);
            EXPECT_EQ(found.hop_limit, 9);
            EXPECT_EQ(found.dont_fragment, bytes > 1260) << bytes;
        }
    }
}

// RFC 1812 §5.3.1, RFC 791 §3.1, RFC 6437 §3; so is what's in a tunnel (RFC 2473 §3.1).
TEST(HeaderFields, OfWhatIsForwarded) {
    for (const std::size_t hops : {0U, 1U, 3U}) {
        for (const bool df : {false, true}) {
            auto right = distinct;
            right.dont_fragment = df;
            auto other = right;
            right.hop_limit = static_cast<std::uint8_t>(10 - hops);
            for (const Arriving& rules : {technology::forwarded_ipv4, technology::tunnelled(technology::forwarded_ipv4)}) {
                const auto found = arriving_fields(other, rules, 100, hops);
                EXPECT_EQ(found, right);
            }
            EXPECT_EQ(arriving_fields(other, technology::forwarded_ipv6, 100, hops).flow_label, right.flow_label);
            EXPECT_EQ(arriving_fields(other, technology::forwarded_ipv6, 100, hops).hop_limit, right.hop_limit);
            EXPECT_EQ(arriving_fields(other, technology::forwarded_ipv6, 100, hops).traffic_class, right.traffic_class);
        }
    }
}

TEST(HeaderFields, OfALoopback) { EXPECT_EQ(arriving_fields(distinct, technology::untouched, 1500, 1), distinct); }

}  // namespace
}  // namespace xlatperf::frame
