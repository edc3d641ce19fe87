// The reference device: arguments, then configuration, ports and the loop.
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string_view>

#include "help.h"
#include "port/eal.h"
#include "port/loop.h"

namespace {

using namespace xlatperf::reference;
namespace message = xlatperf::message;

struct Arguments {
    std::string config_file;
    bool requests = true, help = false;
};

Arguments parse_arguments(int count, char** values) {
    Arguments arguments;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = values[i];
        if (argument == "--help" || argument == "-h")
            arguments.help = true;
        else if (argument == "--no-requests")
            arguments.requests = false;
        else if (argument == "--config" && i + 1 < count)
            arguments.config_file = values[++i];
        else
            throw message::MessageError(std::string(argument) +
                                        ": unknown argument; allowed: --config FILE, --no-requests, --help");
    }
    return arguments;
}

Config read_configuration(const Arguments& arguments, message::LineInput& input) {
    std::string text;
    if (arguments.config_file.empty()) {
        while (!input.ended() && !Loop::stopped() && text.empty()) {
            input.wait(-1);
            text = input.next().value_or("");
        }
        if (text.empty())
            throw message::MessageError("configuration: missing; give --config FILE or one JSON object as first line of input");
    } else {
        std::ifstream file(arguments.config_file);
        if (!file) throw message::MessageError("--config: " + arguments.config_file + " can't be read");
        text.assign(std::istreambuf_iterator<char>(file), {});
    }
    try {
        return config_from_json(Json::parse(text));
    } catch (const Json::exception& error) {
        throw message::MessageError(std::string("configuration: not a JSON object: ") + error.what());
    }
}

void run(Config config, const Arguments& arguments, message::LineInput& input) {
    Clock clock;
    const Eal eal(config, "xlatperf-reference");
    MbufPool pool(config.buffers, buffer_data_size(config));
    Ports ports(config, pool);
    for (const Side side : {Side::left, Side::right}) config.gateway.sides[index(side)].mtu = ports.mtu(side);
    clock.calibrate();
    Loop loop(config, pool, ports, clock, arguments.requests ? &input : nullptr);
    print_line({{"ready", true},
                {"version", XLATPERF_VERSION},
                {"pid", getpid()},
                {"hugepages", eal.hugepages()},
                {"clock_hz", clock.hz()},
                {"left", ports.to_json(Side::left)},
                {"right", ports.to_json(Side::right)}});
    loop.run();
    Eal::leave();
}

void catch_signals() {
    struct sigaction action {};
    action.sa_handler = Loop::stop;
    sigaction(SIGTERM, &action, nullptr);
    sigaction(SIGINT, &action, nullptr);
    action.sa_handler = SIG_IGN;  // a reader of standard output that went away
    sigaction(SIGPIPE, &action, nullptr);
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const Arguments arguments = parse_arguments(argc, argv);
        if (arguments.help) {
            std::fputs(help_text().c_str(), stdout);
            return 0;
        }
        catch_signals();
        prctl(PR_SET_TIMERSLACK, 1000UL);  // naps end when they should
        xlatperf::message::LineInput input(STDIN_FILENO);
        run(read_configuration(arguments, input), arguments, input);
        return 0;
    } catch (const message::MessageError& error) {
        print_line({{"error", error.what()}});
        return 2;
    } catch (const std::exception& error) {
        print_line({{"error", error.what()}});
        return 3;
    }
}
