#include "port/interface_counters.h"

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string_view>

#include "port/port_name.h"

namespace xlatperf::port {

std::string interface_of(const std::string& port_name, const std::string& driver) {
    const bool has = driver == "net_af_packet" || driver == "net_af_xdp" || driver == "net_tap";
    return has ? argument(port_name, "iface").value_or("") : "";
}

std::optional<InterfaceCounters> read_interface_counters(std::istream& table, const std::string& interface) {
    constexpr std::size_t columns = 16, receive = 0, transmit = 8, packets = 1, dropped = 3;
    for (std::string line; std::getline(table, line);) {
        const auto colon = line.rfind(':');
        const auto name = line.find_first_not_of(' ');
        if (colon == std::string::npos || line.substr(name, colon - name) != interface) continue;
        std::istringstream values(line.substr(colon + 1));
        std::array<std::uint64_t, columns> of{};
        for (auto& value : of) values >> value;
        if (!values) return {};
        return InterfaceCounters{of[receive + packets], of[receive + dropped], of[transmit + packets], of[transmit + dropped]};
    }
    return {};
}

std::optional<InterfaceCounters> read_interface_counters(const std::string& interface) {
    if (interface.empty()) return {};
    std::ifstream table("/proc/self/net/dev");
    return read_interface_counters(table, interface);
}

namespace {
// What the kernel says of an interface, in the request's answer.
bool ask(const std::string& interface, unsigned long what, ifreq& request) {
    const int descriptor = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return false;
    interface.copy(request.ifr_name, sizeof request.ifr_name - 1);
    const bool known = ioctl(descriptor, what, &request) == 0;
    close(descriptor);
    return known;
}
}  // namespace

bool is_promiscuous(const std::string& interface) {
    ifreq request{};
    return ask(interface, SIOCGIFFLAGS, request) && (request.ifr_flags & IFF_PROMISC) != 0;
}

bool is_software_link(const std::string& interface) {
    ethtool_drvinfo driver{};
    driver.cmd = ETHTOOL_GDRVINFO;
    ifreq request{};
    request.ifr_data = reinterpret_cast<char*>(&driver);
    const bool known = ask(interface, SIOCETHTOOL, request);
    constexpr std::array<std::string_view, 2> software = {"veth", "tun"};
    return known && std::ranges::find(software, std::string_view(driver.driver)) != software.end();
}

}  // namespace xlatperf::port
