// What each step on a frame's way costs by itself, in bursts of 32 over buffers that stay in the cache: flows, writing,
// verifying, the histogram, the state table. The whole Tester is measured by `bench/speed`, where buffers come and go.
#include <benchmark/benchmark.h>

#include <nlohmann/json.hpp>
#include <random>

#include "control/requests.h"
#include "eal/ticks.h"
#include "flow/part.h"
#include "frame/burst.h"
#include "state/table.h"
#include "trial/receive/arrivals.h"
#include "trial/streams.h"
#include "trial/tally/histogram.h"

namespace xlatperf {
namespace {

using nlohmann::json;
constexpr unsigned burst = 32;
constexpr std::uint64_t frames_of_trial = 1'000'000'000;

// Ticks of the time stamp counter, which runs at the CPU's nominal frequency, for each frame.
class Cycles {
  public:
    explicit Cycles(benchmark::State& state) : state_(state), start_(eal::ticks()) {}
    Cycles(const Cycles&) = delete;
    Cycles& operator=(const Cycles&) = delete;
    ~Cycles() {
        const auto ticks = static_cast<double>(eal::ticks() - start_), frames = static_cast<double>(state_.iterations()) * burst;
        state_.counters["cycles_per_frame"] = ticks / frames;
        state_.SetItemsProcessed(state_.iterations() * burst);
    }

  private:
    benchmark::State& state_;
    std::uint64_t start_;
};

// A technology, as the engine is asked for it: its object, and what traffic needs besides.
struct Case {
    const char* name;
    const char* technology;
    const char* traffic = "{}";
    std::uint64_t connections = 0;
    std::uint32_t networks = 1;
};

#define XLATPERF_RULE R"("ipv6": "2001:db8::/36", "ipv4": "10.0.0.0/12", )"
const char* const pool = R"({"name": "nat44", "pool": {"first": "198.19.0.1"}})";
const char* const of_connections =
    R"({"connections": {"clients": {"first": "10.0.0.2", "addresses": 256}, "servers": {"first": "198.19.1.2"}}})";
const char* const siit =
    R"({"name": "siit", "prefix": "2001:db8:6464::/96", "eam": [{"ipv4": "198.18.0.0/16", "ipv6": "2001:2::/112"}]})";
const Case cases[] = {
    {"SIIT", siit},
    {"SIIT, 256 networks", siit, "{}", 0, 256},
    {"MAP-E, 1 M CEs",
     R"({"name": "map-e", "domains": [{)" XLATPERF_RULE R"("ea_bits": 26, "ces": 1000000, "br": "2001:2:0:c000::1"}]})"},
    {"MAP-T, 1 M CEs",
     R"({"name": "map-t", "domains": [{)" XLATPERF_RULE R"("ea_bits": 26, "ces": 1000000, "dmr": "2001:2:0:c000::/64"}]})"},
    {"Lw4o6, 1 M softwires",
     R"({"name": "lw4o6", "softwires": {)" XLATPERF_RULE R"("psid_length": 6, "count": 1000000, "lwaftr": "2001:2:0:c000::1"}})"},
    {"NAT44, 16 M connections", pool, of_connections, 16'000'000},
};

trial::Configuration configuration(const Case& of) {
    json message = json::parse(R"({"left": {}, "right": {}})");
    message["technology"] = json::parse(of.technology);
    message["traffic"] = json::parse(of.traffic);
    const char* const ipv4[] = {"198.18.255.", "198.19.255."};
    const char* const ipv6[] = {"2001:2:0:7fff::", "2001:2:0:ffff::"};
    const char* const hosts[] = {"198.18.0.0/24", "198.19.0.0/24"};
    const std::string name = message["technology"]["name"];
    for (std::size_t i = 0; i < 2; ++i) {
        json& side = message[i == 0 ? "left" : "right"];
        side["ipv4"] = {{"address", ipv4[i] + std::string("2")}, {"gateway", ipv4[i] + std::string("1")}};
        side["ipv6"] = {{"address", ipv6[i] + std::string("2")}, {"gateway", ipv6[i] + std::string("1")}};
        if (of.connections == 0 && (i == 1 || name == "siit")) side["hosts"] = {{"prefix", hosts[i]}, {"networks", of.networks}};
    }
    message::Fields fields(&message, "configure", nullptr);
    auto found = control::read_configure(fields);
    fields.no_more();
    return found;
}

frame::Stream stream_of(const Case& of) {
    trial::Description description;
    description.number = 1;
    description.frame_sizes = {of.connections > 0 ? 64U : of.technology == siit ? 84U : 104U};
    if (of.connections > 0) description.frame_size_of = trial::FrameSizeOf::ipv4;
    description.rates = {{static_cast<double>(frames_of_trial), 1}};
    if (of.connections > 0) description.connections = {of.connections, flow::Phase::steady};
    return trial::make_stream(configuration(of), description, {}, flow::Direction::forward);
}

// Buffers in which frames are written.
class Buffers {
  public:
    explicit Buffers(const frame::Image& image) : memory_(each * burst) {
        for (unsigned i = 0; i < burst; ++i) {
            at[i] = &memory_[each * i];
            probes[i] = at[i] + image.probe();
            size[i] = static_cast<std::uint16_t>(image.size());
            std::copy_n(image.bytes(), image.size(), at[i]);
        }
    }
    std::array<std::uint8_t*, burst> at{}, probes{};
    std::array<std::uint16_t, burst> size{};

