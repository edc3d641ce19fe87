// What rows have documented, as text.
#pragma once

#include <string>
#include <vector>

#include "message/fields.h"

namespace xlatperf::message {

/// A line or more for each field: its path without the first `skip` characters, what is allowed, its default and its text. Fields
/// that only some have say whose they are; what several have alike is there once.
std::string help_page(const std::vector<FieldHelp>& fields, std::size_t skip);

/// `text` behind `beginning`, in lines that aren't long.
std::string help_lines(std::string beginning, const std::string& text);

}  // namespace xlatperf::message
