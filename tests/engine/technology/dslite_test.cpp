// DS-Lite as requests ask for it (RFC 6333): an AFTR with B4s in front of it, and a B4.
#include <gtest/gtest.h>

#include "technology/read_technology.h"
#include "technology/texts.h"

namespace xlatperf::technology {
namespace {

std::string dslite(const std::string& b4s) {
    return R"({"name": "dslite", "aftr": "2001:db8:0:2::1", "pool": {"first": "192.0.2.1"}, "b4s": {)" + b4s + "}}";
}

TEST(Dslite, ClientsAreBehindB4s) {  // R6333-6.6
    const auto aftr = read_stateful(dslite(R"("first": "2001:db8:0:1000::1", "count": 1000)"), "198.51.100.1");
    const auto b4s = std::get<flow::ConnectionFlows::Space>(aftr->flows()).b4s;
    ASSERT_TRUE(b4s);
    EXPECT_EQ(b4s->count, 1000U);
    EXPECT_EQ(texts(aftr->addresses(Side::left, Side::left)), (Texts{"10.0.0.2", "10.0.0.3", "10.0.0.4"}))
        << "behind each of them";
    EXPECT_EQ(texts(aftr->addresses(Side::right, Side::left)), (Texts{"198.51.100.1", "198.51.100.2"}));
    EXPECT_EQ(to_text(aftr->pool()->first), "192.0.2.1");
    const auto tunnel = aftr->tunnel(Side::left);
    ASSERT_TRUE(tunnel);
    EXPECT_EQ(wire::to_text(std::get<flow::B4s>(tunnel->ends[0]).address(999)), "2001:db8:0:13e7::1");
    EXPECT_EQ(texts(std::get<Addresses>(tunnel->ends[1])), Texts{"2001:db8:0:2::1"});
    EXPECT_FALSE(aftr->tunnel(Side::right));
    EXPECT_EQ(aftr->ip_headers(Side::left), aftr->ip_headers(Side::right) + 40);
}

TEST(Dslite, TheDutRoutesToB4sNotToClients) {
    const auto aftr = read_stateful(dslite(R"("first": "2001:db8:0:1000::1", "count": 1000)"));
    EXPECT_EQ(aftr->routes(Side::left), Texts{"2001:db8:0:1000::/54"});
    EXPECT_EQ(aftr->routes(Side::right), (Texts{"198.19.0.2/31"}));
    EXPECT_EQ(read_stateful(dslite(R"("first": "2001:db8::5")"))->routes(Side::left), Texts{"2001:db8::5/128"});
}

TEST(Dslite, RefusesInOneLine) {
    const auto refused = [](const std::string& b4s) -> std::string {
        try {
            read_stateful(dslite(b4s));
        } catch (const message::MessageError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(refused(R"("first": "ffff:ffff:ffff:fff0::1", "count": 17)").find("technology.b4s.count"), std::string::npos);
    EXPECT_NE(refused(R"("first": "::1", "count": 16777217)").find("1 to 16777216"), std::string::npos);
    EXPECT_NE(refused(R"("first": "::1", "network_length": 31)").find("32 to 128"), std::string::npos);
    EXPECT_NE(refused(R"("count": 2)").find("technology.b4s.first"), std::string::npos);
    EXPECT_NE(refused(R"("first": "::1", "step": 2)").find("technology.b4s.step"), std::string::npos);
}

}  // namespace
}  // namespace xlatperf::technology
