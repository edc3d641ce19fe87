// The fields of a message, a row for each: read into a member, checked and documented by the same line, so `--help` and the
// checks can't differ. Without an object the rows only collect the documentation.
#pragma once

#include <concepts>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "wire/address.h"
#include "wire/ethernet.h"
#include "wire/words.h"

namespace xlatperf::message {

/// A message that can't be carried out; `what()` is one line that names the field, the value and what is allowed, whatever that
/// value has in it.
struct MessageError : std::runtime_error {
    explicit MessageError(std::string line);
};

struct FieldHelp {
    std::string path, allowed, initial, text;
    std::string with;  ///< what the field belongs to, where not to all: a technology's name
};

template <typename N>
concept Number = std::is_arithmetic_v<N> && !std::same_as<N, bool>;
/// What is told by a word: an enumeration, or one of two.
template <typename E>
concept Enumeration = std::is_enum_v<E> || std::same_as<E, bool>;
/// What is written as a string: an address, a prefix, a MAC address.
template <typename A>
concept Address = std::same_as<A, wire::Ipv4Address> || std::same_as<A, wire::Ipv6Address> || std::same_as<A, wire::Ipv4Prefix> ||
    std::same_as<A, wire::Ipv6Prefix> || std::same_as<A, wire::Mac>;

class Fields {
  public:
    /// `object` may be null: then `help` is filled and members stay as they are. `path` is empty for what has no name.
    Fields(const nlohmann::json* object, std::string path, std::vector<FieldHelp>* help);

    /// What is documented from now on, here and in objects that are read from here, belongs to `what` alone.
    void only_with(std::string_view what) { with_ = what; }

    // `read`: a field that is absent, or null, leaves its member as it is, which is the default. `require`: it is an error.

    template <Number N> void read(const std::string& key, N& member, std::type_identity_t<N> least, std::type_identity_t<N> most,
                                  std::string_view text) {
        member = number(key, Range<N>{least, most}, std::optional(member), false, text).value_or(member);
    }
    template <Number N> void read(const std::string& key, std::optional<N>& member, std::type_identity_t<N> least,
                                  std::type_identity_t<N> most, std::string_view text) {
        if (const auto found = number(key, Range<N>{least, most}, member, false, text)) member = found;
    }
    template <Number N> void require(const std::string& key, N& member, std::type_identity_t<N> least,
                                     std::type_identity_t<N> most, std::string_view text) {
        member = number(key, Range<N>{least, most}, std::optional<N>(), true, text).value_or(member);
    }
    void read(const std::string& key, bool& member, std::string_view text);
    void read(const std::string& key, std::string& member, std::string_view text) {
        member = string(key, member, false, text).value_or(member);
    }
    void require(const std::string& key, std::string& member, std::string_view text) {
        member = string(key, "", true, text).value_or(member);
    }
    template <Enumeration E>
    void read(const std::string& key, E& member, wire::Words<std::type_identity_t<E>> words, std::string_view text) {
        if (const auto found = word(key, names_of(words), wire::word_of(words, member), text)) member = words[*found].value;
    }
    template <Enumeration E>
    void require(const std::string& key, E& member, wire::Words<std::type_identity_t<E>> words, std::string_view text) {
        if (const auto found = word(key, names_of(words), {}, text)) member = words[*found].value;
    }
    template <Address A> void read(const std::string& key, std::optional<A>& member, std::string_view text);
    template <Address A> void require(const std::string& key, A& member, std::string_view text);

    /// Which of `names` a required field has; the first without an object.
    std::size_t one_of(const std::string& key, std::span<const std::string_view> names, std::string_view text) {
        return word(key, names, {}, text).value_or(0);
    }
    std::vector<std::int64_t> integers(const std::string& key, std::int64_t least, std::int64_t most,
                                       const std::vector<std::int64_t>& initial, std::string_view text, std::size_t items = 1024);
    /// Some of `allowed`; where the field is absent, `initial`. None only if that may be.
    std::vector<std::string> choices(const std::string& key, const std::vector<std::string>& allowed,
                                     const std::vector<std::string>& initial, std::string_view text);
    /// `width` bits, at most 128, as hexadecimal digits behind 0x.
    wire::Bits128 bits(const std::string& key, unsigned width, wire::Bits128 initial, std::string_view text);

    /// A field that has an object; absent (or null), `has` is false.
    bool has(const std::string& key);
    Fields object(const std::string& key, std::string_view text);
    std::vector<Fields> objects(const std::string& key, std::string_view text);
    /// The same, read by `read_own`; it has no other fields than those.
    template <typename Read> void object(const std::string& key, std::string_view text, Read read_own) {
        Fields own = object(key, text);
        read_own(own);
        own.no_more();
    }
    template <typename Read> void objects(const std::string& key, std::string_view text, Read read_own) {
        for (Fields& own : objects(key, text)) {
            read_own(own);
            own.no_more();
        }
    }

    /// Throws MessageError for a key that nobody asked for.
    void no_more() const;

    /// Throws MessageError unless `holds`. Documentation alone has no values that could be wrong.
    void check(bool holds, const std::string& key, const std::string& value, const std::string& allowed) const {
        if (!holds && !only_help()) refuse(key, value, allowed);
    }
    template <Number N> void check(bool holds, const std::string& key, N value, const std::string& allowed) const {
        check(holds, key, std::to_string(value), allowed);
    }
    [[noreturn]] void refuse(const std::string& key, const std::string& value, const std::string& allowed) const;
    std::string path_of(const std::string& key) const;
    bool only_help() const { return object_ == nullptr; }

  private:
    template <typename N> struct Range { N least, most; };

    const nlohmann::json* find(const std::string& key, const std::string& allowed, const std::string& initial, bool required,
                               std::string_view text);
    std::optional<std::int64_t> number(const std::string& key, Range<std::int64_t> range, std::optional<std::int64_t> initial,
                                       bool required, std::string_view text);
    std::optional<double> number(const std::string& key, Range<double> range, std::optional<double> initial, bool required,
                                 std::string_view text);
    template <std::integral N> std::optional<N> number(const std::string& key, Range<N> range, std::optional<N> initial,
                                                       bool required, std::string_view text) {
        std::optional<std::int64_t> usual;
        if (initial) usual = static_cast<std::int64_t>(*initial);
        const Range<std::int64_t> wide{static_cast<std::int64_t>(range.least), static_cast<std::int64_t>(range.most)};
        const std::optional<std::int64_t> found = number(key, wide, usual, required, text);
        return found ? std::optional(static_cast<N>(*found)) : std::nullopt;
    }
    template <Address A> std::optional<A> address(const std::string& key, bool required, std::string_view text);
    template <typename E> static std::vector<std::string_view> names_of(wire::Words<E> words) {
        std::vector<std::string_view> names;
        for (const auto& [name, value] : words) names.push_back(name);
        return names;
    }
    /// The place in `names`; `initial` is empty for a field that is required.
    std::optional<std::size_t> word(const std::string& key, std::span<const std::string_view> names, std::string_view initial,
                                    std::string_view text);
    std::optional<std::string> string(const std::string& key, const std::string& initial, bool required, std::string_view text);

    const nlohmann::json* object_;
    std::string path_, with_;
    std::vector<FieldHelp>* help_;
    std::set<std::string> asked_;
};

/// The candidate nearest to `word` by edits; empty if none is near.
std::string nearest(const std::string& word, const std::set<std::string>& candidates);

}  // namespace xlatperf::message
