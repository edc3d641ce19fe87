#include "port/packet_socket.h"

#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <filesystem>

namespace {
bool several_sockets = false;
}

// In the place of the C library's, for DPDK's driver too: that joins the sockets of a port to a group (packet(7), PACKET_FANOUT).
// The kernel would choose among one, for each frame, and put fragments of IPv4 together before, so that a DUT which fragments
// would look right.
extern "C" __attribute__((visibility("default"))) int setsockopt(int descriptor, int level, int name, const void* value,
                                                                 socklen_t size) noexcept {
    int group = 0;
    if (level == SOL_PACKET && name == PACKET_FANOUT && size == sizeof group) {
        if (!several_sockets) return 0;
        std::memcpy(&group, value, sizeof group);
        group &= ~(PACKET_FANOUT_FLAG_DEFRAG << 16);
        value = &group;
    }
    return static_cast<int>(syscall(SYS_setsockopt, descriptor, level, name, value, size));
}

namespace {
int domain_of(int descriptor) {
    int domain = 0;
    socklen_t size = sizeof domain;
    return getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 ? domain : AF_UNSPEC;
}
}  // namespace

// Likewise: where no place in its ring is free, DPDK's driver would sleep until whoever is at the other end has taken half of
// what the socket's buffer holds, and then find place for all: a sender whose DUT is slow would be late and not know why. So it's
// told at once, and looks into the ring again at its next burst. (Under another name here: by its own, compilers take it for a
// function that only writes.)
extern "C" __attribute__((visibility("default"))) int poll_or_not(pollfd* descriptors, nfds_t count, int timeout_ms) asm("poll");
extern "C" int poll_or_not(pollfd* descriptors, nfds_t count, int timeout_ms) {
    const bool for_place_to_send = count == 1 && timeout_ms < 0 && descriptors[0].events == POLLOUT;
    if (for_place_to_send && domain_of(descriptors[0].fd) == AF_PACKET) timeout_ms = 0;
    const timespec timeout{timeout_ms / 1000, timeout_ms % 1000 * 1'000'000L};
    return ppoll(descriptors, count, timeout_ms < 0 ? nullptr : &timeout, nullptr);
}

namespace xlatperf::port {

namespace {

bool is_packet_socket_on(int descriptor, unsigned interface) {
    if (domain_of(descriptor) != AF_PACKET) return false;
    sockaddr_ll address{};
    socklen_t size = sizeof address;
    return getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &size) == 0 &&
           address.sll_ifindex == static_cast<int>(interface);
}

template <typename Use> void each_descriptor(Use use) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd", error)) {
        const std::string name = entry.path().filename();
        int descriptor = -1;
        std::from_chars(name.data(), name.data() + name.size(), descriptor);
        if (descriptor >= 0) use(descriptor);
    }
}

}  // namespace

void use_several_packet_sockets(bool several) { several_sockets = several; }

std::uint64_t take_packet_socket_drops(const std::string& interface_name) {
    const unsigned interface = if_nametoindex(interface_name.c_str());
    if (interface == 0) return 0;
    std::uint64_t drops = 0;
    each_descriptor([&](int descriptor) {
        if (!is_packet_socket_on(descriptor, interface)) return;
        tpacket_stats statistics{};
        socklen_t size = sizeof statistics;
        if (getsockopt(descriptor, SOL_PACKET, PACKET_STATISTICS, &statistics, &size) == 0) drops += statistics.tp_drops;
    });
    return drops;
}

std::vector<int> sending_sockets(const std::string& interface_name) {
    std::vector<int> found;
    const unsigned interface = if_nametoindex(interface_name.c_str());
    if (interface == 0) return found;
    each_descriptor([&](int descriptor) {
        if (is_packet_socket_on(descriptor, interface) || domain_of(descriptor) == AF_XDP) found.push_back(descriptor);
    });
    return found;
}

void push(const std::vector<int>& sockets) {
    for (const int socket : sockets) send(socket, nullptr, 0, MSG_DONTWAIT);  // a full queue is no error: it's tried again
}

}  // namespace xlatperf::port
