// Reading JSON with errors that name the key, the value and what is allowed.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace xlatperf::reference {

using Json = nlohmann::json;

class ConfigError : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

[[noreturn]] void fail(const std::string& path, const Json& value, const std::string& allowed);

/// One JSON object whose keys are all known.
class StrictObject {
  public:
    StrictObject(const Json& json, std::string path, std::initializer_list<std::string_view> keys);

    bool has(std::string_view key) const { return json_.contains(key) && !json_.at(std::string(key)).is_null(); }
    const Json& at(std::string_view key) const;  // an error if it's absent
    std::string path(std::string_view key) const { return path_.empty() ? std::string(key) : path_ + "." + std::string(key); }

    std::string text(std::string_view key) const;
    std::string text(std::string_view key, std::string_view otherwise) const {
        return has(key) ? text(key) : std::string(otherwise);
    }
    std::string one_of(std::string_view key, std::initializer_list<std::string_view> allowed, std::string_view otherwise) const;
    bool truth(std::string_view key, bool otherwise) const;
    std::uint64_t integer(std::string_view key, std::uint64_t least, std::uint64_t most) const;
    std::uint64_t integer(std::string_view key, std::uint64_t least, std::uint64_t most, std::uint64_t otherwise) const {
        return has(key) ? integer(key, least, most) : otherwise;
    }
    double number(std::string_view key, double least, double most) const;
    double number(std::string_view key, double least, double most, double otherwise) const {
        return has(key) ? number(key, least, most) : otherwise;
    }
    const Json& array(std::string_view key) const;  // an empty one if it's absent
    /// `parse` returns an optional; `allowed` says what it takes.
    template <typename Parse> auto parsed(std::string_view key, Parse parse, std::string_view allowed) const {
        const auto found = parse(text(key));
        if (!found) fail(path(key), at(key), std::string(allowed));
        return *found;
    }

  private:
    const Json& json_;
    std::string path_;
};

}  // namespace xlatperf::reference