  private:
    static constexpr std::size_t each = 320;  // in an odd number of lines, so that not all are in the same part of the cache
    std::vector<std::uint8_t> memory_;
};

void enumerate(benchmark::State& state, const Case& of) {
    const auto stream = stream_of(of);
    const flow::BurstFlows flows(stream.foreground_flows);
    alignas(64) std::array<std::array<std::uint64_t, burst>, 64> numbers;
    for (std::size_t i = 0; i < numbers.size() * burst; ++i) numbers[i / burst][i % burst] = i;
    std::size_t next = 0;
    const Cycles cycles(state);
    for (auto _ : state) {
        flow::FlowBurst found;
        flows.draw(numbers[next++ % numbers.size()].data(), burst, found);
        benchmark::DoNotOptimize(found);
    }
}

void write(benchmark::State& state, const Case& of) {
    const auto stream = stream_of(of);
    const frame::BurstWriter writer(stream, flow::Class::foreground);
    const Buffers buffers(stream.sent_image(flow::Class::foreground));
    std::uint64_t first = 0;
    flow::Part part;
    const Cycles cycles(state);
    for (auto _ : state) {
        part.take_all(first, burst);
        frame::HeaderBurst headers;
        writer.draw(part.sequence.data(), burst, headers);
        writer.finish(burst, headers);
        writer.write(headers, part.sequence.data(), burst, first, buffers.probes.data());
        benchmark::ClobberMemory();
        first += burst;
    }
}

// What is left to be done when frames that are due already have their stamp.
void write_stamped(benchmark::State& state, const Case& of) {
    const auto stream = stream_of(of);
    const frame::BurstWriter writer(stream, flow::Class::foreground);
    const Buffers buffers(stream.sent_image(flow::Class::foreground));
    flow::Part part;
    part.take_all(0, burst);
    frame::HeaderBurst headers;
    writer.draw(part.sequence.data(), burst, headers);
    writer.finish(burst, headers);
    std::uint64_t ticks = 0;
    const Cycles cycles(state);
    for (auto _ : state) {
        writer.write(headers, part.sequence.data(), burst, ++ticks, buffers.probes.data());
        benchmark::ClobberMemory();
    }
}

// What is left of frames that were built ahead.
void stamp(benchmark::State& state, const Case& of) {
    const auto stream = stream_of(of);
    const Buffers buffers(stream.sent_image(flow::Class::foreground));
    std::uint64_t ticks = 0;
    const Cycles cycles(state);
    for (auto _ : state) {
        ++ticks;
        for (auto* probe : buffers.probes) frame::probe::restamp(probe, ticks);
        benchmark::ClobberMemory();
    }
}

// Frames as they must arrive, which are the same again and again.
std::vector<Buffers> arrived(const frame::Stream& stream, std::size_t bursts) {
    const auto of = flow::Class::foreground;
    std::vector<Buffers> found;
    for (std::size_t b = 0; b < bursts; ++b) {
        const Buffers& buffers = found.emplace_back(stream.expected_image(of));
        for (unsigned i = 0; i < burst; ++i) {
            const std::uint64_t number = b * burst + i;
            const auto flow = stream.foreground_flows(number);
            stream.expected_image(of).write(buffers.at[i], flow, stream.expected_ends(of, flow), number, number);
        }
    }
    return found;
}

void verify(benchmark::State& state, const Case& of) {
    const auto stream = stream_of(of);
    const frame::BurstVerifier verifier(stream, flow::Class::foreground);
    const auto frames = arrived(stream, 8);
    std::size_t next = 0;
    const Cycles cycles(state);
    for (auto _ : state) {
        const Buffers& buffers = frames[next++ % frames.size()];
        frame::SeenBurst seen;
        frame::Looking looking({buffers.at.data(), buffers.size.data(), burst});
        verifier.begin(looking, seen);
        verifier.finish(looking, seen);
        if (seen.right != (std::uint64_t{1} << burst) - 1) return state.SkipWithError("a frame isn't right");
    }
}

// Each burst has one delay, as frames have that left and arrived together; or each frame its own.
void histogram(benchmark::State& state, bool together) {
    trial::Histogram delays;
    std::mt19937_64 random(1);
    std::array<std::uint64_t, 1024> ns;
    for (auto& one : ns) one = random() % 1'000'000;
    std::size_t next = 0;
    const Cycles cycles(state);
    for (auto _ : state) {
        if (together) {
            delays.add(ns[next++ % ns.size()], burst);
        } else {
            for (unsigned i = 0; i < burst; ++i) delays.add(ns[next++ % ns.size()]);
        }
        benchmark::ClobberMemory();
    }
}

void mark_window(benchmark::State& state) {
    const flow::TrafficMix mix(1, 1);
    trial::Arrivals arrivals(~std::uint64_t{0} >> 2, 1U << 22, 1, mix);
    trial::ArrivalWindow& window = arrivals.window(0);
    std::uint64_t next = 0;
    const Cycles cycles(state);
    for (auto _ : state) {
        if (next % (1U << 16) == 0) {  // every few milliseconds, as a trial does
            if (arrivals.raise_floor(next)) arrivals.settle();
            window.look_at_bounds();
        }
        benchmark::DoNotOptimize(window.mark_run(next, burst));
        next += burst;
    }
}

// Connections at random, all entries of a burst asked for before one is used, as sender and receiver do.
void state_table(benchmark::State& state, bool learns) {
    const auto connections = static_cast<std::uint64_t>(state.range(0));
    state::Table table(wire::Family::ipv4, connections, state::WriteOrder::round_robin, 1);
    const std::uint8_t address[16] = {198, 19, 0, 1};  // as long as the longest
    for (std::uint64_t c = 0; c < connections; ++c) table.learn(c, address, 1024);
    std::uint64_t next = 0, known = 0;
    const Cycles cycles(state);
    for (auto _ : state) {
        std::array<std::uint64_t, burst> of;
        for (auto& one : of) table.prefetch(one = flow::spread64(flow::mix(next++), connections));
        for (const auto one : of) {
            state::Mapping mapping;
            known += learns ? table.learn(one, address, 1024) == state::Learnt::same : table.read(one, mapping);
            benchmark::DoNotOptimize(mapping);
        }
    }
    if (known != next) state.SkipWithError("a mapping isn't known");
}

void add_all() {
    for (const Case& of : cases) {
        const auto add = [&](const char* step, auto function) {
            benchmark::RegisterBenchmark((std::string(step) + ", " + of.name).c_str(), function, of);
        };
        add("enumerate", enumerate);
        add("write", write);
        add("write, behind the stamp", write_stamped);
        add("stamp again", stamp);
        add("verify", verify);
    }
    benchmark::RegisterBenchmark("histogram, of a burst", histogram, true);
    benchmark::RegisterBenchmark("histogram, of each frame", histogram, false);
    benchmark::RegisterBenchmark("arrival window", mark_window);
    for (const bool learns : {true, false}) {
        benchmark::RegisterBenchmark(learns ? "state table, learn" : "state table, read", state_table, learns)
            ->Arg(1'000)
            ->Arg(1'000'000)
            ->Arg(16'000'000);
    }
}

}  // namespace
}  // namespace xlatperf

int main(int argc, char** argv) {
    xlatperf::add_all();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
