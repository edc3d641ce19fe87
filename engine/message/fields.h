// The fields of a message: read, checked and documented in one place. Without an object it only collects the documentation, so
// `--help` and the checks can't differ.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "wire/address.h"
#include "wire/ethernet.h"

namespace xlatperf::message {

/// A message that can't be carried out; `what()` is one line that names the field, the value and what is allowed.
struct MessageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct FieldHelp {
    std::string path, allowed, initial, text;
    std::string with;  ///< what the field belongs to, where not to all: a technology's name
};

class Fields {
  public:
    /// `object` may be null: then `help` is filled and defaults are returned.
    Fields(const nlohmann::json* object, std::string path, std::vector<FieldHelp>* help);

    /// What is documented from now on, here and in objects that are read from here, belongs to `what` alone.
    void only_with(std::string_view what) { with_ = what; }

    double number(const std::string& key, double least, double most, std::optional<double> initial, std::string_view text);
    std::int64_t integer(const std::string& key, std::int64_t least, std::int64_t most, std::optional<std::int64_t> initial,
                         std::string_view text);
    bool boolean(const std::string& key, bool initial, std::string_view text);
    std::string string(const std::string& key, std::optional<std::string> initial, std::string_view text);
    std::string choice(const std::string& key, const std::vector<std::string>& allowed, std::optional<std::string> initial,
                       std::string_view text);
    std::vector<std::int64_t> integers(const std::string& key, std::int64_t least, std::int64_t most,
                                       const std::vector<std::int64_t>& initial, std::string_view text);
    std::vector<std::string> choices(const std::string& key, const std::vector<std::string>& allowed, std::string_view text);
    /// `width` bits, at most 128, as hexadecimal digits behind 0x.
    wire::Bits128 bits(const std::string& key, unsigned width, wire::Bits128 initial, std::string_view text);
    wire::Ipv4Address ipv4(const std::string& key, std::string_view text);
    wire::Ipv6Address ipv6(const std::string& key, std::string_view text);
    wire::Ipv4Prefix ipv4_prefix(const std::string& key, std::string_view text);
    wire::Ipv6Prefix ipv6_prefix(const std::string& key, std::string_view text);
    std::optional<wire::Mac> mac(const std::string& key, std::string_view text);

    /// A field that has an object; absent (or null), `has` is false.
    bool has(const std::string& key);
    Fields object(const std::string& key, std::string_view text);
    std::vector<Fields> objects(const std::string& key, std::string_view text);

    /// Throws MessageError for a key that nobody asked for.
    void no_more() const;

    [[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& allowed) const;
    std::string path_of(const std::string& key) const;
    bool only_help() const { return object_ == nullptr; }

  private:
    const nlohmann::json* find(const std::string& key, const std::string& allowed, const std::string& initial, bool required,
                               std::string_view text);
    template <typename Value, typename Parse>
    Value parsed(const std::string& key, const std::string& allowed, std::string_view text, Parse parse);

    const nlohmann::json* object_;
    std::string path_, with_;
    std::vector<FieldHelp>* help_;
    std::set<std::string> asked_;
};

/// The candidate nearest to `word` by edits; empty if none is near.
std::string nearest(const std::string& word, const std::set<std::string>& candidates);

}  // namespace xlatperf::message
