// The kinds of counters of a trial, whose rows are in counters.inc, and numbers that are counted by them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace xlatperf::counter {

enum class Unit : std::uint8_t { frames, times, ns };
enum class Joined : std::uint8_t { sum, most, least };

struct Row {
    std::string_view name, section, text;
    Unit unit = Unit::frames;
    Joined joined = Joined::sum;
};

/// Why a frame of the trial isn't what was expected, or that it is. Every frame that arrives has exactly one.
enum class Reason : std::uint8_t {
#define REASON(name, section, text) name,
#include "counter/counters.inc"
};
/// What is remarkable about a frame that is as expected.
enum class Remark : std::uint8_t {
#define REMARK(name, section, text) name,
#include "counter/counters.inc"
};
/// What a frame is that belongs to no class of the trial.
enum class Stray : std::uint8_t {
#define STRAY(name, section, text) name,
#include "counter/counters.inc"
};
enum class Port : std::uint8_t {
#define PORT(name, section, text) name,
#include "counter/counters.inc"
};
enum class Sending : std::uint8_t {
#define SENDING(name, unit, joined, section, text) name,
#include "counter/counters.inc"
};
/// Why a trial says nothing about the DUT.
enum class Invalid : std::uint8_t {
#define INVALID(name, section, text) name,
#include "counter/counters.inc"
};

/// The rows of a kind, in the order of its names.
template <typename Kind> inline constexpr std::array<Row, 0> rows{};
template <> inline constexpr std::array rows<Reason> = {
#define REASON(name, section, text) Row{#name, section, text},
#include "counter/counters.inc"
};
template <> inline constexpr std::array rows<Remark> = {
#define REMARK(name, section, text) Row{#name, section, text},
#include "counter/counters.inc"
};
template <> inline constexpr std::array rows<Stray> = {
#define STRAY(name, section, text) Row{#name, section, text},
#include "counter/counters.inc"
};
template <> inline constexpr std::array rows<Port> = {
#define PORT(name, section, text) Row{#name, section, text},
#include "counter/counters.inc"
};
template <> inline constexpr std::array rows<Sending> = {
#define SENDING(name, unit, joined, section, text) Row{#name, section, text, Unit::unit, Joined::joined},
#include "counter/counters.inc"
};
template <> inline constexpr std::array rows<Invalid> = {
#define INVALID(name, section, text) Row{#name, section, text},
#include "counter/counters.inc"
};

template <typename Kind>
requires(!rows<Kind>.empty()) constexpr std::string_view name(Kind kind) {
    return rows<Kind>[static_cast<std::size_t>(kind)].name;
}

/// A number for each counter of a kind. At first 0; of the least of several, more than any.
template <typename Kind> class Counts {
  public:
    static constexpr std::size_t size = rows<Kind>.size();
    static constexpr std::uint64_t none = ~std::uint64_t{0};  ///< of the least: none was counted

    constexpr Counts() {
        for (std::size_t i = 0; i < size; ++i) each_[i] = rows<Kind>[i].joined == Joined::least ? none : 0;
    }

    constexpr std::uint64_t& operator[](Kind kind) { return each_[static_cast<std::size_t>(kind)]; }
    constexpr std::uint64_t operator[](Kind kind) const { return each_[static_cast<std::size_t>(kind)]; }

    /// Adds to what has been counted, or keeps the larger, or the smaller, as the row says.
    constexpr void note(Kind kind, std::uint64_t number) {
        std::uint64_t& counted = (*this)[kind];
        switch (rows<Kind>[static_cast<std::size_t>(kind)].joined) {
            case Joined::sum:
                counted += number;
                break;
            case Joined::most:
                counted = std::max(counted, number);
                break;
            case Joined::least:
                counted = std::min(counted, number);
                break;
        }
    }
    /// What somebody else counted.
    constexpr void add(const Counts& other) {
        for (std::size_t i = 0; i < size; ++i) note(static_cast<Kind>(i), other.each_[i]);
    }

    /// Calls `with(kind, row, number)` for each counter.
    template <typename With> void each(const With& with) const {
        for (std::size_t i = 0; i < size; ++i) with(static_cast<Kind>(i), rows<Kind>[i], each_[i]);
    }

    friend bool operator==(const Counts&, const Counts&) = default;

  private:
    std::array<std::uint64_t, size> each_;
};

/// Some of a kind.
template <typename Kind> class Some {
  public:
    constexpr void add(Kind kind, bool which = true) {
        bits_ |= static_cast<std::uint32_t>(which) << static_cast<unsigned>(kind);
    }
    constexpr bool has(Kind kind) const { return (bits_ >> static_cast<unsigned>(kind) & 1) != 0; }
    constexpr bool any() const { return bits_ != 0; }
    void count_into(Counts<Kind>& counts) const {
        for (std::size_t i = 0; i < Counts<Kind>::size; ++i) counts[static_cast<Kind>(i)] += bits_ >> i & 1;
    }

  private:
    std::uint32_t bits_ = 0;
};

}  // namespace xlatperf::counter
