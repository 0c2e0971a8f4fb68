// Lesson blocks: the Markdown of a lesson taken apart into its front matter, its prose and its fenced
// blocks of "name: value" fields, before anybody asks what they mean.
//
// Owns copies of the text; one thread. Lines count from 1, as editors do.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace overlane
{

struct LessonField {
    std::string name;
    std::string text;  // lines joined by spaces; in prose fields by line breaks
    int line = 0;
};

struct LessonBlock {
    std::string kind;      // "scenario"; empty for prose
    std::string argument;  // "A"
    std::string text;      // of prose
    std::vector<LessonField> fields;
    int line = 0;
};

struct LessonFile {
    std::vector<LessonField> front;
    std::vector<LessonBlock> blocks;  // prose among them, in order
};

// One field that a block may have.
struct FieldRule {
    std::string_view name;
    bool required = true;
    bool repeated = false;
};

// "FILE:LINE: message"
Error lessonFault(const std::string& file, int line, const std::string& message);

Result<LessonFile> splitLesson(std::string_view markdown, const std::string& file);

// Every field known, none missing, none twice that may not be.
Result<void> checkFields(const std::vector<LessonField>& fields, std::span<const FieldRule> rules,
                         std::string_view what, const std::string& file, int line);
// The first field of a name; nullptr where there is none.
const LessonField* findField(const std::vector<LessonField>& fields, std::string_view name);
std::string fieldText(const std::vector<LessonField>& fields, std::string_view name);

// "a, b" or "a b" as its words.
std::vector<std::string> fieldWords(std::string_view text);
std::string_view trimmedText(std::string_view text);

}  // namespace overlane
