// Sides and directions: left is the customer's side, right the Internet's; forward is left to right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "wire/words.h"

namespace xlatperf::flow {

enum class Side : std::uint8_t { left, right };
enum class Direction : std::uint8_t { forward, reverse };

constexpr std::size_t index(Side side) { return static_cast<std::size_t>(side); }
constexpr std::size_t index(Direction direction) { return static_cast<std::size_t>(direction); }
constexpr Side other(Side side) { return side == Side::left ? Side::right : Side::left; }
constexpr Side sender(Direction direction) { return direction == Direction::forward ? Side::left : Side::right; }
constexpr Side receiver(Direction direction) { return other(sender(direction)); }
constexpr Direction sent_from(Side side) { return side == Side::left ? Direction::forward : Direction::reverse; }
constexpr Direction arriving_at(Side side) { return sent_from(other(side)); }
inline constexpr wire::Word<Side> side_words[] = {{"left", Side::left}, {"right", Side::right}};
inline constexpr wire::Word<Direction> direction_words[] = {{"forward", Direction::forward}, {"reverse", Direction::reverse}};
constexpr std::string_view name(Side side) { return wire::word_of(side_words, side); }
constexpr std::string_view name(Direction direction) { return wire::word_of(direction_words, direction); }

inline constexpr Side both_sides[] = {Side::left, Side::right};
inline constexpr Direction both_directions[] = {Direction::forward, Direction::reverse};

}  // namespace xlatperf::flow
