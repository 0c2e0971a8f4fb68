// Which kinds of memory the copies behind a pixel use.
#include <gtest/gtest.h>
#include <random>

#include "core/lod/lane_spans.h"
#include "core/trace/trace_builder.h"

namespace overlane
{

namespace
{

// Kernels and copies of every kind of memory, in runs, on two rows of tracks.
Trace copiesOfAllKinds()
{
    std::mt19937 random(11);
    TraceBuilder builder;
    for (const TrackKind kind : {TrackKind::EngineCompute, TrackKind::EngineH2D, TrackKind::EngineD2H}) {
        const TrackId track = builder.addTrack({}, kind, "engine", 0);
        std::int64_t timeNs = 0;
        MemoryKind memory = MemoryKind::Pinned;
        for (int i = 0; i < 3'000; ++i) {
            Event event;
            event.track = track;
            event.startNs = timeNs;
            event.durationNs = 1 + static_cast<std::int64_t>(random() % 40);
            event.kind = kind == TrackKind::EngineH2D   ? EventKind::CopyH2D
                         : kind == TrackKind::EngineD2H ? EventKind::CopyD2H
                                                        : EventKind::Kernel;
            if (random() % 30 == 0)
                memory = static_cast<MemoryKind>(random() % 6);
            if (kind == TrackKind::EngineH2D)
                event.copy = CopyInfo{1, memory, MemoryKind::Device, AsyncFlag::Async};
            if (kind == TrackKind::EngineD2H)
                event.copy = CopyInfo{1, MemoryKind::Device, memory, AsyncFlag::Async};
            builder.addEvent(event);
            timeNs = event.endNs() + static_cast<std::int64_t>(random() % 20);
        }
    }
    return builder.build();
}

MemorySet scanned(const Trace& trace, std::uint32_t first, std::uint32_t last)
{
    MemorySet memory = 0;
    for (std::uint32_t i = first; i < last; ++i)
        memory |= memorySet(trace, EventIndex(i));
    return memory;
}

}  // namespace

TEST(CopyMemory, OfARangeAgreesWithAScan)
{
    const Trace trace = copiesOfAllKinds();
    const Pyramid pyramid(trace);
    std::mt19937 random(3);
    const auto count = static_cast<std::uint32_t>(trace.eventCount());
    for (int i = 0; i < 3'000; ++i) {
        const auto a = static_cast<std::uint32_t>(random() % count);
        const auto b = std::min(count, a + static_cast<std::uint32_t>(random() % (i % 2 == 0 ? 30u : 5'000u)));
        ASSERT_EQ(pyramid.summary({a, b}).memory, scanned(trace, a, b)) << a << " " << b;
        ASSERT_EQ(pyramid.memory(a), scanned(trace, a, a + 1)) << a;
    }
}

TEST(CopyMemory, LooksTheSameForPinnedAndDeviceAndBoundToTheHostsSide)
{
    TraceBuilder builder;
    const TrackId track = builder.addTrack({}, TrackKind::EngineH2D, "H2D", 0);
    std::int64_t timeNs = 0;
    const auto add = [&](EventKind kind, MemoryKind source, MemoryKind destination) {
        Event event;
        event.track = track;
        event.startNs = timeNs++;
        event.durationNs = 1;
        event.kind = kind;
        if (isCopy(kind))
            event.copy = CopyInfo{1, source, destination, AsyncFlag::Async};
        builder.addEvent(event);
    };
    add(EventKind::CopyH2D, MemoryKind::Pinned, MemoryKind::Device);
    add(EventKind::CopyH2D, MemoryKind::Pageable, MemoryKind::Device);
    add(EventKind::CopyD2H, MemoryKind::Device, MemoryKind::Managed);
    add(EventKind::CopyH2D, MemoryKind::Unknown, MemoryKind::Device);
    add(EventKind::CopyD2D, MemoryKind::Unknown, MemoryKind::Unknown);
    add(EventKind::Kernel, MemoryKind::Unknown, MemoryKind::Unknown);
    const Trace trace = builder.build();
    const std::vector<MemorySet> expected = {kLockedMemory,  kPageableMemory, kManagedMemory,
                                             kUnknownMemory, kLockedMemory,   0};
    for (std::uint32_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(memorySet(trace, EventIndex(i)), expected[i]) << i;
}

TEST(CopyMemory, OfMergedPixelsIsThatOfAllTheirCopies)
{
    const Trace trace = copiesOfAllKinds();
    const Pyramid pyramid(trace);
    for (const Track& track : trace.tracks())
        for (const int width : {7, 100, 1'000}) {
            const EventRange row = track.rows[0];
            std::uint32_t first = row.first;
            for (const LaneSpan& span : laneSpans(pyramid, row, trace.span(), width)) {
                // An event wide enough for itself keeps its own look, whatever its edge swallows.
                const double ownPx = static_cast<double>(trace.interval(span.event).lengthNs()) * width /
                                     static_cast<double>(trace.span().lengthNs());
                ASSERT_EQ(span.memory, ownPx >= kOwnSpanPx ? memorySet(trace, span.event)
                                                           : scanned(trace, first, first + span.count))
                    << first;
                first += span.count;
            }
            EXPECT_EQ(first, row.last);
        }
}

}  // namespace overlane
