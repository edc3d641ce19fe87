// The links between the gateway and the two Testers of bed.h, as a configuration has them.
#pragma once

#include "control/config.h"

namespace xlatperf::reference::test {

/// The Testers are neighbours; nothing is behind them yet.
inline Json both_links() {
    return Json::parse(R"({
      "left": {"port": "x", "ipv4": "10.255.0.1/30", "ipv6": "2001:2:0:7fff::1/64",
               "neighbors": [{"address": "10.255.0.2", "mac": "12:12:12:12:12:12"},
                             {"address": "2001:2:0:7fff::2", "mac": "12:12:12:12:12:12"}]},
      "right": {"port": "y", "ipv4": "198.19.255.1/30", "ipv6": "2001:2:0:ffff::1/64",
                "neighbors": [{"address": "198.19.255.2", "mac": "14:14:14:14:14:14"},
                              {"address": "2001:2:0:ffff::2", "mac": "14:14:14:14:14:14"}]}})");
}

}  // namespace xlatperf::reference::test
