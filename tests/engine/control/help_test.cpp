#include "control/help.h"

#include <gtest/gtest.h>

#include <sstream>

namespace xlatperf::control {
namespace {

TEST(Help, NamesEveryRequest) {
    const std::string page = help_text();
    for (const char* name :
         {"open", "configure", "describe", "show", "resolve", "trial", "mappings", "softwires", "counters", "stop", "quit"}) {
        EXPECT_NE(("\n" + page).find("\n" + std::string(name) + ": "), std::string::npos) << name;
    }
}

TEST(Help, NamesFieldsRangesAndDefaults) {
    const std::string page = help_text();
    for (const char* text :
         {"rate_fps", "frame_size", "technology.eam[].ipv4", "left.hosts.prefix", "traffic.forward.source_ports.order",
          "whole numbers, 0 to 2047", "default 10", "required", "schedule.burst", "technology.pool.first_port",
          "traffic.connections.clients.step", "connections.phase", "examples", "mapping_changed", "longest_stall_ns"}) {
        EXPECT_NE(page.find(text), std::string::npos) << text;
    }
}

TEST(Help, LinesAreReadable) {
    std::istringstream page(help_text());
    std::string line;
    while (std::getline(page, line)) EXPECT_LT(line.size(), 200U) << line;
}

}  // namespace
}  // namespace xlatperf::control
