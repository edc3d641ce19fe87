#include "technologies/binding_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace xlatperf::reference {

using namespace wire;

namespace {

constexpr std::size_t first_line = 2;  // of the rows, behind the names

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

/// Of a million rows, a run of neighbours has the same address.
template <typename Address> class LastAddress {
  public:
    template <typename Parse> Address operator()(std::string_view text, Parse parse) {
        if (text_.empty() || text != text_) {
            address_ = read_address(text, parse);
            text_ = text;
        }
        return address_;
    }

  private:
    std::string text_;
    Address address_;
};

struct RowBefore {
    LastAddress<Ipv4Address> ipv4;
    LastAddress<Ipv6Address> lwaftr;
};

Softwire read_softwire(std::string_view line, RowBefore& before) {
    std::array<std::string_view, 6> of;
    for (std::size_t column = 0; column < of.size(); ++column) {
        const auto comma = line.find(',');
        if ((comma == std::string_view::npos) != (column + 1 == of.size())) throw std::runtime_error("not six values");
        of[column] = line.substr(0, comma);
        if (comma != std::string_view::npos) line.remove_prefix(comma + 1);
    }
    Softwire found;
    found.lwb4 = read_address(of[0], parse_ipv6);
    found.ipv4 = before.ipv4(of[1], parse_ipv4);
    found.psid_offset = static_cast<std::uint8_t>(read_number(of[2], 15));
    found.psid_length = static_cast<std::uint8_t>(read_number(of[3], 16u - found.psid_offset));
    found.psid = static_cast<std::uint16_t>(read_number(of[4], (1u << found.psid_length) - 1));
    found.lwaftr = before.lwaftr(of[5], parse_ipv6);
    return found;
}

std::uint64_t hash_of(Ipv6Address address) {
    const auto high = static_cast<std::uint64_t>(address.value >> 64), low = static_cast<std::uint64_t>(address.value);
    return (high ^ low * 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9 >> 16;
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
    std::vector<Softwire> softwires;
    std::string line;
    if (!std::getline(file, line) || line != "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr")
        throw std::runtime_error("its first line isn't ipv6,ipv4,psid_offset,psid_length,psid,lwaftr");
    RowBefore before;
    while (std::getline(file, line)) {
        try {
            softwires.push_back(read_softwire(line, before));
        } catch (const std::runtime_error& error) {
            throw std::runtime_error("line " + std::to_string(softwires.size() + first_line) + ": " + error.what());
        }
    }
    if (softwires.empty()) throw std::runtime_error("it has no softwires");
    return BindingTable(std::move(softwires));
}

BindingTable::BindingTable(std::vector<Softwire> softwires)
    : softwires_(std::move(softwires)), by_lwb4_(softwires_.size()), sorted_(softwires_.size()) {
    index_by_lwb4();
    sort_by_ipv4();
}

void BindingTable::index_by_lwb4() {
    constexpr std::size_t ahead = 16;  // a million buckets aren't in the caches
    for (std::size_t i = 0; i < softwires_.size(); ++i) {
        if (i + ahead < softwires_.size()) by_lwb4_.prefetch(hash_of(softwires_[i + ahead].lwb4));
        const Softwire& softwire = softwires_[i];
        if (!is_lwaftr(softwire.lwaftr)) lwaftrs_.push_back(softwire.lwaftr);
        if (find(softwire.lwb4) == nullptr)
            by_lwb4_.insert(softwires_.data(), hash_of(softwire.lwb4), static_cast<Number>(i));
        else
            several_ = true;
    }
}

void BindingTable::sort_by_ipv4() {
    std::iota(sorted_.begin(), sorted_.end(), 0u);
    const auto place = [&](Number i) { return std::pair(softwires_[i].ipv4.value, first_of(softwires_[i])); };
    const auto before = [&](Number a, Number b) { return place(a) < place(b); };
    // As most files are; std::sort would take a while to find that out.
    if (!std::is_sorted(sorted_.begin(), sorted_.end(), before)) std::sort(sorted_.begin(), sorted_.end(), before);
    for (std::uint32_t at = 0; at < sorted_.size(); ++at) {
        auto& of = by_ipv4_[softwires_[sorted_[at]].ipv4.value];
        if (of.count++ == 0) of.first = at;
    }
}

const Softwire* BindingTable::find(Ipv6Address lwb4) const {
    const Number at =
        by_lwb4_.find(softwires_.data(), hash_of(lwb4), [&](const Softwire& softwire) { return softwire.lwb4 == lwb4; });
    return at == no_number ? nullptr : &softwires_[at];
}

const Softwire* BindingTable::find(Ipv4Address address, std::uint16_t port) const {
    const auto at = by_ipv4_.find(address.value);
    if (at == by_ipv4_.end()) return nullptr;
    // All softwires of an address have the same offset; the port's bits behind it as a PSID of 16 bits.
    const unsigned offset = any(address)->psid_offset;
    const std::uint32_t wanted = (std::uint32_t{port} << offset) & 0xffff;
    const auto of = std::span(sorted_).subspan(at->second.first, at->second.count);
    const auto behind = std::upper_bound(of.begin(), of.end(), wanted,
                                         [&](std::uint32_t psid, std::uint32_t i) { return psid < first_of(softwires_[i]); });
    if (behind == of.begin()) return nullptr;
    const Softwire& found = softwires_[*(behind - 1)];
    return found.has(port) ? &found : nullptr;
}

const Softwire& BindingTable::nearest(const Softwire& first, Ipv4Address address, std::uint16_t port) const {
    if (!several_ || (first.ipv4 == address && first.has(port))) return first;
    const Softwire* exact = find(address, port);
    if (exact != nullptr && exact->lwb4 == first.lwb4) return *exact;
    const auto at = by_ipv4_.find(address.value);
    if (at == by_ipv4_.end()) return first;
    for (const Number i : std::span(sorted_).subspan(at->second.first, at->second.count))
        if (softwires_[i].lwb4 == first.lwb4) return softwires_[i];
    return first;
}

bool BindingTable::is_lwaftr(Ipv6Address address) const {
    return std::find(lwaftrs_.begin(), lwaftrs_.end(), address) != lwaftrs_.end();
}

}  // namespace xlatperf::reference
