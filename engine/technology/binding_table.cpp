#include "technology/binding_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>

namespace xlatperf::technology {

namespace {

constexpr std::size_t columns = 6;
using Row = std::array<std::string_view, columns>;

/// Where a row is wrong.
struct Wrong {
    std::string text;
};

std::optional<Row> split(std::string_view line) {
    Row found;
    for (std::size_t i = 0; i < columns; ++i) {
        const auto comma = line.find(',');
        if ((comma == std::string_view::npos) != (i + 1 == columns)) return {};
        found[i] = line.substr(0, comma);
        if (comma != std::string_view::npos) line.remove_prefix(comma + 1);
    }
    return found;
}

Wrong wrong(std::string_view column, std::string_view value, const std::string& allowed) {
    return {std::string(column) + ": \"" + std::string(value.substr(0, 60)) + "\" is not allowed: " + allowed};
}

unsigned number(std::string_view column, std::string_view text, unsigned most) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value > most)
        throw wrong(column, text, "a whole number, 0 to " + std::to_string(most));
    return value;
}

wire::Ipv6Address ipv6(std::string_view column, std::string_view text) {
    const auto found = wire::parse_ipv6(text);
    if (!found) throw wrong(column, text, "an IPv6 address");
    return *found;
}

void add(BindingTable& table, const Row& row) {
    flow::Binding binding;
    const auto own = ipv6("ipv6", row[0]).value;
    binding.ipv6 = {static_cast<std::uint64_t>(own >> 64), static_cast<std::uint64_t>(own)};
    const auto ipv4 = wire::parse_ipv4(row[1]);
    if (!ipv4) throw wrong("ipv4", row[1], "an IPv4 address");
    binding.ipv4 = ipv4->value;
    BindingGroup group;
    group.psid_offset = number("psid_offset", row[2], 15);
    group.psid_length = number("psid_length", row[3], 16 - group.psid_offset);
    binding.psid = static_cast<std::uint16_t>(number("psid", row[4], (1U << group.psid_length) - 1));
    group.lwaftr = ipv6("lwaftr", row[5]);
    const auto same = [&](const BindingGroup& other) { return other.key() == group.key(); };
    // Mostly the row before's.
    auto at = !table.of.empty() && same(table.groups[table.of.back()])
                  ? table.groups.begin() + table.of.back()
                  : std::find_if(table.groups.begin(), table.groups.end(), same);
    if (at == table.groups.end()) {
        if (table.groups.size() == BindingTable::most_groups)
            throw Wrong{"more than " + std::to_string(BindingTable::most_groups) +
                        " combinations of lwaftr, psid_offset and psid_length"};
        table.groups.push_back(group);
        at = table.groups.end() - 1;
    }
    if (table.rows.size() == BindingTable::most) throw Wrong{"more than " + std::to_string(BindingTable::most) + " softwires"};
    table.rows.push_back(binding);
    table.of.push_back(static_cast<std::uint8_t>(at - table.groups.begin()));
}

/// `lines`: of the file, where each row stands.
std::string text_of(const BindingTable& table, const std::vector<std::uint32_t>& lines, std::uint32_t i) {
    const flow::Binding& row = table.rows[i];
    return "line " + std::to_string(lines[i]) + " (" + wire::to_text(wire::Ipv6Address{row.ipv6_bits()}) + " with " +
           wire::to_text(wire::Ipv4Address{row.ipv4}) + ", PSID " + std::to_string(row.psid) + " of " +
           std::to_string(table.groups[table.of[i]].psid_length) + " bits)";
}

