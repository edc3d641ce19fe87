// Enumerations in messages: one table of words and values, for what is read and what is answered.
#pragma once

#include <span>
#include <string_view>
#include <type_traits>

namespace xlatperf::wire {

template <typename Value> struct Word {
    std::string_view word;
    Value value;
};
template <typename Value> using Words = std::span<const Word<Value>>;

/// The word for `value`; empty if there is none.
template <typename Value> constexpr std::string_view word_of(std::type_identity_t<Words<Value>> words, Value value) {
    for (const auto& [word, of] : words) {
        if (of == value) return word;
    }
    return {};
}

}  // namespace xlatperf::wire
