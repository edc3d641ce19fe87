#include "port/eal.h"

#include <rte_eal.h>
#include <rte_errno.h>
#include <rte_mbuf.h>
#include <sched.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace xlatperf::reference {

namespace {

constexpr std::size_t huge_page_kb = 2048;

unsigned memory_mb(const Config& config) {
    constexpr std::size_t per_buffer = sizeof(rte_mbuf) + 128;  // and the pool's own header and alignment
    const std::size_t bytes = std::size_t{config.buffers} * (buffer_data_size(config) + per_buffer);
    return static_cast<unsigned>(bytes / (1u << 20) + 64);
}

bool enough_huge_pages(unsigned megabytes) {
    std::ifstream file("/sys/kernel/mm/hugepages/hugepages-" + std::to_string(huge_page_kb) + "kB/free_hugepages");
    std::size_t free_pages = 0;
    file >> free_pages;
    return free_pages * huge_page_kb / 1024 >= megabytes;
}

/// All CPUs that this process may use: the one worker isn't bound to one of them unless told so.
std::string allowed_cpus() {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    std::string list;
    for (unsigned cpu = 0; cpu < CPU_SETSIZE; ++cpu)
        if (CPU_ISSET(cpu, &set)) list += (list.empty() ? "" : ",") + std::to_string(cpu);
    return list;
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

void add_device(std::vector<std::string>& arguments, const std::string& port) {
    remove_stale_socket(port);
    arguments.emplace_back(is_pci_address(port) ? "-a" : "--vdev=" + port);
    if (is_pci_address(port)) arguments.push_back(port);
}

void remove_runtime_directory() {
    const std::filesystem::path directory = rte_eal_get_runtime_dir();
    std::error_code ignored;
    if (directory.filename().string().rfind("xlatperf-reference-", 0) == 0) std::filesystem::remove_all(directory, ignored);
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
    hugepages_ = config.hugepages == Hugepages::require ||
                 (config.hugepages == Hugepages::automatic && enough_huge_pages(megabytes + megabytes / 2));
    std::vector<std::string> arguments = {program, "--no-telemetry", "--log-level=lib.*:warning", "--log-level=pmd.*:warning",
                                          "--file-prefix=xlatperf-reference-" + std::to_string(getpid())};
    if (hugepages_)
        arguments.insert(arguments.end(), {"--in-memory", "--single-file-segments"});
    else
        arguments.insert(arguments.end(), {"--no-huge", "-m", std::to_string(megabytes), "--no-shconf"});
    arguments.push_back("--iova-mode=va");
    arguments.push_back("--lcores=0@(" + (config.core ? std::to_string(*config.core) : allowed_cpus()) + ")");
    if (std::none_of(config.ports.begin(), config.ports.end(), [](auto& p) { return is_pci_address(p.port); }))
        arguments.emplace_back("--no-pci");
    for (const PortSettings& port : config.ports) add_device(arguments, port.port);

    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    if (rte_eal_init(static_cast<int>(pointers.size()), pointers.data()) >= 0) return;
    const std::string reason = rte_strerror(rte_errno);
    throw message::MessageError("left.port, right.port: DPDK could not start (" + reason +
                                "), its messages are on standard error; ports: " + config.ports[0].port + " and " +
                                config.ports[1].port +
                                (hugepages_ ? "; hugepages were used, \"hugepages\": \"never\" does without" : ""));
}

Eal::~Eal() {
    rte_eal_cleanup();
    remove_runtime_directory();
}

void Eal::leave() {
    remove_runtime_directory();
    std::fflush(nullptr);
    std::_Exit(0);
}

}  // namespace xlatperf::reference
