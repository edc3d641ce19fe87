#include "eal/rights.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string>

namespace xlatperf::eal {
namespace {

// In a process of its own, as it's for good. Returns its exit code.
int in_a_child(int (*function)()) {
    const pid_t child = fork();
    if (child == 0) _exit(function());
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

// Capabilities of this thread, as bits (proc(5)).
std::uint64_t rights() {
    std::ifstream status("/proc/thread-self/status");
    for (std::string word; status >> word;) {
        if (word == "CapPrm:" && status >> word) return std::stoull(word, nullptr, 16);
    }
    return ~std::uint64_t{0};
}

bool refused(long result) { return result == -1 && errno == EPERM; }

TEST(Rights, ProgramsAndNamespacesAreForbidden) {
    EXPECT_EQ(in_a_child([] {
                  if (!forbid_programs()) return 1;
                  char name[] = "/bin/true";
                  char* arguments[] = {name, nullptr};
                  if (!refused(execv(name, arguments))) return 2;
                  if (!refused(unshare(CLONE_NEWUSER))) return 3;
                  if (!refused(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr))) return 4;
                  return 0;
              }),
              0);
}

TEST(Rights, AllElseIsAllowed) {
    EXPECT_EQ(in_a_child([] {
                  if (!forbid_programs()) return 1;
                  const int file = open("/dev/null", O_RDWR);
                  if (file < 0 || write(file, "x", 1) != 1 || close(file) != 0) return 2;
                  const pid_t child = fork();
                  if (child == 0) _exit(7);
                  int status = 0;
                  return waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7 ? 0 : 3;
              }),
              0);
}

TEST(Rights, AreFewerAndFewer) {
    EXPECT_EQ(in_a_child([] {
                  const auto before = rights();
                  keep_rights_to_open();
                  const auto opening = rights();
                  keep_rights_to_close();
                  const auto closing = rights();
                  give_up_all_rights();
                  if (rights() != 0) return 1;
                  if ((opening & ~before) != 0 || (closing & ~opening) != 0) return 2;
                  keep_rights_to_open();
                  return rights() == 0 ? 0 : 3;  // what was given up doesn't come back
              }),
              0);
}

}  // namespace
}  // namespace xlatperf::eal
