#include "technologies/binding_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace xlatperf::reference {

using namespace wire;

namespace {

unsigned read_number(std::string_view text, unsigned most) {
    if (text.empty() || text.size() > 5 || text.find_first_not_of("0123456789") != std::string_view::npos)
        throw std::runtime_error("\"" + std::string(text) + "\" is not a number");
    unsigned value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    if (value > most) throw std::runtime_error(std::string(text) + " is more than " + std::to_string(most));
    return value;
}

template <typename Parse> auto read_address(std::string_view text, Parse parse) {
    const auto found = parse(text);
    if (!found) throw std::runtime_error("\"" + std::string(text) + "\" is not an address");
    return *found;
}

Softwire read_softwire(std::string_view line) {
    std::array<std::string_view, 6> of;
    for (std::size_t column = 0; column < of.size(); ++column) {
        const auto comma = line.find(',');
        if ((comma == std::string_view::npos) != (column + 1 == of.size())) throw std::runtime_error("not six values");
        of[column] = line.substr(0, comma);
        if (comma != std::string_view::npos) line.remove_prefix(comma + 1);
    }
    Softwire found;
    found.lwb4 = read_address(of[0], parse_ipv6);
    found.ipv4 = read_address(of[1], parse_ipv4);
    found.psid_offset = static_cast<std::uint8_t>(read_number(of[2], 15));
    found.psid_length = static_cast<std::uint8_t>(read_number(of[3], 16u - found.psid_offset));
    found.psid = static_cast<std::uint16_t>(read_number(of[4], (1u << found.psid_length) - 1));
    found.lwaftr = read_address(of[5], parse_ipv6);
    return found;
}

/// As if all PSIDs had 16 bits.
std::uint32_t first_of(const Softwire& softwire) { return std::uint32_t{softwire.psid} << (16 - softwire.psid_length); }

}  // namespace

bool Softwire::has(std::uint16_t port) const {
    if (psid_length == 0) return true;
    if (psid_offset > 0 && port >> (16 - psid_offset) == 0) return false;
    const unsigned behind = 16u - psid_offset - psid_length;
    return ((std::uint32_t{port} >> behind) & ((1u << psid_length) - 1)) == psid;
}

BindingTable BindingTable::read(const std::string& path) {
    std::error_code unknown;
    std::ifstream file(path);
    if (!file || !std::filesystem::is_regular_file(path, unknown))  // a device may never end
        throw std::runtime_error("can't be read");
    BindingTable table;
    std::string line;
    if (!std::getline(file, line) || line != "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr")
        throw std::runtime_error("its first line isn't ipv6,ipv4,psid_offset,psid_length,psid,lwaftr");
    for (std::size_t number = 2; std::getline(file, line); ++number) {
        try {
            table.add(read_softwire(line));
        } catch (const std::runtime_error& error) {
            throw std::runtime_error("line " + std::to_string(number) + ": " + error.what());
        }
    }
    if (table.softwires_.empty()) throw std::runtime_error("it has no softwires");
    for (auto& [address, of] : table.by_ipv4_) {
        std::sort(of.begin(), of.end(),
                  [&](auto a, auto b) { return first_of(table.softwires_[a]) < first_of(table.softwires_[b]); });
    }
    return table;
}

void BindingTable::add(const Softwire& softwire) {
    const auto number = static_cast<std::uint32_t>(softwires_.size());
    if (!by_lwb4_.emplace(softwire.lwb4, number).second) throw std::runtime_error("its IPv6 address has a softwire already");
    by_ipv4_[softwire.ipv4.value].push_back(number);
    if (!is_lwaftr(softwire.lwaftr)) lwaftrs_.push_back(softwire.lwaftr);
    softwires_.push_back(softwire);
}

const Softwire* BindingTable::find(Ipv6Address lwb4) const {
    const auto at = by_lwb4_.find(lwb4);
    return at == by_lwb4_.end() ? nullptr : &softwires_[at->second];
}

const Softwire* BindingTable::find(Ipv4Address address, std::uint16_t port) const {
    const auto at = by_ipv4_.find(address.value);
    if (at == by_ipv4_.end()) return nullptr;
    // All softwires of an address have the same offset; the port's bits behind it as a PSID of 16 bits.
    const unsigned offset = any(address)->psid_offset;
    const std::uint32_t wanted = (std::uint32_t{port} << offset) & 0xffff;
    const auto behind = std::upper_bound(at->second.begin(), at->second.end(), wanted,
                                         [&](std::uint32_t psid, std::uint32_t i) { return psid < first_of(softwires_[i]); });
    if (behind == at->second.begin()) return nullptr;
    const Softwire& found = softwires_[*(behind - 1)];
    return found.has(port) ? &found : nullptr;
}

bool BindingTable::is_lwaftr(Ipv6Address address) const {
    return std::find(lwaftrs_.begin(), lwaftrs_.end(), address) != lwaftrs_.end();
}

}  // namespace xlatperf::reference
