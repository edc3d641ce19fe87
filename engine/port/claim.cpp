#include "port/claim.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>

#include "port/eal.h"
#include "port/port_name.h"

namespace xlatperf::port {

namespace {

// In the abstract namespace: it's the network namespace's own, and the kernel lets go of it when its owner ends.
sockaddr_un address_of(const std::string& what, socklen_t& size) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string name = "xlatperf/" + what;
    const std::size_t copied = std::min(name.size(), sizeof address.sun_path - 1);
    name.copy(address.sun_path + 1, copied, name.size() - copied);  // the end of a long path tells more
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + copied);
    return address;
}

std::string holder(const sockaddr_un& address, socklen_t size) {
    const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    ucred other{};
    socklen_t length = sizeof other;
    const bool known = descriptor >= 0 && connect(descriptor, reinterpret_cast<const sockaddr*>(&address), size) == 0 &&
                       getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &other, &length) == 0;
    if (descriptor >= 0) close(descriptor);
    return known ? "process " + std::to_string(other.pid) : "a process of this host";
}

}  // namespace

std::string lies_on(const std::string& port_name) {
    if (is_pci_address(port_name)) {
        std::string full = port_name.find(':') == port_name.rfind(':') ? "0000:" + port_name : port_name;
        std::ranges::transform(full, full.begin(), [](unsigned char one) { return static_cast<char>(std::tolower(one)); });
        return "card " + full;
    }
    if (const auto interface = argument(port_name, "iface")) return "interface " + *interface;
    if (!port_name.starts_with("net_memif")) return "";
    return std::string(is_memif_server(port_name) ? "the server's" : "the client's") + " end of memif " +
           argument(port_name, "id").value_or("0") + " at " + argument(port_name, "socket").value_or("/run/memif.sock");
}

Claim::Claim(const std::string& port_name) {
    const std::string what = lies_on(port_name);
    if (what.empty()) return;
    socklen_t size = 0;
    const sockaddr_un address = address_of(what, size);
    socket_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket_ < 0) return;
    if (bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) == 0) {
        listen(socket_, 1);
        return;
    }
    const int error = errno;
    close(socket_);
    socket_ = -1;
    if (error == EADDRINUSE)
        throw PortError("port " + port_name + ": another Tester (" + holder(address, size) + ") uses " + what);
}

Claim::~Claim() {
    if (socket_ >= 0) close(socket_);
}

}  // namespace xlatperf::port
