// Technologies as requests ask for them.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "technology/kind.h"

namespace xlatperf::technology {

/// `own`: the technology's object; `hosts`: the prefix of the right side's hosts.
inline std::shared_ptr<const Technology> read_technology(const std::string& own, const std::string& hosts = "198.19.0.0/24",
                                                         int networks = 1, std::uint64_t seed = 1) {
    const auto message = nlohmann::json::parse(own);
    const nlohmann::json right = {{"prefix", hosts}, {"networks", networks}};
    message::Fields fields(&message, "technology", nullptr);
    std::array<std::optional<message::Fields>, 2> both;
    both[1].emplace(&right, "right.hosts", nullptr);
    const Kind& kind = read_kind(fields);
    Request request{fields, both, nullptr, seed};
    auto found = kind.read(request);
    fields.no_more();
    return found;
}

/// Of a technology that has some: who they are.
inline std::shared_ptr<const flow::Subscribers> subscribers_of(const Technology& technology) {
    const auto space = technology.flows();
    if (const auto* hairpins = std::get_if<flow::HairpinFlows::Space>(&space)) return hairpins->subscribers;
    return std::get<flow::SubscriberFlows::Space>(space).subscribers;
}

/// A stateful technology with three clients, and two servers from `servers` on.
inline std::shared_ptr<const Technology> read_stateful(const std::string& own, const std::string& servers = "198.19.0.2") {
    const auto message = nlohmann::json::parse(own);
    const nlohmann::json of_test = {{"clients", {{"first", "10.0.0.2"}, {"addresses", 3}}},
                                    {"servers", {{"first", servers}, {"addresses", 2}}}};
    message::Fields fields(&message, "technology", nullptr), connections(&of_test, "traffic.connections", nullptr);
    std::array<std::optional<message::Fields>, 2> none;
    const Kind& kind = read_kind(fields);
    Request request{fields, none, &connections, 1};
    auto found = kind.read(request);
    fields.no_more();
    return found;
}

inline std::string error_of(const std::string& own) {
    try {
        read_technology(own);
        return "";
    } catch (const message::MessageError& error) {
        return error.what();
    }
}

}  // namespace xlatperf::technology
