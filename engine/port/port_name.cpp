#include "port/port_name.h"

#include <regex>

namespace xlatperf::port {

bool is_pci_address(const std::string& name) {
    static const std::regex pattern("([0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-7]");
    return std::regex_match(name, pattern);
}
bool is_ring(const std::string& name) { return name.starts_with("net_ring"); }

std::optional<std::string> argument(const std::string& name, const std::string& key) {
    const std::string wanted = "," + key + "=";
    const auto at = name.find(wanted);
    if (at == std::string::npos) return {};
    const auto from = at + wanted.size();
    return name.substr(from, name.find(',', from) - from);
}

bool is_memif_server(const std::string& name) {
    const std::string role = name.starts_with("net_memif") ? argument(name, "role").value_or("") : "";
    return role == "server" || role == "master";
}

}  // namespace xlatperf::port
