#include "json/strict_json.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace xlatperf::reference {

namespace {
std::string list(std::initializer_list<std::string_view> names) {
    std::string text;
    for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}
std::string number_text(double value) {
    std::ostringstream text;
    text.precision(15);
    text << value;
    return text.str();
}
}  // namespace

void fail(const std::string& path, const Json& value, const std::string& allowed) {
    std::string shown = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (shown.size() > 80) shown = shown.substr(0, 77) + "...";
    throw ConfigError(path + ": " + shown + " is not allowed: " + allowed);
}

StrictObject::StrictObject(const Json& json, std::string path, std::initializer_list<std::string_view> keys)
    : json_(json), path_(std::move(path)) {
    if (!json.is_object()) fail(path_.empty() ? "message" : path_, json, "a JSON object");
    for (const auto& [key, value] : json.items())
        if (std::find(keys.begin(), keys.end(), key) == keys.end())
            throw ConfigError(this->path(key) + ": unknown key; allowed: " + list(keys));
}

const Json& StrictObject::at(std::string_view key) const {
    if (!has(key)) throw ConfigError(path(key) + ": missing");
    return json_.at(std::string(key));
}

std::string StrictObject::text(std::string_view key) const {
    const Json& value = at(key);
    if (!value.is_string()) fail(path(key), value, "a string");
    return value.get<std::string>();
}

std::string StrictObject::one_of(std::string_view key, std::initializer_list<std::string_view> allowed,
                                 std::string_view otherwise) const {
    if (!has(key) && !otherwise.empty()) return std::string(otherwise);
    const std::string value = text(key);
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) fail(path(key), at(key), list(allowed));
    return value;
}

bool StrictObject::truth(std::string_view key, bool otherwise) const {
    if (!has(key)) return otherwise;
    if (!at(key).is_boolean()) fail(path(key), at(key), "true, false");
    return at(key).get<bool>();
}

std::uint64_t StrictObject::integer(std::string_view key, std::uint64_t least, std::uint64_t most) const {
    const Json& value = at(key);
    const std::string allowed = "an integer, " + std::to_string(least) + " to " + std::to_string(most);
    if (!value.is_number_unsigned()) fail(path(key), value, allowed);
    const auto number = value.get<std::uint64_t>();
    if (number < least || number > most) fail(path(key), value, allowed);
    return number;
}

double StrictObject::number(std::string_view key, double least, double most) const {
    const Json& value = at(key);
    const std::string allowed = number_text(least) + " to " + number_text(most);
    if (!value.is_number()) fail(path(key), value, allowed);
    const auto number = value.get<double>();
    if (!std::isfinite(number) || number < least || number > most) fail(path(key), value, allowed);
    return number;
}

const Json& StrictObject::array(std::string_view key) const {
    static const Json none = Json::array();
    if (!has(key)) return none;
    if (!at(key).is_array()) fail(path(key), at(key), "a list");
    return at(key);
}

}  // namespace xlatperf::reference
