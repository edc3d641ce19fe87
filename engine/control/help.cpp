#include "control/help.h"

#include <algorithm>
#include <set>

#include "control/requests.h"

namespace xlatperf::control {

namespace {

template <typename Read> std::string describe(const std::string& name, const std::string& text, Read read) {
    std::vector<FieldHelp> fields;
    read(Fields(nullptr, name, &fields));
    std::string page = name + ": " + text + "\n";
    std::set<std::string> seen;
    for (const auto& field : fields) {
        if (!seen.insert(field.path + field.allowed).second) continue;
        std::string line = "  " + field.path.substr(name.size() + 1);
        line.resize(std::max<std::size_t>(line.size() + 1, 42), ' ');
        line += field.allowed;
        if (field.initial == "required") {
            line += ", required";
        } else if (!field.initial.empty()) {
            line += ", default " + field.initial;
        }
        page += line + (field.text.empty() ? "" : "; " + field.text) + "\n";
    }
    return page + "\n";
}

}  // namespace

std::string help_text() {
    std::string page =
        "xlatperf-engine reads one JSON object per line on standard input and answers with one per line on standard output.\n"
        "Every message has \"request\" and may have an \"id\", which the answer repeats. An answer has \"response\" or "
        "\"error\".\n\n";
    page += describe("open", "starts DPDK and opens both ports, once", read_open);
    page += describe("configure", "technology, addresses and traffic of the trials that follow", read_configure);
    page += "describe: the networks that the DUT must route to the Tester, as in the answer to configure\n\n";
    page += describe("show", "the first frames, sent and expected; needs no ports", read_show);
    page += describe("resolve", "the DUT's MAC addresses by ARP and Neighbor Discovery", read_resolve);
    page += describe("trial", "fixed traffic, fixed rate, fixed duration; counts, delays and a verdict on the trial itself",
                     read_trial);
    page += describe("mappings", "what the DUT's mappings look like after phase 1 of a stateful test", read_mappings);
    page += "stop: ends the running trial, whose answer says so\nquit: ends the engine, as the end of standard input does\n";
    return page;
}

}  // namespace xlatperf::control
