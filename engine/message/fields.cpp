#include "message/fields.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

namespace xlatperf::message {

using nlohmann::json;

namespace {

// dump() takes a stack as deep as the value, and a line can be nested very deeply.
bool deeper_than(const json& value, int levels) {
    if (!value.is_structured()) return false;
    return levels == 0 ||
           std::any_of(value.begin(), value.end(), [&](const json& item) { return deeper_than(item, levels - 1); });
}

std::string shown(const json& value) {
    if (deeper_than(value, 8)) return value.is_array() ? "[...]" : "{...}";
    std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    if (text.size() > 60) text = text.substr(0, 57) + "...";
    return text;
}

// A key that nobody asked for may be anything, also long or more than one line.
std::string shown_key(const std::string& key) {
    constexpr std::size_t most = 40;
    const std::string quoted = json(key.substr(0, most)).dump(-1, ' ', true, json::error_handler_t::replace);
    return quoted.substr(1, quoted.size() - 2) + (key.size() > most ? "..." : "");
}

std::string plain(double value) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), "%.15g", value);
    return text.data();
}

template <typename Words> std::string joined(const Words& words) {
    std::string text;
    for (const auto& word : words) text += (text.empty() ? "\"" : ", \"") + std::string(word) + "\"";
    return text;
}

std::string one_line(std::string text) {
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    return text;
}

}  // namespace

MessageError::MessageError(std::string line) : std::runtime_error(one_line(std::move(line))) {}

