#include "frame/ruled_fields.h"

#include "frame/text.h"

namespace xlatperf::frame {

std::string RuledField::text(std::uint32_t value) const {
    return hex_digits == 0 ? std::to_string(value) : hex_number(value, hex_digits);
}

}  // namespace xlatperf::frame
