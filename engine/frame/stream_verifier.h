// Are received frames exactly what they must be? Of streams of one class and of both (RFC 8219 §5.3): a burst is parted by class
// and by size, and each part is compared by vectors with what its numbers say. What isn't compared is the source MAC (the DUT's,
// or each host's) and what the technology leaves to the DUT (technology/arriving.h; a DF that differs is counted). What isn't
// right is for the Classifier.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "frame/burst.h"
#include "frame/match.h"

namespace xlatperf::frame {

class StreamVerifier {
  public:
    /// The stream outlives it.
    explicit StreamVerifier(const Stream& stream);

    /// In between `fetch(connections, n)` has what belongs to connections brought from memory.
    template <typename Fetch> void look(const ArrivedFrames& frames, SeenBurst& seen, const Fetch& fetch) const {
        if (only_class_) [[likely]] {
            look_at_class(*only_class_, frames, seen, fetch);
            seen.background = *only_class_ == Class::background ? flow::first_bits(frames.n) : 0;
            return;
        }
        const flow::MixPattern* const pattern = as_sent(frames, seen);
        if (pattern != nullptr && look_at_parts(*pattern, frames, seen, fetch)) [[likely]]
            return;
        flow::MixPattern read;
        read_numbers(frames, seen, read);
        look_at_parts(read, frames, seen, fetch);
    }

    /// Of frame `i` of a burst, which is right.
    Match match(const SeenBurst& seen, unsigned i, const std::uint8_t* at) const {
        const Class of = seen.class_of(i);
        const BurstVerifier& own = verifier(of);
        const std::uint64_t connection = own.has_connections() ? seen.connection[i] : 0;
        counter::Some<counter::Remark> remarks;
        remarks.add(counter::Remark::df_differs, (seen.df_differs >> i & 1) != 0);
        return {seen.sequence[i], of, remarks, seen.stamp48[i], connection, own.source_address(at), own.source_port(at)};
    }

  private:
    // Some of a burst's frames: those of one class, or of one size.
    struct ReceivedPart {
        unsigned n;
        std::uint64_t those;        // of the burst's
        const std::uint8_t* place;  // in the burst; outlives the part
        std::array<const std::uint8_t*, most_in_burst> at;
        std::array<std::uint16_t, most_in_burst> size;

        ReceivedPart(std::uint64_t which, const std::uint8_t* places, const ArrivedFrames& all);
        ReceivedPart(const flow::MixPattern& pattern, Class of, const ArrivedFrames& all)
            : ReceivedPart(pattern.those(of, all.n), pattern.places[flow::index(of)].data(), all) {}
        ArrivedFrames frames() const { return {at.data(), size.data(), n}; }
        // Returns whether the numbers are what was taken for them.
        bool put_back(const SeenBurst& own, bool connections, SeenBurst& whole) const;
        // Bits of its frames, where they are in the burst.
        std::uint64_t spread(std::uint64_t bits) const;
    };

    // Takes `seen.sequence` for the numbers, and `pattern` for their classes. Returns whether they are.
    template <typename Fetch>
    bool look_at_parts(const flow::MixPattern& pattern, const ArrivedFrames& frames, SeenBurst& seen, const Fetch& fetch) const {
        seen.background = pattern.those(Class::background, frames.n);
        seen.right = seen.df_differs = 0;
        bool are = true;
        for (const auto of : flow::both_classes) {
            const ReceivedPart part(pattern, of, frames);
            if (part.n == 0) continue;
            SeenBurst own;
            look_at_class(of, part.frames(), own, fetch);
            are &= part.put_back(own, verifier(of).has_connections(), seen);
        }
        return are;
    }
    template <typename Fetch>
    void look_at_class(Class of, const ArrivedFrames& frames, SeenBurst& seen, const Fetch& fetch) const {
        if (stream_.sizes.several()) [[unlikely]]
            return look_at_sizes(of, frames, seen, fetch);
        look_at_alike(verifier(of), frames, seen, fetch);
    }
    // Which size a frame must have follows from its number.
    template <typename Fetch>
    [[gnu::noinline]] void look_at_sizes(Class of, const ArrivedFrames& frames, SeenBurst& seen, const Fetch& fetch) const {
        std::array<std::uint64_t, flow::SizeSequence::most_sizes> those{};
        OfBurst<std::uint8_t> which;
        read_sizes(of, frames, seen, which.data());
        for (unsigned i = 0; i < frames.n; ++i) those[which[i]] |= std::uint64_t{1} << i;
        seen.right = seen.df_differs = 0;
        for (unsigned size = 0; size < stream_.sizes.sizes().size(); ++size) {
            if (those[size] == 0) continue;
            OfBurst<std::uint8_t> places;
            unsigned n = 0;
            for (unsigned i = 0; i < frames.n; ++i) {
                if (which[i] == size) places[n++] = static_cast<std::uint8_t>(i);
            }
            const ReceivedPart part(those[size], places.data(), frames);
            SeenBurst own;
            look_at_alike(verifier(of, size), part.frames(), own, fetch);
            part.put_back(own, verifier(of, size).has_connections(), seen);
        }
    }
    template <typename Fetch>
    void look_at_alike(const BurstVerifier& verifier, const ArrivedFrames& frames, SeenBurst& seen, const Fetch& fetch) const {
        Looking looking(frames);
        verifier.begin(looking, seen);
        if (verifier.has_connections()) fetch(seen.connection.data(), looking.n);
        verifier.finish(looking, seen);
    }
    const BurstVerifier& verifier(Class of, unsigned size = 0) const { return of_class_[flow::index(of)][size]; }
    const flow::MixPattern* as_sent(const ArrivedFrames& frames, SeenBurst& seen) const;
    void read_numbers(const ArrivedFrames& frames, SeenBurst& seen, flow::MixPattern& classes) const;
    std::uint64_t number_by_headers(const std::uint8_t* at) const;
    // Numbers, into `seen` as well, and which size frames have by them.
    void read_sizes(Class of, const ArrivedFrames& frames, SeenBurst& seen, std::uint8_t* which) const;

    const Stream& stream_;
    std::optional<Class> only_class_;
    std::array<std::vector<BurstVerifier>, flow::classes> of_class_;  // for each size
    std::array<std::size_t, flow::classes> number_at_{};              // in their frames
};

}  // namespace xlatperf::frame
