#include "eal/start.h"

#include <rte_eal.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace xlatperf::eal {

namespace {
std::string runtime_folder;
}  // namespace

std::uint64_t free_hugepage_mb() {
    std::uint64_t total = 0;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator("/sys/kernel/mm/hugepages", error)) {
        std::ifstream file(entry.path() / "free_hugepages");
        std::uint64_t pages = 0;
        unsigned long long kb = 0;
        if (file >> pages && std::sscanf(entry.path().filename().c_str(), "hugepages-%llukB", &kb) == 1)
            total += pages * kb / 1024;
    }
    return total;
}

std::vector<std::string> arguments(const std::string& program, const std::string& prefix, unsigned memory_mb, bool hugepages) {
    std::vector<std::string> all = {program, "--no-telemetry", "--file-prefix", prefix, "-m", std::to_string(memory_mb)};
    if (hugepages) {
        all.emplace_back("--in-memory");
    } else {
        all.insert(all.end(), {"--no-huge", "--no-shconf"});
    }
    return all;
}

bool start(std::vector<std::string> arguments, const std::vector<std::string>& devices) {
    if (devices.empty()) arguments.emplace_back("--no-pci");
    for (const auto& address : devices) arguments.insert(arguments.end(), {"-a", address});
    std::vector<char*> argv;
    for (auto& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    if (rte_eal_init(static_cast<int>(arguments.size()), argv.data()) < 0) return false;
    runtime_folder = rte_eal_get_runtime_dir();
    return true;
}

void remove_runtime_folder() {
    std::error_code ignored;
    if (runtime_folder.find("xlatperf-") != std::string::npos) std::filesystem::remove_all(runtime_folder, ignored);
}

void stop() {
    rte_eal_cleanup();
    remove_runtime_folder();
}

}  // namespace xlatperf::eal
