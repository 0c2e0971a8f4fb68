#include "core/trace/name_classes.h"

#include <gtest/gtest.h>

#include "core/trace/trace_builder.h"

namespace overlane
{
namespace
{

enum class Animal { NotAsked, None, Cat, Dog };

int questions = 0;

Animal animalOf(std::string_view name)
{
    ++questions;
    if (name == "cat")
        return Animal::Cat;
    return name == "dog" ? Animal::Dog : Animal::None;
}

TEST(NameClassesTest, EachNameIsAskedOnceHoweverManyEventsHaveIt)
{
    TraceBuilder builder;
    const TrackId track = builder.addTrack({}, TrackKind::Thread, "main");
    for (int at = 0; at < 6; ++at) {
        Event event;
        event.track = track;
        event.kind = EventKind::HostWork;
        event.startNs = std::int64_t{at} * 10;
        event.durationNs = 5;
        event.name = builder.intern(at % 2 == 0 ? "cat" : "dog");
        ASSERT_TRUE(builder.addEvent(event));
    }
    const Trace trace = builder.build();

    questions = 0;
    NameClasses<Animal> animals(trace, animalOf);
    for (std::uint32_t at = 0; at < 6; ++at)
        EXPECT_EQ(animals.of(EventIndex(at)), at % 2 == 0 ? Animal::Cat : Animal::Dog);
    EXPECT_EQ(questions, 3) << "the empty name and two others";
}

}  // namespace
}  // namespace overlane
