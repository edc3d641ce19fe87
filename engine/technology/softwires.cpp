#include "technology/softwires.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>

#include "technology/binding_table.h"
#include "technology/covering.h"
#include "technology/map_rule.h"

namespace xlatperf::technology {

using message::Fields;
using message::MessageError;

namespace {

constexpr std::uint32_t usual_softwires = 1000;
constexpr std::uint32_t system_ports = 1024;

// RFC 7596 §5.1, figure 3, is RFC 7597 §6's interface identifier behind a prefix for each lwB4.
MapRule read_rule(Fields& fields) {
    MapRule rule;
    rule.psid_offset = 0;
    fields.require("ipv6", rule.ipv6, "in which each lwB4 has a prefix (RFC 7596 section 5.1)");
    fields.require("ipv4", rule.ipv4, "public addresses");
    unsigned length = 0;
    fields.require("psid_length", length, 0, 16, "2^length softwires for each address");
    fields.read("psid_offset", rule.psid_offset, 0, std::min(15U, 16 - length), "RFC 7596 section 5.1: SHOULD be 0");
    rule.ea_bits = 32 - rule.ipv4.length + length;
    fields.check(rule.ipv4.length >= 8, "ipv4", wire::to_text(rule.ipv4), "a prefix of at least 8 bits");
    fields.check(rule.end_user_length() <= 64, "ipv6", wire::to_text(rule.ipv6),
                 "a prefix of at most " + std::to_string(64 - rule.ea_bits) + " bits, so that each of the " +
                     std::to_string(rule.ces()) + " lwB4s has one of at most 64");
    return rule;
}

// RFC 7596 §5.1: PSIDs with ports below 1024 are RECOMMENDED not to be given to anybody.
std::uint32_t psids_of_system_ports(const MapRule& rule) {
    if (rule.psid_offset > 0 || rule.psid_length() == 0) return 0;
    const std::uint32_t ports = 1U << (16 - rule.psid_length());
    return (system_ports + ports - 1) / ports;
}

/// Which of the `possible` softwires are simulated: how many, and the number of the only one.
struct Wanted {
    std::uint32_t count;
    std::optional<std::uint64_t> number{};
};

Wanted read_wanted(Fields& fields, std::uint64_t possible, std::uint64_t numbers, std::uint32_t usual) {
    const bool any = fields.only_help();
    const auto most =
        static_cast<std::uint32_t>(any ? flow::Subscribers::most : std::min<std::uint64_t>(possible, flow::Subscribers::most));
    Wanted wanted{std::min(most, fields.has("number") && !any ? 1 : usual)};
    fields.read("count", wanted.count, 1, most, "how many softwires are simulated");
    fields.read("number", wanted.number, 0, (any ? std::uint64_t{1} << 48 : numbers) - 1,
                "only this softwire: of a table, its row, counted from 0");
    fields.check(!wanted.number || wanted.count == 1, "count", wanted.count, "1 with number");
    return wanted;
}

Softwires generated(Fields& fields) {
    const MapRule rule = read_rule(fields);
    wire::Ipv6Address lwaftr;
    fields.require("lwaftr", lwaftr, "the lwAFTR's end of the tunnels");
    flow::SubscriberRule all = rule.subscribers(false);
    all.is_mapped = false;
    all.first_psid = fields.only_help() ? 0 : psids_of_system_ports(rule);
    const auto [count, number] = read_wanted(fields, all.numbers(), rule.ces(), usual_softwires);
    if (number)
        fields.check(
            all.psid_of(*number) >= all.first_psid, "number", *number,
            "a PSID of at least " + std::to_string(all.first_psid) + ": ports below 1024 are nobody's (RFC 7596 section 5.1)");
    Softwires found{{{all, count, number}}, {lwaftr}, {}, {}};
    if (number) {
        found.ipv6 = {wire::to_text(wire::Ipv6Address{all.ipv6_of(*number, 0)}) + "/128"};
        found.ipv4 = {wire::to_text(wire::Ipv4Address{all.ipv4_of(*number, 0)}) + "/32"};
    } else {
        found.ipv6 = {wire::to_text(wire::Ipv6Prefix{rule.ipv6.network(), rule.ipv6.length})};
        found.ipv4 = {wire::to_text(wire::Ipv4Prefix{rule.ipv4.network(), rule.ipv4.length})};
    }
    return found;
}

template <typename P, typename Value> std::vector<std::string> covering_of(const BindingTable& table,
                                                                           const std::vector<std::uint32_t>& rows,
                                                                           unsigned wanted, Value value) {
    std::vector<wire::Bits128> numbers;
    numbers.reserve(rows.size());
    for (const auto i : rows) numbers.push_back(value(table.rows[i]));
    return texts(covering<P>(std::move(numbers), wanted));
}

template <typename P, typename Value> P prefix_of_all(std::span<const flow::Binding> rows, Value value) {
    const auto [low, high] =
        std::minmax_element(rows.begin(), rows.end(), [&](const auto& a, const auto& b) { return value(a) < value(b); });
    return prefix_of<P>(value(*low), value(*high));
}

wire::Bits128 ipv4_value(const flow::Binding& row) { return row.ipv4; }
wire::Bits128 ipv6_value(const flow::Binding& row) { return row.ipv6_bits(); }

/// `numbers`: of the rows.
flow::Subscribers::Domain domain_of(const BindingTable& all, const BindingGroup& group,
                                    const std::vector<std::uint32_t>& numbers) {
    flow::SubscriberRule rule;
    rule.is_mapped = false;
    rule.psid_offset = group.psid_offset;
    rule.psid_length = group.psid_length;
    const auto room = flow::room_for_rows(numbers.size());
    std::transform(numbers.begin(), numbers.end(), room.get(), [&](auto number) { return all.rows[number]; });
    const std::span<const flow::Binding> rows(room.get(), numbers.size());
    flow::SubscriberTable table{room};
    if (rows.size() < all.rows.size()) {
        const std::shared_ptr<std::uint32_t[]> file_rows(new std::uint32_t[numbers.size()]);
        std::copy(numbers.begin(), numbers.end(), file_rows.get());
        table.file_rows = file_rows;
    }
    table.ipv4 = prefix_of_all<wire::Ipv4Prefix>(rows, ipv4_value);
    table.ipv6 = prefix_of_all<wire::Ipv6Prefix>(rows, ipv6_value);
    return {rule, static_cast<std::uint32_t>(rows.size()), {}, table};
}

/// Bits of ports, as a request wants them.
struct Shape {
    std::optional<unsigned> length{}, offset{};

