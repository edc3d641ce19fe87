// Are received frames exactly what they must be? Of streams of one class and of both (RFC 8219 §5.3): a burst is parted by class,
// and each part is compared by vectors with what its numbers say. What isn't compared is the source MAC (the DUT's, or each
// host's) and what the technology leaves to the DUT (technology/arriving.h; a DF that differs is counted). What isn't right is
// for the Classifier.
#pragma once

#include <array>
#include <optional>

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
        const BurstVerifier& own = *of_class_[flow::index(of)];
        const std::uint64_t connection = own.has_connections() ? seen.connection[i] : 0;
        counter::Some<counter::Remark> remarks;
        remarks.add(counter::Remark::df_differs, (seen.df_differs >> i & 1) != 0);
        return {seen.sequence[i], of, remarks, seen.stamp48[i], connection, own.source_address(at), own.source_port(at)};
    }

  private:
    // The frames of one class.
    struct ReceivedPart {
        unsigned n;
        std::uint64_t those;  // of the burst's
        const std::uint8_t* place;
        std::array<const std::uint8_t*, most_in_burst> at;
        std::array<std::uint16_t, most_in_burst> size;

        ReceivedPart(const flow::MixPattern& pattern, Class of, const ArrivedFrames& all);
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
            look_at_class(of, {part.at.data(), part.size.data(), part.n}, own, fetch);
            are &= part.put_back(own, of_class_[flow::index(of)]->has_connections(), seen);
        }
        return are;
    }
    template <typename Fetch>
    void look_at_class(Class of, const ArrivedFrames& frames, SeenBurst& seen, const Fetch& fetch) const {
        const BurstVerifier& verifier = *of_class_[flow::index(of)];
        Looking looking(frames);
        verifier.begin(looking, seen);
        if (verifier.has_connections()) fetch(seen.connection.data(), looking.n);
        verifier.finish(looking, seen);
    }
    const flow::MixPattern* as_sent(const ArrivedFrames& frames, SeenBurst& seen) const;
    void read_numbers(const ArrivedFrames& frames, SeenBurst& seen, flow::MixPattern& classes) const;
    std::uint64_t number_by_headers(const std::uint8_t* at) const;

    const Stream& stream_;
    std::optional<Class> only_class_;
    std::array<std::optional<BurstVerifier>, flow::classes> of_class_;
    std::array<std::size_t, flow::classes> number_at_{};  // in their frames
};

}  // namespace xlatperf::frame