std::string nearest(const std::string& word, const std::set<std::string>& candidates) {
    std::string best;
    std::size_t least = word.size() / 2 + 1;
    for (const auto& candidate : candidates) {
        std::vector<std::size_t> row(candidate.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for (std::size_t i = 1; i <= word.size(); ++i) {
            std::size_t diagonal = row[0];
            row[0] = i;
            for (std::size_t j = 1; j <= candidate.size(); ++j) {
                const std::size_t replaced = diagonal + (word[i - 1] == candidate[j - 1] ? 0 : 1);
                diagonal = row[j];
                row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
            }
        }
        if (row.back() < least) {
            least = row.back();
            best = candidate;
        }
    }
    return best;
}

Fields::Fields(const json* object, std::string path, std::vector<FieldHelp>* help)
    : object_(object), path_(std::move(path)), help_(help) {
    if (object_ != nullptr && !object_->is_object())
        throw MessageError((path_.empty() ? "message" : path_) + ": " + shown(*object_) + " is not allowed: an object");
}

std::string Fields::path_of(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

void Fields::refuse(const std::string& key, const std::string& value, const std::string& allowed) const {
    throw MessageError(path_of(key) + ": " + value + " is not allowed: " + allowed);
}

bool Fields::has(const std::string& key) {
    asked_.insert(key);
    return object_ == nullptr || (object_->contains(key) && !(*object_)[key].is_null());
}

const json* Fields::find(const std::string& key, const std::string& allowed, const std::string& initial, bool required,
                         std::string_view text) {
    asked_.insert(key);
    if (help_ != nullptr) help_->push_back({path_of(key), allowed, required ? "required" : initial, std::string(text), with_});
    if (object_ == nullptr) return nullptr;
    if (!has(key)) {
        if (required) throw MessageError(path_of(key) + ": missing: " + allowed);
        return nullptr;
    }
    return &(*object_)[key];
}

std::optional<double> Fields::number(const std::string& key, Range<double> range, std::optional<double> initial, bool required,
                                     std::string_view text) {
    const std::string allowed = plain(range.least) + " to " + plain(range.most);
    const json* value = find(key, allowed, initial ? plain(*initial) : "null", required, text);
    if (value == nullptr) return {};
    if (!value->is_number()) refuse(key, shown(*value), allowed);
    const double found = value->get<double>();
    if (!(found >= range.least && found <= range.most)) refuse(key, shown(*value), allowed);
    return found;
}

std::optional<std::int64_t> Fields::number(const std::string& key, Range<std::int64_t> range, std::optional<std::int64_t> initial,
                                           bool required, std::string_view text) {
    const std::string allowed = "whole numbers, " + std::to_string(range.least) + " to " + std::to_string(range.most);
    const json* value = find(key, allowed, initial ? std::to_string(*initial) : "null", required, text);
    if (value == nullptr) return {};
    if (!value->is_number_integer()) refuse(key, shown(*value), allowed);
    if (value->is_number_unsigned() && value->get<std::uint64_t>() > static_cast<std::uint64_t>(range.most))
        refuse(key, shown(*value), allowed);
    const auto found = value->get<std::int64_t>();
    if (found < range.least || found > range.most) refuse(key, shown(*value), allowed);
    return found;
}

void Fields::read(const std::string& key, bool& member, std::string_view text) {
    const json* value = find(key, "true or false", member ? "true" : "false", false, text);
    if (value == nullptr) return;
    if (!value->is_boolean()) refuse(key, shown(*value), "true or false");
    member = value->get<bool>();
}

std::optional<std::string> Fields::string(const std::string& key, const std::string& initial, bool required,
                                          std::string_view text) {
    const json* value = find(key, "a string", "\"" + initial + "\"", required, text);
    if (value == nullptr) return {};
    if (!value->is_string()) refuse(key, shown(*value), "a string");
    return value->get<std::string>();
}

std::optional<std::size_t> Fields::word(const std::string& key, std::span<const std::string_view> names, std::string_view initial,
                                        std::string_view text) {
    const json* value = find(key, joined(names), "\"" + std::string(initial) + "\"", initial.empty(), text);
    if (value == nullptr) return {};
    const auto at = value->is_string() ? std::find(names.begin(), names.end(), value->get<std::string>()) : names.end();
    if (at == names.end()) refuse(key, shown(*value), joined(names));
    return at - names.begin();
}

std::vector<std::int64_t> Fields::integers(const std::string& key, std::int64_t least, std::int64_t most,
                                           const std::vector<std::int64_t>& initial, std::string_view text, std::size_t items) {
    const std::string allowed =
        "a list of 1 to " + std::to_string(items) + " whole numbers, " + std::to_string(least) + " to " + std::to_string(most);
    const json* value = find(key, allowed, json(initial).dump(), false, text);
    if (value == nullptr) return initial;
    if (!value->is_array() || value->empty() || value->size() > items) refuse(key, shown(*value), allowed);
    std::vector<std::int64_t> found;
    for (const auto& item : *value) {
        if (!item.is_number_integer() || item.get<std::int64_t>() < least || item.get<std::int64_t>() > most)
            refuse(key, shown(item), allowed);
        found.push_back(item.get<std::int64_t>());
    }
    return found;
}

std::vector<std::string> Fields::choices(const std::string& key, const std::vector<std::string>& allowed,
                                         const std::vector<std::string>& initial, std::string_view text) {
    const std::string words = "a list of " + joined(allowed);
    const json* value = find(key, words, json(initial).dump(), false, text);
    if (value == nullptr) return initial;
    if (!value->is_array() || (value->empty() && !initial.empty())) refuse(key, shown(*value), words);
    std::vector<std::string> found;
    for (const auto& item : *value) {
        if (!item.is_string() || std::find(allowed.begin(), allowed.end(), item.get<std::string>()) == allowed.end())
            refuse(key, shown(item), words);
        found.push_back(item.get<std::string>());
    }
    return found;
}

wire::Bits128 Fields::bits(const std::string& key, unsigned width, wire::Bits128 initial, std::string_view text) {
    const std::string allowed = "a string of 0x and up to " + std::to_string(width / 4) + " hexadecimal digits";
    const json* value = find(key, allowed, initial == 0 ? "\"0x0\"" : "all", false, text);
    if (value == nullptr) return initial;
    const std::string digits = value->is_string() ? value->get<std::string>() : "";
    if (!digits.starts_with("0x") || digits.size() < 3 || digits.size() > 2 + width / 4) refuse(key, shown(*value), allowed);
    wire::Bits128 found = 0;
    for (const char digit : digits.substr(2)) {
        if (std::isxdigit(static_cast<unsigned char>(digit)) == 0) refuse(key, shown(*value), allowed);
        const int number = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
        found = found << 4 | static_cast<unsigned>(number);
    }
    return found;
}

namespace {

// How an address is written, and what reads it.
template <typename A> struct Form;
template <> struct Form<wire::Ipv4Address> {
    static constexpr auto text = "an IPv4 address";
    static constexpr auto parse = wire::parse_ipv4;
};
template <> struct Form<wire::Ipv6Address> {
    static constexpr auto text = "an IPv6 address";
    static constexpr auto parse = wire::parse_ipv6;
};
template <> struct Form<wire::Ipv4Prefix> {
    static constexpr auto text = "an IPv4 prefix, as 198.18.0.0/24";
    static constexpr auto parse = wire::parse_ipv4_prefix;
};
template <> struct Form<wire::Ipv6Prefix> {
    static constexpr auto text = "an IPv6 prefix, as 2001:db8::/96";
    static constexpr auto parse = wire::parse_ipv6_prefix;
};
template <> struct Form<wire::Mac> {
    static constexpr auto text = "a MAC address, as 02:00:00:00:00:01";
    static constexpr auto parse = wire::parse_mac;
};

}  // namespace

template <Address A> std::optional<A> Fields::address(const std::string& key, bool required, std::string_view text) {
    const json* value = find(key, Form<A>::text, "null", required, text);
    if (value == nullptr) return {};
    const auto found = value->is_string() ? Form<A>::parse(value->get<std::string>()) : std::nullopt;
    if (!found) refuse(key, shown(*value), Form<A>::text);
    return found;
}

template <Address A> void Fields::read(const std::string& key, std::optional<A>& member, std::string_view text) {
    if (const auto found = address<A>(key, false, text)) member = found;
}

template <Address A> void Fields::require(const std::string& key, A& member, std::string_view text) {
    member = address<A>(key, true, text).value_or(member);
}

#define ADDRESS(A)                                                                             \
    template void Fields::read(const std::string&, std::optional<wire::A>&, std::string_view); \
    template void Fields::require(const std::string&, wire::A&, std::string_view);
ADDRESS(Ipv4Address)
ADDRESS(Ipv6Address)
ADDRESS(Ipv4Prefix)
ADDRESS(Ipv6Prefix)
ADDRESS(Mac)
#undef ADDRESS

Fields Fields::object(const std::string& key, std::string_view text) {
    const json* value = find(key, "an object", "", false, text);
    static const json empty = json::object();
    Fields found(object_ == nullptr ? nullptr : (value == nullptr ? &empty : value), path_of(key), help_);
    found.only_with(with_);
    return found;
}

std::vector<Fields> Fields::objects(const std::string& key, std::string_view text) {
    const json* value = find(key, "a list of objects", "[]", false, text);
    std::vector<Fields> found;
    if (object_ == nullptr) {
        found.emplace_back(nullptr, path_of(key) + "[]", help_);
        found.back().only_with(with_);
    }
    if (value == nullptr) return found;
    if (!value->is_array()) refuse(key, shown(*value), "a list of objects");
    for (std::size_t i = 0; i < value->size(); ++i)
        found.emplace_back(&(*value)[i], path_of(key) + "[" + std::to_string(i) + "]", help_);
    return found;
}

void Fields::no_more() const {
    if (object_ == nullptr) return;
    for (const auto& [key, value] : object_->items()) {
        if (asked_.contains(key)) continue;
        const std::string near = nearest(key.substr(0, 100), asked_);
        std::string known = near.empty() ? "" : ", the nearest is " + near;
        if (near.empty()) {
            for (const auto& name : asked_) known += (known.empty() ? "; known: " : ", ") + name;
        }
        throw MessageError(path_of(shown_key(key)) + ": unknown key" + known.substr(0, 200));
    }
}

}  // namespace xlatperf::message
