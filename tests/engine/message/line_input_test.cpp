#include "message/line_input.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <vector>

namespace xlatperf::message {
namespace {

class LineInputTest : public testing::Test {
  protected:
    LineInputTest() {
        EXPECT_EQ(pipe(ends.data()), 0);
        input.emplace(ends[0]);
    }
    ~LineInputTest() override {
        close(ends[0]);
        if (ends[1] >= 0) close(ends[1]);
    }
    void write(const std::string& text) const {
        ASSERT_EQ(::write(ends[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
    }
    void end() {
        close(ends[1]);
        ends[1] = -1;
    }
    std::vector<std::string> lines() {
        std::vector<std::string> found;
        while (auto line = input->next()) found.push_back(*line);
        return found;
    }
    using Lines = std::vector<std::string>;

    std::array<int, 2> ends{};
    std::optional<LineInput> input;
};

TEST_F(LineInputTest, NothingThere) {
    input->wait(0);
    EXPECT_FALSE(input->next());
    EXPECT_FALSE(input->ended());
}

TEST_F(LineInputTest, SeveralLinesAtOnce) {
    write("one\ntwo\n\nfour\n");
    input->wait(0);
    EXPECT_EQ(lines(), (Lines{"one", "two", "", "four"}));
}

TEST_F(LineInputTest, PartialLinesWaitForTheirEnd) {
    write("{\"request\":");
    input->wait(0);
    EXPECT_FALSE(input->next());
    write(" \"quit\"}\nnext");
    input->wait(0);
    EXPECT_EQ(lines(), Lines{"{\"request\": \"quit\"}"});
    EXPECT_FALSE(input->ended());
}

TEST_F(LineInputTest, EndOfFile) {
    write("last\n");
    end();
    input->wait(0);
    input->wait(0);
    EXPECT_FALSE(input->ended()) << "a line is left";
    EXPECT_EQ(lines(), Lines{"last"});
    EXPECT_TRUE(input->ended());
    input->wait(0);
    EXPECT_FALSE(input->next());
}

TEST_F(LineInputTest, EndOfFileEndsAPartialLine) {
    write("without end");
    input->wait(0);
    end();
    input->wait(0);
    EXPECT_FALSE(input->ended());
    EXPECT_EQ(lines(), Lines{"without end"});
    EXPECT_TRUE(input->ended());
}

TEST_F(LineInputTest, AnOverlongLineIsOneErrorAndTheNextLineIsWhole) {
    std::thread writer([&] {
        const std::string piece(1 << 20, 'x');
        for (int i = 0; i < 40; ++i) {
            for (std::size_t at = 0; at < piece.size();) {
                const auto n = ::write(ends[1], piece.data() + at, piece.size() - at);
                if (n <= 0) return;
                at += static_cast<std::size_t>(n);
            }
        }
        write("\nnext\n");
        end();
    });
    Lines found;
    while (!input->ended()) {
        input->wait(1000);
        for (auto& line : lines()) found.push_back(line.substr(0, 40));
    }
    writer.join();
    EXPECT_EQ(found, (Lines{"(a line that is too long)", "next"}));
}

TEST_F(LineInputTest, AClosedDescriptorEnds) {
    LineInput closed(-1);
    const int descriptor = open("/dev/null", O_RDONLY);
    LineInput null(descriptor);
    null.wait(0);
    EXPECT_TRUE(null.ended());
    close(descriptor);
    closed.wait(0);
    EXPECT_FALSE(closed.next());
}

}  // namespace
}  // namespace xlatperf::message
