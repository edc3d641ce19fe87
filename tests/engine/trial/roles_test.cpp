#include "trial/roles.h"

#include <gtest/gtest.h>

#include <string>

namespace xlatperf::trial {
namespace {

// `Ls` and `Lr`: the left port's sender and receiver; with the queue where there are several.
std::vector<std::string> said(std::size_t workers, unsigned queues) {
    std::vector<std::string> found(workers);
    for (const auto& turn : turns(workers, queues)) {
        auto& one = found.at(turn.worker);
        if (!one.empty()) one += ' ';
        one += turn.side == flow::Side::left ? 'L' : 'R';
        one += turn.sends ? 's' : 'r';
        if (queues > 1) one += std::to_string(turn.queue);
    }
    return found;
}
using Said = std::vector<std::string>;

TEST(Roles, ACoreForAll) { EXPECT_EQ(said(1, 1), Said{"Ls Lr Rs Rr"}); }

TEST(Roles, ACoreForEachPort) { EXPECT_EQ(said(2, 1), (Said{"Ls Lr", "Rs Rr"})); }

TEST(Roles, ThreeCores) { EXPECT_EQ(said(3, 1), (Said{"Ls Rr", "Lr", "Rs"})); }

TEST(Roles, ACoreForEachSenderAndReceiver) { EXPECT_EQ(said(4, 1), (Said{"Ls", "Lr", "Rs", "Rr"})); }

TEST(Roles, Queues) {
    EXPECT_EQ(said(2, 2), (Said{"Ls0 Lr0 Ls1 Lr1", "Rs0 Rr0 Rs1 Rr1"}));
    EXPECT_EQ(said(4, 2), (Said{"Ls0 Lr0", "Rs0 Rr0", "Ls1 Lr1", "Rs1 Rr1"}));
    EXPECT_EQ(said(8, 2), (Said{"Ls0", "Lr0", "Rs0", "Rr0", "Ls1", "Lr1", "Rs1", "Rr1"}));
}

}  // namespace
}  // namespace xlatperf::trial
