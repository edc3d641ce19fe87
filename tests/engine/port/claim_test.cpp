#include "port/claim.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "port/eal.h"

namespace xlatperf::port {
namespace {

TEST(Claim, WhatAPortLiesOn) {
    EXPECT_EQ(lies_on("net_af_packet0,iface=t0,framecnt=4096"), "interface t0");
    EXPECT_EQ(lies_on("net_af_xdp3,iface=t0"), "interface t0") << "whatever the driver";
    EXPECT_EQ(lies_on("net_tap0,iface=x1"), "interface x1");
    EXPECT_EQ(lies_on("0000:3B:00.1"), "card 0000:3b:00.1");
    EXPECT_EQ(lies_on("3b:00.1"), "card 0000:3b:00.1");
    EXPECT_EQ(lies_on("net_memif0,socket=/run/a.sock,id=3"), "the client's end of memif 3 at /run/a.sock");
    EXPECT_EQ(lies_on("net_memif0,role=server,socket=/run/a.sock"), "the server's end of memif 0 at /run/a.sock");
    for (const auto* alone : {"net_ring0", "net_null0", "net_pcap0,rx_pcap=a", ""}) EXPECT_EQ(lies_on(alone), "") << alone;
}

std::string refused(const std::string& port_name) {
    try {
        const Claim claim(port_name);
        return "";
    } catch (const PortError& error) {
        return error.what();
    }
}

TEST(Claim, IsHeldUntilItsEnd) {
    const std::string port = "net_af_packet0,iface=claimed" + std::to_string(getpid() % 1000),
                      other = "net_af_packet1,iface=other";
    const std::string holder = "another Tester (process " + std::to_string(getpid()) + ") uses interface claimed";
    {
        const Claim claim(port);
        const Claim beside("net_null0"), and_another("net_null0");
        EXPECT_EQ(refused(port).rfind("port " + port + ": " + holder, 0), 0U) << refused(port);
        EXPECT_EQ(refused(other), "");
    }
    EXPECT_EQ(refused(port), "");
}

TEST(Claim, EndsWithItsProcess) {
    const std::string port = "net_memif0,socket=/" + std::string(200, 'x') + std::to_string(getpid());
    int ready[2], done[2];
    ASSERT_EQ(pipe(ready), 0);
    ASSERT_EQ(pipe(done), 0);
    const pid_t child = fork();
    char byte = 0;
    if (child == 0) {
        const Claim claim(port);
        if (write(ready[1], "r", 1) != 1 || read(done[0], &byte, 1) != 1) _exit(1);
        _exit(0);  // without destructors
    }
    ASSERT_EQ(read(ready[0], &byte, 1), 1);
    EXPECT_NE(refused(port).find("(process " + std::to_string(child) + ")"), std::string::npos) << refused(port);
    EXPECT_EQ(refused(port + "y"), "") << "another end of a long name";
    ASSERT_EQ(write(done[1], "d", 1), 1);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(refused(port), "");
    for (const int end : {ready[0], ready[1], done[0], done[1]}) close(end);
}

}  // namespace
}  // namespace xlatperf::port
