#include "port/eal.h"

#include <rte_errno.h>
#include <rte_mbuf.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "eal/cpus.h"
#include "eal/start.h"

namespace xlatperf::reference {

namespace {

unsigned memory_mb(const Config& config) {
    constexpr std::size_t per_buffer = sizeof(rte_mbuf) + 128;  // and the pool's own header and alignment
    const std::size_t bytes = std::size_t{config.buffers} * (buffer_data_size(config) + per_buffer);
    return static_cast<unsigned>(bytes / (1u << 20) + 64);
}

bool is_pci_address(const std::string& port) { return !port.empty() && port.find(':') < port.find(','); }

std::string vdev_argument(const std::string& port, std::string_view name) {
    const std::string key = "," + std::string(name) + "=";
    const std::size_t at = port.find(key);
    return at == std::string::npos ? "" : port.substr(at + key.size(), port.find(',', at + 1) - at - key.size());
}

/// A memif server can't bind a socket that a killed process has left behind.
void remove_stale_socket(const std::string& port) {
    const std::string path = vdev_argument(port, "socket");
    sockaddr_un address{};
    if (port.rfind("net_memif", 0) != 0 || vdev_argument(port, "role") != "server" || path.empty() ||
        path.size() >= sizeof address.sun_path || !std::filesystem::is_socket(path))
        return;
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, path.size());
    const int descriptor = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return;
    const int result = connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    const bool refused = result != 0 && errno == ECONNREFUSED;
    close(descriptor);
    if (refused) unlink(path.c_str());
}

}  // namespace

unsigned buffer_data_size(const Config& config) {
    std::size_t mtu = 1500;
    for (const PortSettings& port : config.ports) mtu = std::max(mtu, port.mtu.value_or(0));
    const std::size_t frame = mtu + 128;  // Ethernet with VLAN tags, what translation adds
    return static_cast<unsigned>(std::max<std::size_t>(RTE_MBUF_DEFAULT_DATAROOM, (frame + 63) / 64 * 64) + RTE_PKTMBUF_HEADROOM);
}

Eal::Eal(const Config& config, const char* program) {
    const unsigned megabytes = memory_mb(config);
    hugepages_ = config.hugepages == eal::Hugepages::require ||
                 (config.hugepages == eal::Hugepages::automatic && eal::free_hugepage_mb() >= megabytes + megabytes / 2);
    auto arguments = eal::arguments(program, "xlatperf-reference-" + std::to_string(getpid()), megabytes, hugepages_);
    if (hugepages_) arguments.emplace_back("--single-file-segments");
    // The one worker isn't bound to a CPU unless told so.
    const std::string cpus = config.core ? std::to_string(*config.core) : eal::listed(eal::allowed_cpus());
    arguments.insert(arguments.end(),
                     {"--log-level=lib.*:warning", "--log-level=pmd.*:warning", "--iova-mode=va", "--lcores=0@(" + cpus + ")"});
    std::vector<std::string> pci;
    for (const PortSettings& port : config.ports) {
        if (config.one_port() && &port == &config.ports[1]) continue;
        if (is_pci_address(port.port)) {
            pci.push_back(port.port);
        } else {
            remove_stale_socket(port.port);
            arguments.push_back("--vdev=" + port.port);
        }
    }
    if (eal::start(arguments, pci)) return;
    const std::string reason = rte_strerror(rte_errno);
    throw message::MessageError("left.port, right.port: DPDK could not start (" + reason +
                                "), its messages are on standard error; ports: " + config.ports[0].port + " and " +
                                config.ports[1].port +
                                (hugepages_ ? "; hugepages were used, \"hugepages\": \"never\" does without" : ""));
}

Eal::~Eal() { eal::stop(); }

void Eal::leave() {
    eal::remove_runtime_folder();
    std::fflush(nullptr);
    std::_Exit(0);
}

}  // namespace xlatperf::reference
