// The configuration: one JSON object.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "eal/start.h"
#include "gateway/gateway.h"
#include "message/fields.h"
#include "wire/vlan.h"

namespace xlatperf::reference {

enum class Idle : std::uint8_t { poll, yield, sleep };

struct PortSettings {
    std::string port;                         // a PCI address, or a DPDK virtual device with its arguments
    std::optional<std::size_t> mtu;           // absent: the port's own
    std::optional<std::uint16_t> takes_vlan;  // frames with another tag, or none, are somebody else's; absent: those with one
    std::optional<wire::VlanTag> sends_vlan;
};

struct Config {
    std::array<PortSettings, 2> ports;  // both may be the same, with another VLAN each
    bool one_port() const { return ports[0].port == ports[1].port; }
    GatewaySettings gateway;
    eal::Hugepages hugepages = eal::Hugepages::automatic;
    Idle idle = Idle::sleep;
    std::optional<unsigned> core;
    unsigned buffers = 32768;
};

using Json = nlohmann::json;

/// Without an object (see message::Fields) it documents the fields. Throws message::MessageError.
Config read_config(message::Fields& fields);
Config config_from_json(const Json& json);

}  // namespace xlatperf::reference
