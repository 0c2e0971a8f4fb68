// The texts of resources/lessons/*.md and their order, embedded at build time. Immutable, any thread.
#pragma once

#include <string_view>
#include <vector>

namespace overlane
{

struct LessonText {
    std::string_view file;  // "two_copies.md"
    std::string_view text;
};

const std::vector<LessonText>& embeddedLessons();
// One key per line, in the order of teaching; '#' begins a comment.
std::string_view embeddedLessonOrder();

}  // namespace overlane
