#include "port/interface_state.h"

#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace xlatperf::port {

namespace {

struct Question {
    nlmsghdr header;
    ifinfomsg link;
    rtattr name_is;
    std::array<char, IFNAMSIZ> name;
    rtattr without;
    std::uint32_t statistics;
};

constexpr std::uint32_t skip_statistics = 1U << 3;  // RTEXT_FILTER_SKIP_STATS

Question question(const std::string& interface) {
    Question asked{};
    asked.header.nlmsg_len = sizeof asked;
    asked.header.nlmsg_type = RTM_GETLINK;
    asked.header.nlmsg_flags = NLM_F_REQUEST;
    asked.link.ifi_family = AF_UNSPEC;
    asked.name_is = {sizeof(rtattr) + IFNAMSIZ, IFLA_IFNAME};
    interface.copy(asked.name.data(), IFNAMSIZ - 1);
    asked.without = {sizeof(rtattr) + sizeof asked.statistics, IFLA_EXT_MASK};
    asked.statistics = skip_statistics;
    return asked;
}

// Copies the value of an attribute that has as many bytes.
template <typename Value> void take(const char* at, const rtattr& attribute, Value& value) {
    if (attribute.rta_len >= sizeof attribute + sizeof value) std::memcpy(&value, at + sizeof attribute, sizeof value);
}

// Calls `told(at, attribute)` for each that is whole.
template <typename Told> void each_attribute(const char* at, const char* end, const Told& told) {
    for (rtattr one{}; end - at >= static_cast<std::ptrdiff_t>(sizeof one); at += RTA_ALIGN(one.rta_len)) {
        std::memcpy(&one, at, sizeof one);
        if (one.rta_len < sizeof one || one.rta_len > end - at) break;
        one.rta_type &= static_cast<unsigned short>(NLA_TYPE_MASK);
        told(at, one);
    }
}

InterfaceState read_answer(const nlmsghdr* header, std::size_t size) {
    InterfaceState state;
    if (!NLMSG_OK(header, size)) return state;
    if (header->nlmsg_type == NLMSG_ERROR && header->nlmsg_len >= NLMSG_LENGTH(sizeof(nlmsgerr))) {
        state.known = static_cast<const nlmsgerr*>(NLMSG_DATA(header))->error == -ENODEV;
        return state;
    }
    if (header->nlmsg_type != RTM_NEWLINK) return state;
    const auto* link = static_cast<const ifinfomsg*>(NLMSG_DATA(header));
    state.known = state.there = true;
    state.up = (link->ifi_flags & IFF_UP) != 0;
    state.carrier = (link->ifi_flags & IFF_RUNNING) != 0;
    state.index = link->ifi_index;
    const auto* at = reinterpret_cast<const char*>(link) + NLMSG_ALIGN(sizeof *link);
    const auto* end = reinterpret_cast<const char*>(header) + header->nlmsg_len;
    each_attribute(at, end, [&](const char* value, const rtattr& one) {
        if (one.rta_type == IFLA_CARRIER_CHANGES) take(value, one, state.changes);
        if (one.rta_type == IFLA_MTU) take(value, one, state.mtu);
        if (one.rta_type != IFLA_XDP) return;
        each_attribute(value + sizeof one, value + one.rta_len, [&](const char* of_xdp, const rtattr& each) {
            if (each.rta_type == IFLA_XDP_PROG_ID) take(of_xdp, each, state.xdp_program);
        });
    });
    return state;
}

}  // namespace

InterfaceState read_interface_state(const std::string& interface) {
    const int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0) return {};
    const Question asked = question(interface);
    alignas(nlmsghdr) std::array<char, 16384> answer{};
    ssize_t size = -1;
    if (send(descriptor, &asked, sizeof asked, 0) == static_cast<ssize_t>(sizeof asked))
        size = recv(descriptor, answer.data(), answer.size(), 0);
    close(descriptor);
    return size <= 0 ? InterfaceState{}
                     : read_answer(reinterpret_cast<const nlmsghdr*>(answer.data()), static_cast<std::size_t>(size));
}

std::string why_down(const InterfaceState& now, const std::string& interface, const InterfaceState& opened) {
    const std::string name = "interface " + interface;
    if (!now.known) return "";
    if (!now.there) return name + " is no longer there";
    const bool seen = opened.index != 0;
    if (seen && now.index != opened.index) return name + " was removed and made anew, and the port is still that of the old one";
    if (!now.up) return name + " is down";
    if (!now.carrier) return name + " has no carrier: its other end is down, or the cable is out";
    if (seen && now.mtu < opened.mtu) {
        return name + " has an MTU of " + std::to_string(now.mtu) + ", and had " + std::to_string(opened.mtu) +
               " when the port was opened";
    }
    if (seen && now.xdp_program != opened.xdp_program) {
        return name + (now.xdp_program == 0 ? " has lost the XDP program that hands the Tester its frames"
                                            : " has got another XDP program, which takes frames from the Tester");
    }
    return "";
}

}  // namespace xlatperf::port
