// Any text as a binding table: it is read and can be written and read again, or is refused in one line.
#include <cstdlib>
#include <sstream>

#include "technology/binding_table.h"

using namespace xlatperf;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    std::istringstream in(std::string(reinterpret_cast<const char*>(bytes), size));
    try {
        const auto table = technology::read_binding_table(in);
        std::stringstream written;
        std::vector<technology::BindingRow> rows;
        for (std::size_t i = 0; i < table.rows.size(); ++i) {
            const auto& group = table.groups.at(table.of.at(i));
            const flow::PortSet ports(group.psid_offset, group.psid_length, table.rows[i].psid);
            if (!ports.contains(ports.port(ports.ports() - 1))) std::abort();
            rows.push_back({group, table.rows[i]});
        }
        technology::write_binding_table(written, rows);
        if (technology::read_binding_table(written).rows.size() != table.rows.size()) std::abort();
    } catch (const technology::BindingTableError& error) {
        const std::string line = error.what();
        if (line.empty() || line.find('\n') != std::string::npos || line.size() > 1000) std::abort();
    }
    return 0;
}
