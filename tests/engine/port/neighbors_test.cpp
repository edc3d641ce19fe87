#include "port/neighbors.h"

#include <gtest/gtest.h>

#include <random>

#include "port/neighbor_frames.h"
#include "rfc1071.h"

namespace xlatperf::port {
namespace {

Mac mac_at(const FrameBytes& frame, std::size_t at) {
    Mac found{};
    std::copy_n(frame.begin() + static_cast<std::ptrdiff_t>(at), 6, found.begin());
    return found;
}

void expect_right_icmpv6_checksum(const FrameBytes& frame) {  // RFC 4443 §2.3
    FrameBytes covered(frame.begin() + 22, frame.begin() + 54);
    covered.insert(covered.end(), {0, 0, frame[18], frame[19], 0, 0, 0, 58});
    covered.insert(covered.end(), frame.begin() + 54, frame.end());
    EXPECT_EQ(rfc1071::sum(covered), 0xffff);
}

TEST(Arp, AnswersForOwnAndHostAddresses) {  // RFC 826
    Neighbors neighbors(configuration());
    for (const char* target : {"198.18.255.2", "198.18.0.2", "198.18.5.2", "198.18.9.2"}) {
        const auto answer = receive(neighbors, arp(1, gateway_mac, v4("198.18.255.1"), v4(target)));
        ASSERT_TRUE(answer) << target;
        EXPECT_GE(answer->size(), 60U);
        EXPECT_EQ(mac_at(*answer, 0), gateway_mac);
        EXPECT_EQ(mac_at(*answer, 6), own_mac);
        EXPECT_EQ(wire::load16(&(*answer)[12]), 0x0806);
        EXPECT_EQ(wire::load32(&(*answer)[14]), 0x00010800U);
        EXPECT_EQ(wire::load32(&(*answer)[18]), 0x06040002U) << "a reply";
        EXPECT_EQ(mac_at(*answer, 22), own_mac);
        EXPECT_EQ(Ipv4Address::load(&(*answer)[28]), v4(target));
        EXPECT_EQ(mac_at(*answer, 32), gateway_mac);
        EXPECT_EQ(Ipv4Address::load(&(*answer)[38]), v4("198.18.255.1"));
    }
}

TEST(Arp, DoesNotAnswerForOthers) {
    Neighbors neighbors(configuration());
    for (const char* target : {"198.18.255.1", "198.18.0.3", "198.18.0.1", "0.0.0.0", "255.255.255.255"}) {
        EXPECT_FALSE(receive(neighbors, arp(1, gateway_mac, v4("198.18.255.1"), v4(target)))) << target;
    }
    EXPECT_FALSE(receive(neighbors, arp(1, other_mac, v4("198.18.255.2"), v4("198.18.255.2")))) << "somebody claims our address";
    EXPECT_FALSE(receive(neighbors, arp(2, gateway_mac, v4("198.18.255.1"), v4("198.18.255.2")))) << "a reply is no question";
}

TEST(Arp, LearnsTheGatewayFromRequestAndReply) {
    for (const std::uint16_t operation : {std::uint16_t{1}, std::uint16_t{2}}) {
        Neighbors neighbors(configuration());
        EXPECT_FALSE(neighbors.gateway_mac(Family::ipv4));
        receive(neighbors, arp(operation, other_mac, v4("198.18.255.9"), v4("198.18.255.2")));
        EXPECT_FALSE(neighbors.gateway_mac(Family::ipv4)) << "not the gateway's";
        receive(neighbors, arp(operation, gateway_mac, v4("198.18.255.1"), v4("198.18.255.2")));
        EXPECT_EQ(neighbors.gateway_mac(Family::ipv4), gateway_mac);
        EXPECT_FALSE(neighbors.gateway_mac(Family::ipv6));
        EXPECT_FALSE(neighbors.complete());
        receive(neighbors, arp(operation, other_mac, v4("198.18.255.1"), v4("198.18.255.2")));
        EXPECT_EQ(neighbors.gateway_mac(Family::ipv4), other_mac) << "the newest counts";
    }
}

TEST(Arp, IgnoresOtherHardwareAndShortFrames) {
    Neighbors neighbors(configuration());
    const auto right = arp(1, gateway_mac, v4("198.18.255.1"), v4("198.18.255.2"));
    for (std::size_t at = 14; at < 20; ++at) {
        auto wrong = right;
        ++wrong[at];
        EXPECT_FALSE(receive(neighbors, wrong)) << "octet " << at;
    }
    for (std::size_t size = 0; size < 42; ++size) {
        EXPECT_FALSE(receive(neighbors, {right.begin(), right.begin() + static_cast<std::ptrdiff_t>(size)}));
    }
    EXPECT_FALSE(neighbors.gateway_mac(Family::ipv4));
    EXPECT_TRUE(receive(neighbors, {right.begin(), right.begin() + 42})) << "without padding it is whole";
}

TEST(NeighborDiscovery, AnswersForOwnAndHostAddresses) {  // RFC 4861 §7.2.4
    Neighbors neighbors(configuration());
    for (const char* target : {"2001:2:0:7fff::2", "2001:2::2", "2001:2:0:1::2"}) {
        const auto answer = receive(neighbors, solicitation(v6("fe80::1"), v6(target), option(1, other_mac)));
        ASSERT_TRUE(answer) << target;
        EXPECT_EQ(mac_at(*answer, 0), other_mac) << "to the address in the option";
        EXPECT_EQ(mac_at(*answer, 6), own_mac);
        EXPECT_EQ((*answer)[20], 58);
        EXPECT_EQ((*answer)[21], 255) << "RFC 4861 section 7.1";
        EXPECT_EQ(Ipv6Address::load(&(*answer)[22]), v6(target));
        EXPECT_EQ(Ipv6Address::load(&(*answer)[38]), v6("fe80::1"));
        EXPECT_EQ((*answer)[54], 136);
        EXPECT_EQ((*answer)[58], 0x60) << "solicited, override, no router";
        EXPECT_EQ(Ipv6Address::load(&(*answer)[62]), v6(target));
        EXPECT_EQ((*answer)[78], 2) << "target link-layer address";
        EXPECT_EQ((*answer)[79], 1);
        EXPECT_EQ(mac_at(*answer, 80), own_mac);
        EXPECT_EQ(answer->size(), 86U);
        EXPECT_EQ(wire::load16(&(*answer)[18]), 32);
        expect_right_icmpv6_checksum(*answer);
    }
    const auto without_option = receive(neighbors, solicitation(v6("fe80::1"), v6("2001:2::2"), {}));
    ASSERT_TRUE(without_option);
    EXPECT_EQ(mac_at(*without_option, 0), gateway_mac) << "to where it came from";
}

TEST(NeighborDiscovery, DoesNotAnswerForOthers) {
    Neighbors neighbors(configuration());
    for (const char* target : {"2001:2:0:7fff::1", "2001:2::3", "::", "ff02::1"}) {
        EXPECT_FALSE(receive(neighbors, solicitation(v6("fe80::1"), v6(target), option(1, gateway_mac)))) << target;
    }
}

TEST(NeighborDiscovery, DuplicateAddressDetectionIsIgnored) {  // RFC 4862 §5.4: from the unspecified address
    Neighbors neighbors(configuration());
    EXPECT_FALSE(receive(neighbors, solicitation(v6("::"), v6("2001:2::2"), {})));
}

TEST(NeighborDiscovery, LearnsTheGatewayFromSolicitationAndAdvertisement) {
    Neighbors asked(configuration());
    receive(asked, solicitation(v6("2001:2:0:7fff::1"), v6("2001:2:0:7fff::2"), option(1, gateway_mac)));
    EXPECT_EQ(asked.gateway_mac(Family::ipv6), gateway_mac);
    EXPECT_FALSE(asked.gateway_mac(Family::ipv4));
    Neighbors told(configuration());
    receive(told, advertisement(v6("2001:2:0:7fff::9"), option(2, other_mac)));
    EXPECT_FALSE(told.gateway_mac(Family::ipv6)) << "not the gateway's";
    receive(told, advertisement(v6("2001:2:0:7fff::1"), option(2, other_mac)));
    EXPECT_EQ(told.gateway_mac(Family::ipv6), other_mac);
    Neighbors plain(configuration());
    receive(plain, advertisement(v6("2001:2:0:7fff::1"), {}));
    EXPECT_EQ(plain.gateway_mac(Family::ipv6), gateway_mac) << "without the option it is where it came from";
}

TEST(NeighborDiscovery, MessagesThatARouterForwardedAreIgnored) {  // RFC 4861 §7.1
    Neighbors neighbors(configuration());
    auto forwarded = advertisement(v6("2001:2:0:7fff::1"), option(2, gateway_mac));
    forwarded[21] = 254;
    receive(neighbors, forwarded);
    auto with_code = advertisement(v6("2001:2:0:7fff::1"), option(2, gateway_mac));
    with_code[55] = 1;
    receive(neighbors, with_code);
    EXPECT_FALSE(neighbors.gateway_mac(Family::ipv6));
}

TEST(NeighborDiscovery, OptionsAreSkippedUntilTheRightOne) {
    Neighbors neighbors(configuration());
    FrameBytes options = {14, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};  // a nonce of 16 bytes
    const auto address = option(2, other_mac);
    options.insert(options.end(), address.begin(), address.end());
    receive(neighbors, advertisement(v6("2001:2:0:7fff::1"), options));
    EXPECT_EQ(neighbors.gateway_mac(Family::ipv6), other_mac);
}

TEST(NeighborDiscovery, MalformedOptionsAreNoOptions) {
    for (const FrameBytes& options : std::initializer_list<FrameBytes>{{2, 0, 1, 2, 3, 4, 5, 6},
                                                                       {2, 2, 1, 2, 3, 4, 5, 6},
                                                                       {2, 255, 1, 2, 3, 4, 5, 6},
                                                                       {2},
                                                                       {2, 1},
                                                                       {2, 1, 1, 2, 3, 4, 5},
                                                                       {14, 0, 0, 0, 0, 0, 0, 0, 2, 1, 1, 2, 3, 4, 5, 6}}) {
        Neighbors neighbors(configuration());
        receive(neighbors, advertisement(v6("2001:2:0:7fff::1"), options));
        EXPECT_EQ(neighbors.gateway_mac(Family::ipv6), gateway_mac) << "the frame's own source";
        receive(neighbors, solicitation(v6("fe80::1"), v6("2001:2::2"), options));
    }
}

TEST(NeighborDiscovery, LengthsThatDontFit) {
    Neighbors neighbors(configuration());
    const auto right = solicitation(v6("fe80::1"), v6("2001:2::2"), option(1, gateway_mac));
    for (std::size_t size = 0; size < right.size(); ++size) {
        EXPECT_FALSE(receive(neighbors, {right.begin(), right.begin() + static_cast<std::ptrdiff_t>(size)})) << size;
    }
    auto wrong = right;
    wrong[18] = 1;
    EXPECT_FALSE(receive(neighbors, wrong)) << "payload length beyond the frame";
    wrong = right;
    wrong[19] = 23;
    EXPECT_FALSE(receive(neighbors, wrong)) << "payload length below the message";
}

TEST(Neighbors, RequestsForBothFamilies) {
    const Neighbors neighbors(configuration());
    const auto requests = neighbors.requests();
    ASSERT_EQ(requests.size(), 2U);
    const auto& ask = requests[0];
    EXPECT_EQ(mac_at(ask, 0), (Mac{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}));
    EXPECT_EQ(wire::load16(&ask[20]), 1);
    EXPECT_EQ(Ipv4Address::load(&ask[28]), v4("198.18.255.2"));
    EXPECT_EQ(mac_at(ask, 32), Mac{});
    EXPECT_EQ(Ipv4Address::load(&ask[38]), v4("198.18.255.1"));
    const auto& solicit = requests[1];
    EXPECT_EQ(mac_at(solicit, 0), (Mac{0x33, 0x33, 0xff, 0, 0, 1}));  // RFC 2464 §7
    EXPECT_EQ(Ipv6Address::load(&solicit[22]), v6("2001:2:0:7fff::2"));
    EXPECT_EQ(Ipv6Address::load(&solicit[38]), v6("ff02::1:ff00:1"));  // RFC 4291 §2.7.1
    EXPECT_EQ(solicit[21], 255);
    EXPECT_EQ(solicit[54], 135);
    EXPECT_EQ(Ipv6Address::load(&solicit[62]), v6("2001:2:0:7fff::1"));
    EXPECT_EQ(solicit[78], 1) << "source link-layer address";
    EXPECT_EQ(mac_at(solicit, 80), own_mac);
    expect_right_icmpv6_checksum(solicit);
}

TEST(Neighbors, TwoTestersFindEachOther) {
    auto mirrored = configuration();
    mirrored.mac = gateway_mac;
    std::swap(mirrored.ipv4->tester, mirrored.ipv4->gateway);
    std::swap(mirrored.ipv6->tester, mirrored.ipv6->gateway);
    mirrored.ipv4_hosts.clear();
    mirrored.ipv6_hosts.clear();
    Neighbors one(configuration()), other(mirrored);
    for (const auto& request : one.requests()) {
        const auto answer = receive(other, request);
        ASSERT_TRUE(answer);
        EXPECT_FALSE(receive(one, *answer));
    }
    EXPECT_TRUE(one.complete());
    EXPECT_TRUE(other.complete()) << "a question also tells who asks";
    EXPECT_EQ(one.gateway_mac(Family::ipv4), gateway_mac);
    EXPECT_EQ(one.gateway_mac(Family::ipv6), gateway_mac);
    EXPECT_EQ(other.gateway_mac(Family::ipv4), own_mac);
    EXPECT_EQ(other.gateway_mac(Family::ipv6), own_mac);
}

TEST(Neighbors, AGivenGatewayIsNotChangedByWhoAnswers) {
    auto given = configuration();
    given.gateway_mac = other_mac;
    Neighbors neighbors(given);
    neighbors.forget();
    EXPECT_TRUE(neighbors.complete());
    EXPECT_FALSE(neighbors.answers_from(Family::ipv4));
    EXPECT_EQ(neighbors.requests().size(), 2U) << "the DUT gets to know us, and who else is there is told";
    receive(neighbors, arp(2, gateway_mac, v4("198.18.255.1"), v4("198.18.255.2")));
    receive(neighbors, advertisement(v6("2001:2:0:7fff::1"), option(2, gateway_mac)));
    receive(neighbors, solicitation(v6("2001:2:0:7fff::1"), v6("2001:2::2"), option(1, gateway_mac)));
    EXPECT_EQ(neighbors.gateway_mac(Family::ipv4), other_mac);
    EXPECT_EQ(neighbors.gateway_mac(Family::ipv6), other_mac);
    EXPECT_EQ(neighbors.answers_from(Family::ipv4), gateway_mac);
    EXPECT_EQ(neighbors.answers_from(Family::ipv6), gateway_mac);
    EXPECT_TRUE(receive(neighbors, arp(1, gateway_mac, v4("198.18.255.1"), v4("198.18.0.2")))) << "still answers";
}

// The rule of subscribers on the link covers the DUT's address, too.
TEST(Neighbors, OthersAreToldFromTheDut) {
    auto given = configuration();
    given.others.emplace_back([](const wire::Address& address) { return wire::family(address) == Family::ipv6; });
    Neighbors neighbors(given);
    const auto asked = [&](const char* target) {
        return receive(neighbors, solicitation(v6("2001:2:0:7fff::1"), v6(target), option(1, gateway_mac))).has_value();
    };
    EXPECT_TRUE(asked("2001:2:0:7fff::abcd"));
    EXPECT_FALSE(asked("2001:2:0:7fff::1"));
    EXPECT_FALSE(receive(neighbors, arp(1, gateway_mac, v4("198.18.255.1"), v4("198.18.0.3"))));
    EXPECT_TRUE(neighbors.conflicts().empty());
    EXPECT_EQ(neighbors.gateway_mac(Family::ipv6), gateway_mac);
}

TEST(Neighbors, WhoIsForgottenMustAnswerAgain) {
    Neighbors neighbors(configuration());
    receive(neighbors, arp(2, gateway_mac, v4("198.18.255.1"), v4("198.18.255.2")));
    receive(neighbors, advertisement(v6("2001:2:0:7fff::1"), option(2, gateway_mac)));
    ASSERT_TRUE(neighbors.complete());
    neighbors.forget();
    EXPECT_FALSE(neighbors.gateway_mac(Family::ipv4) || neighbors.gateway_mac(Family::ipv6));
    receive(neighbors, arp(2, other_mac, v4("198.18.255.1"), v4("198.18.255.2")));
    EXPECT_EQ(neighbors.gateway_mac(Family::ipv4), other_mac) << "after a restart it may have another";
    EXPECT_FALSE(neighbors.complete());
}

TEST(Neighbors, AFamilyThatIsNotUsedIsSilent) {
    auto only_six = configuration();
    only_six.ipv4.reset();
    Neighbors neighbors(only_six);
    EXPECT_FALSE(neighbors.uses(Family::ipv4));
    EXPECT_TRUE(neighbors.uses(Family::ipv6));
    EXPECT_EQ(neighbors.requests().size(), 1U);
    EXPECT_FALSE(receive(neighbors, arp(1, gateway_mac, v4("198.18.255.1"), v4("198.18.0.2"))));
    EXPECT_EQ(neighbors.gateway_text(Family::ipv6), "2001:2:0:7fff::1");
}

TEST(Neighbors, GarbageIsSurvived) {
    Neighbors neighbors(configuration());
    std::mt19937_64 random(826);
    const auto right = solicitation(v6("fe80::1"), v6("2001:2::2"), option(1, gateway_mac));
    for (int i = 0; i < 50000; ++i) {
        FrameBytes frame = i % 2 == 0 ? right : FrameBytes(random() % 128);
        if (i % 2 == 1) {
            for (auto& byte : frame) byte = static_cast<std::uint8_t>(random());
            if (frame.size() >= 14) wire::store16(&frame[12], i % 4 == 1 ? wire::ethernet::arp : wire::ethernet::ipv6);
        }
        for (auto changes = random() % 4; changes > 0 && !frame.empty(); --changes)
            frame[random() % frame.size()] = static_cast<std::uint8_t>(random());
        receive(neighbors, frame);
    }
}

}  // namespace
}  // namespace xlatperf::port
