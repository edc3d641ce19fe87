// Messages with changes, and what the engine says of them.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "control/requests.h"

namespace xlatperf::control {

using message::Fields;
using message::MessageError;
using nlohmann::json;

template <typename Read> auto read(const json& message, const char* name, Read function) {
    Fields fields(&message, name, nullptr);
    read_base(fields);
    return function(fields);
}

template <typename Read> std::string error_of(const json& message, const char* name, Read function) {
    try {
        read(message, name, function);
        return "";
    } catch (const MessageError& error) {
        const std::string line = error.what();
        EXPECT_EQ(line.find('\n'), std::string::npos) << line;
        return line;
    }
}

// `base` with changes, each a JSON pointer and a value; "" removes.
inline json changed(json base, const std::vector<std::pair<std::string, std::string>>& changes) {
    for (const auto& [pointer, value] : changes) {
        const json::json_pointer at(pointer);
        if (value.empty()) {
            base.at(at.parent_pointer()).erase(at.back());
        } else {
            base[at] = json::parse(value);
        }
    }
    return base;
}

struct Case {
    std::string pointer, value;  ///< what is changed in a good message
    std::string error;           ///< what the error begins with; empty: still good
};

template <typename Read> void expect_cases(const json& base, const char* name, Read function, const std::vector<Case>& cases) {
    ASSERT_EQ(error_of(base, name, function), "");
    for (const auto& [pointer, value, error] : cases) {
        const auto found = error_of(changed(base, {{pointer, value}}), name, function);
        if (error.empty()) {
            EXPECT_EQ(found, "") << pointer << " = " << value;
        } else {
            EXPECT_EQ(found.substr(0, error.size()), error) << pointer << " = " << value;
        }
    }
}

}  // namespace xlatperf::control
