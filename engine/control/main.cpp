#include <unistd.h>

#include <csignal>
#include <ext/stdio_filebuf.h>
#include <iostream>
#include <string_view>

#include "control/help.h"
#include "control/session.h"
#include "eal/rights.h"

int main(int argc, char** argv) {
    using namespace xlatperf::control;
    if (argc == 2 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h")) {
        std::cout << help_text();
        return 0;
    }
    if (argc == 2 && std::string_view(argv[1]) == "--version") {
        std::cout << XLATPERF_VERSION << "\n";
        return 0;
    }
    if (argc > 1) {
        std::cerr << "xlatperf-engine: " << argv[1] << " is not allowed: --help or --version\n";
        return 2;
    }
    // Standard output is the protocol's alone: DPDK prints there when it doesn't like its arguments, which goes to the log.
    static __gnu_cxx::stdio_filebuf<char> answers(dup(STDOUT_FILENO), std::ios::out);
    dup2(STDERR_FILENO, STDOUT_FILENO);
    std::cout.rdbuf(&answers);
    std::signal(SIGPIPE, SIG_IGN);  // the reader is gone: the end of standard input tells the same
    if (!xlatperf::eal::forbid_programs()) std::cerr << "xlatperf-engine: this kernel has no seccomp filters: none is set\n";
    xlatperf::message::LineInput input(STDIN_FILENO);
    Session(input).run();
    std::cout.rdbuf(nullptr);
    return 0;
}
