// A binding table (RFC 7596 §6.1) in a file: comma-separated values, a row for each softwire.
#pragma once

#include <istream>
#include <map>
#include <ostream>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "flow/subscribers.h"

namespace xlatperf::technology {

/// What isn't a table; `what()` is one line with the number of the file's line.
struct BindingTableError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Rows whose lwAFTR and bits of the PSID are the same.
struct BindingGroup {
    wire::Ipv6Address lwaftr;
    unsigned psid_offset = 0, psid_length = 0;
    auto key() const { return std::tuple(lwaftr, psid_offset, psid_length); }
};

struct BindingTable {
    std::vector<flow::Binding> rows;  ///< as in the file
    std::vector<std::uint8_t> of;     ///< each row's group
    std::vector<BindingGroup> groups;

    static constexpr std::string_view header = "ipv6,ipv4,psid_offset,psid_length,psid,lwaftr";
    static constexpr std::uint32_t most = 1U << 24;
    static constexpr std::size_t most_groups = 64;
};

/// Empty lines and those that begin with # are passed over; the first of the others is the header. Throws BindingTableError.
BindingTable read_binding_table(std::istream& in);

struct BindingRow {
    BindingGroup group;
    flow::Binding binding;
};

/// The header and the rows, as read_binding_table reads them.
void write_binding_table(std::ostream& out, std::span<const BindingRow> rows);

}  // namespace xlatperf::technology
