#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sstream>

#include "core/lessons/embedded_lessons.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_blocks.h"

namespace overlane
{
namespace
{

constexpr std::string_view kExtension = ".md";
constexpr const char* kOrderFile = "order.txt";

struct NamedText {
    std::string file;  // "two_copies.md"
    std::string text;
};

// One key per line; what follows '#' is a comment.
std::vector<std::string> keysOf(std::string_view order)
{
    std::vector<std::string> keys;
    std::istringstream lines{std::string(order)};
    for (std::string line; std::getline(lines, line);)
        if (const auto key = trimmedText(std::string_view(line).substr(0, line.find('#'))); !key.empty())
            keys.emplace_back(key);
    return keys;
}

// `where` names the list in errors.
Result<std::vector<Lesson>> inOrder(const std::vector<NamedText>& texts, const std::vector<std::string>& keys,
                                    const std::string& where, const std::string& folder)
{
    std::vector<Lesson> lessons;
    for (const std::string& key : keys) {
        const auto found = std::find_if(texts.begin(), texts.end(), [&](const NamedText& one) {
            return one.file == key + std::string(kExtension);
        });
        if (found == texts.end())
            return Error{
                fmt::format("{} names the lesson '{}', but there is no file {}{}.", where, key, key, kExtension)};
        auto lesson = parseLesson(found->text, folder + found->file);
        if (!lesson.ok())
            return Error{lesson.error()};
        if (lesson.value().key != key)
            return Error{fmt::format("{}{}: the key is '{}'; it must be the file's name, '{}'.", folder, found->file,
                                     lesson.value().key, key)};
        lessons.push_back(std::move(lesson).value());
    }
    for (const Lesson& lesson : lessons)
        for (const std::string& next : lesson.next)
            if (findLesson(lessons, next) == nullptr)
                return Error{fmt::format("{}: 'next' names '{}', which is no lesson.", lesson.file, next)};
    return lessons;
}

}  // namespace

const Result<std::vector<Lesson>>& allLessons()
{
    static const Result<std::vector<Lesson>> lessons = [] {
        std::vector<NamedText> texts;
        for (const LessonText& text : embeddedLessons())
            texts.push_back({std::string(text.file), std::string(text.text)});
        return inOrder(texts, keysOf(embeddedLessonOrder()), kOrderFile, "");
    }();
    return lessons;
}

Result<std::vector<Lesson>> readLessons(const std::string& folder)
{
    namespace fs = std::filesystem;
    std::error_code error;
    std::vector<NamedText> texts;
    const auto read = [](const fs::path& path) {
        std::ostringstream text;
        text << std::ifstream(path, std::ios::binary).rdbuf();
        return text.str();
    };
    std::vector<std::string> keys;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const fs::path& path = entry.path();
        // A folder of Markdown has a page about itself, which is no lesson.
        if (path.extension() != kExtension || path.stem() == "README" || !entry.is_regular_file(error))
            continue;
        texts.push_back({path.filename().string(), read(path)});
        keys.push_back(path.stem().string());
    }
    if (error)
        return Error{fmt::format("{} cannot be read as a folder of lessons: {}.", folder, error.message())};
    if (texts.empty())
        return Error{fmt::format("{} holds no lesson: a lesson is a file with the ending .md.", folder)};
    std::sort(keys.begin(), keys.end());
    const fs::path order = fs::path(folder) / kOrderFile;
    if (fs::exists(order, error))
        keys = keysOf(read(order));
    return inOrder(texts, keys, order.string(), (fs::path(folder) / "").string());
}

const Lesson* findLesson(std::span<const Lesson> lessons, std::string_view key)
{
    const auto found = std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& one) { return one.key == key; });
    return found == lessons.end() ? nullptr : &*found;
}

const Lesson* lessonAbout(std::span<const Lesson> lessons, std::string_view subject)
{
    for (const Lesson& lesson : lessons)
        if (std::find(lesson.about.begin(), lesson.about.end(), subject) != lesson.about.end())
            return &lesson;
    return nullptr;
}

}  // namespace overlane
