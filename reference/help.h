#pragma once

namespace xlatperf::reference {
extern const char* const help_text;
}