    static Shape read(Fields& fields, std::string_view length_text, std::string_view offset_text) {
        Shape shape;
        fields.read("psid_length", shape.length, 0, 16, length_text);
        fields.read("psid_offset", shape.offset, 0, 15, offset_text);
        return shape;
    }
    bool has(const BindingGroup& group) const {
        return (!length || group.psid_length == *length) && (!offset || group.psid_offset == *offset);
    }
    [[noreturn]] void refuse(const Fields& fields, const std::string& allowed) const {
        fields.refuse(length ? "psid_length" : "psid_offset", std::to_string(length ? *length : *offset), allowed);
    }
};

/// Numbers of those rows that have the shape.
std::vector<std::uint32_t> rows_with(const Shape& shape, const BindingTable& table) {
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < table.rows.size(); ++i)
        if (shape.has(table.groups[table.of[i]])) found.push_back(i);
    return found;
}

/// Of rows those that a request wants, in their order: the one it names, or `count`, drawn without repetition.
std::vector<std::uint32_t> drawn(const std::vector<std::uint32_t>& rows, const Wanted& wanted, std::uint64_t seed) {
    const auto& [count, number] = wanted;
    if (number) {
        const bool found = std::binary_search(rows.begin(), rows.end(), static_cast<std::uint32_t>(*number));
        return found ? std::vector<std::uint32_t>{static_cast<std::uint32_t>(*number)} : std::vector<std::uint32_t>{};
    }
    if (count == rows.size()) return rows;
    const flow::Permutation order(rows.size(), flow::mix(seed));
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < count; ++i) found.push_back(rows[static_cast<std::size_t>(order(i))]);
    std::sort(found.begin(), found.end());
    return found;
}

