// Frames whose VLAN tag isn't their link's.
#pragma once

#include "frame/classifier.h"
#include "wire/vlan.h"

namespace xlatperf::frame {

/// A frame that came without tag or with another one, or several.
struct OtherTag {
    std::vector<std::uint8_t> inside;  ///< the frame without tags
    bool same_vlan = false;            ///< only its priority isn't the link's
    std::string text;                  ///< what it has, and what it should have
};

/// `required`: of the link; none: frames have no tag there.
OtherTag take_other_tag(const std::uint8_t* at, std::size_t size, const std::optional<wire::VlanRequired>& required);

/// The direction in which a test frame of this session was sent, whatever tags it has; nothing if it isn't one, or what tells it
/// is broken.
std::optional<flow::Direction> sent_direction(const std::uint8_t* at, std::size_t size, std::uint32_t session);

/// What the frame is; `inside`: what it would be without its tags. A test frame is one, and wrong by its tag. What neighbours and
/// routers say in another VLAN is not for the Tester; in the link's it may have any priority.
Finding with_other_tag(Finding inside, const OtherTag& tag);

}  // namespace xlatperf::frame