/// RFC 7596 §6.1, §6.2: an address and a port belong to one lwB4, which may have several of them.
void refuse_shared(const BindingTable& table, const std::vector<std::uint32_t>& lines) {
    const auto refuse = [&](std::uint32_t a, std::uint32_t b, const std::string& what) {
        throw BindingTableError(text_of(table, lines, std::min(a, b)) + " and " + text_of(table, lines, std::max(a, b)) +
                                " are not allowed: " + what);
    };
    std::vector<wire::Bits128> lwaftrs;
    for (const auto& group : table.groups) lwaftrs.push_back(group.lwaftr.value);
    std::sort(lwaftrs.begin(), lwaftrs.end());
    for (std::uint32_t i = 0; i < table.rows.size(); ++i) {
        if (std::binary_search(lwaftrs.begin(), lwaftrs.end(), table.rows[i].ipv6_bits()))
            throw BindingTableError(text_of(table, lines, i) + " is not allowed: an lwB4's address is no lwaftr");
    }
    std::vector<std::uint32_t> order(table.rows.size());
    std::iota(order.begin(), order.end(), 0U);
    // PSIDs as numbers of the most bits: one with fewer is a range of them.
    const auto group = [&](std::uint32_t i) { return table.groups[table.of[i]]; };
    const auto first = [&](std::uint32_t i) { return std::uint32_t{table.rows[i].psid} << (16 - group(i).psid_length); };
    const auto place = [&](std::uint32_t i) { return std::pair(table.rows[i].ipv4, first(i)); };
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return place(a) < place(b); });
    for (std::size_t i = 1; i < order.size(); ++i) {
        const auto a = order[i - 1], b = order[i];
        if (table.rows[a].ipv4 != table.rows[b].ipv4) continue;
        if (first(b) < first(a) + (1U << (16 - group(a).psid_length)))
            refuse(a, b, "port sets of one IPv4 address beside each other");
        if (group(a).psid_offset != group(b).psid_offset) refuse(a, b, "one psid_offset for each IPv4 address");
    }
}

/// Of a million rows, a run of neighbours has the same address.
template <typename Address> class LastText {
  public:
    const std::string& operator()(Address address) {
        if (text_.empty() || address != of_) {
            of_ = address;
            text_ = wire::to_text(address);
        }
        return text_;
    }

  private:
    Address of_;
    std::string text_;
};

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // that spreadsheets write

}  // namespace

BindingTable read_binding_table(std::istream& in) {
    BindingTable table;
    std::vector<std::uint32_t> lines;
    std::string line;
    bool has_header = false;
    for (std::size_t number = 1; std::getline(in, line); ++number) {
        const auto fail = [&](const std::string& text) {
            throw BindingTableError("line " + std::to_string(number) + ": " + text);
        };
        if (number == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty() || line[0] == '#') continue;
        if (!has_header) {
            if (line != BindingTable::header)
                fail("\"" + line.substr(0, 60) + "\" is not allowed: the names of the columns, " +
                     std::string(BindingTable::header));
            has_header = true;
            continue;
        }
        const auto row = split(line);
        if (!row) fail("\"" + line.substr(0, 60) + "\" is not allowed: six values, " + std::string(BindingTable::header));
        try {
            add(table, *row);
            lines.push_back(static_cast<std::uint32_t>(number));
        } catch (const Wrong& found) {
            fail(found.text);
        }
    }
    if (table.rows.empty()) throw BindingTableError("it has no softwires");
    refuse_shared(table, lines);
    return table;
}

void write_binding_table(std::ostream& out, std::span<const BindingRow> rows) {
    out << BindingTable::header << '\n';
    LastText<wire::Ipv4Address> ipv4;
    LastText<wire::Ipv6Address> lwaftr;
    std::string line;
    for (const auto& [group, row] : rows) {
        line = wire::to_text(wire::Ipv6Address{row.ipv6_bits()});
        (line += ',') += ipv4(wire::Ipv4Address{row.ipv4});
        for (const unsigned number : {unsigned{group.psid_offset}, unsigned{group.psid_length}, unsigned{row.psid}})
            (line += ',') += std::to_string(number);
        ((line += ',') += lwaftr(group.lwaftr)) += '\n';
        out.write(line.data(), static_cast<std::streamsize>(line.size()));
    }
}

}  // namespace xlatperf::technology