BindingTable open_table(const Fields& fields, const std::string& path) {
    std::error_code unknown;
    const bool is_file = std::filesystem::is_regular_file(path, unknown);  // a device may never end
    std::ifstream file(path);
    if (!is_file || !file) throw MessageError(fields.path_of("table") + ": " + path + " can't be read");
    try {
        return read_binding_table(file);
    } catch (const BindingTableError& error) {
        throw MessageError(fields.path_of("table") + ": " + path + ", " + error.what());
    }
}

Softwires from_table(Fields& fields, const std::string& path, std::uint64_t seed) {
    const BindingTable table = open_table(fields, path);
    const Shape shape = Shape::read(fields, "only softwires with this length", "only softwires with this offset");
    const auto rows = rows_with(shape, table);
    if (rows.empty()) shape.refuse(fields, "what a softwire of the table has");
    const auto possible = static_cast<std::uint32_t>(rows.size());
    auto wanted = drawn(rows, read_wanted(fields, possible, table.rows.size(), possible), seed);
    if (wanted.empty()) shape.refuse(fields, "what the softwire with this number has");
    std::vector<std::vector<std::uint32_t>> of_group(table.groups.size());
    if (fields.has("part")) {
        fields.object("part", "of those that are simulated", [&](Fields& own) {
            const Shape part = Shape::read(own, "only those with this length", "only those with this offset");
            std::erase_if(wanted, [&](auto i) { return !part.has(table.groups[table.of[i]]); });
            if (wanted.empty()) part.refuse(own, "what a softwire has that is simulated");
        });
    }
    for (const auto i : wanted) of_group[table.of[i]].push_back(i);
    Softwires found;
    for (std::size_t i = 0; i < of_group.size(); ++i) {
        if (of_group[i].empty()) continue;
        found.domains.push_back(domain_of(table, table.groups[i], of_group[i]));
        found.lwaftrs.push_back(table.groups[i].lwaftr);
    }
    // Networks that somebody routes, rather than a list of hosts.
    found.ipv6 = covering_of<wire::Ipv6Prefix>(table, wanted, 48, ipv6_value);
    found.ipv4 = covering_of<wire::Ipv4Prefix>(table, wanted, 16, ipv4_value);
    return found;
}

}  // namespace

Softwires read_softwires(Request& request) {
    Softwires found;
    const auto read = [&](Fields& fields) {
        std::string path;
        fields.read("table", path, "a file of softwires (docs/protocol.md)");
        found = path.empty() ? generated(fields) : from_table(fields, path, request.seed);
    };
    request.own.object("softwires", "the binding table: generated from ipv6, ipv4 and psid_length, or a file", read);
    return found;
}

Softwires read_softwire(Request& request) {
    Softwires found = read_softwires(request);
    if (request.own.only_help()) return found;
    const auto& domain = found.domains.front();
    if (found.domains.size() != 1 || domain.count != 1 || (!domain.only && !domain.table))
        throw MessageError(request.own.path_of("softwires.number") +
                           ": missing: the number of the softwire whose lwB4 the DUT is");
    return found;
}

std::uint32_t write_softwires(const Technology& technology, const std::string& path) {
    const auto list = technology.softwires();
    if (!list) throw MessageError("softwires: the technology has no binding table");
    const flow::Subscribers& all = *list->subscribers;
    // By IPv4 address, then by PSID.
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
    order.reserve(all.count());
    for (std::uint32_t i = 0; i < all.count(); ++i) {
        const auto who = all(i);
        order.emplace_back(std::uint64_t{all.ipv4(who, 0).value} << 16 | all.psid(who), i);
    }
    std::sort(order.begin(), order.end());
    std::vector<BindingRow> rows;
    rows.reserve(order.size());
    for (const auto& [place, i] : order) {
        const auto who = all(i);
        const auto& rule = all.rule(who.domain);
        const auto ipv6 = all.ipv6(who, 0).value;
        rows.push_back({{list->lwaftrs[who.domain], rule.psid_offset, rule.psid_length},
                        {{static_cast<std::uint64_t>(ipv6 >> 64), static_cast<std::uint64_t>(ipv6)},
                         all.ipv4(who, 0).value,
                         all.psid(who)}});
    }
    std::ofstream file(path, std::ios::trunc);
    write_binding_table(file, rows);
    file.close();
    if (!file) throw MessageError("path: " + path + " can't be written");
    return all.count();
}

}  // namespace xlatperf::technology
