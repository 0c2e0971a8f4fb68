#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <sstream>

#include "core/base/text_file.h"
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

struct OrderedKey {
    std::string key;
    int line = 0;  // of the file of the order; 0: not named there
};

// One key per line; what follows '#' is a comment.
std::vector<OrderedKey> keysOf(std::string_view order)
{
    std::vector<OrderedKey> keys;
    std::istringstream lines{std::string(order)};
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        if (const auto key = trimmedText(std::string_view(line).substr(0, line.find('#'))); !key.empty())
            keys.push_back({std::string(key), number});
    }
    return keys;
}

// "FILE:LINE: message" as parseLesson() writes it.
LessonFault faultOf(const std::string& file, std::string_view error)
{
    LessonFault fault{file, 0, std::string(error)};
    if (!error.starts_with(file + ":"))
        return fault;
    error.remove_prefix(file.size() + 1);
    const auto [end, code] = std::from_chars(error.data(), error.data() + error.size(), fault.line);
    if (code == std::errc())
        fault.message = trimmedText(error.substr(static_cast<std::size_t>(end - error.data()) + 1));
    return fault;
}

class Shelf
{
public:
    // `order` names the list of keys in faults; files are called `folder` and their name there.
    Shelf(const std::vector<NamedText>& texts, std::string order, std::string folder)
        : m_texts(texts), m_order(std::move(order)), m_folder(std::move(folder))
    {
    }

    LessonLibrary filled(const std::vector<OrderedKey>& keys)
    {
        for (const OrderedKey& key : keys)
            put(key);
        keepSubjectsTogether();
        for (Lesson& lesson : m_library.lessons)
            std::erase_if(lesson.next, [&](const std::string& next) {
                const bool leadsNowhere = textOf(next) == nullptr;
                if (leadsNowhere)
                    m_library.faults.push_back(
                        {lesson.file, 0, fmt::format("'next' names '{}', which is no lesson.", next)});
                // One that is there and broken has a fault of its own.
                return leadsNowhere || findLesson(m_library.lessons, next) == nullptr;
            });
        return std::move(m_library);
    }

private:
    // In the order in which each subject begins.
    void keepSubjectsTogether()
    {
        std::vector<std::string> subjects;
        for (const Lesson& lesson : m_library.lessons)
            if (std::ranges::find(subjects, lesson.subject) == subjects.end())
                subjects.push_back(lesson.subject);
        std::ranges::stable_sort(m_library.lessons, {}, [&subjects](const Lesson& lesson) {
            return std::ranges::find(subjects, lesson.subject) - subjects.begin();
        });
    }

    const NamedText* textOf(std::string_view key) const
    {
        const std::string file = std::string(key) + std::string(kExtension);
        const auto found =
            std::find_if(m_texts.begin(), m_texts.end(), [&](const NamedText& one) { return one.file == file; });
        return found == m_texts.end() ? nullptr : &*found;
    }

    void put(const OrderedKey& key)
    {
        const NamedText* text = textOf(key.key);
        if (text == nullptr) {
            m_library.faults.push_back(
                {m_order, key.line,
                 fmt::format("names the lesson '{}', but there is no file {}{}.", key.key, key.key, kExtension)});
            return;
        }
        const std::string file = m_folder + text->file;
        auto lesson = parseLesson(text->text, file);
        if (!lesson.ok())
            m_library.faults.push_back(faultOf(file, lesson.error()));
        else if (lesson.value().key != key.key)
            m_library.faults.push_back(
                {file, 0,
                 fmt::format("the key is '{}'; it must be the file's name, '{}'.", lesson.value().key, key.key)});
        else if (findLesson(m_library.lessons, key.key) != nullptr)
            m_library.faults.push_back({m_order, key.line, fmt::format("names the lesson '{}' twice.", key.key)});
        else
            m_library.lessons.push_back(std::move(lesson).value());
    }

    const std::vector<NamedText>& m_texts;
    const std::string m_order;
    const std::string m_folder;
    LessonLibrary m_library;
};

// No more than what parseLesson() refuses.
std::string lessonText(const std::filesystem::path& path)
{
    return textOfFile(path.string(), static_cast<std::size_t>(kLongestLessonBytes) + 1);
}

}  // namespace

std::string LessonFault::text() const
{
    return line > 0 ? fmt::format("{}:{}: {}", file, line, message) : fmt::format("{}: {}", file, message);
}

const Result<std::vector<Lesson>>& allLessons()
{
    static const Result<std::vector<Lesson>> lessons = []() -> Result<std::vector<Lesson>> {
        std::vector<NamedText> texts;
        for (const LessonText& text : embeddedLessons())
            texts.push_back({std::string(text.file), std::string(text.text)});
        LessonLibrary library = Shelf(texts, kOrderFile, "").filled(keysOf(embeddedLessonOrder()));
        if (!library.faults.empty())
            return Error{library.faults.front().text()};
        return std::move(library.lessons);
    }();
    return lessons;
}

Result<LessonLibrary> readLessonLibrary(const std::string& folder)
{
    namespace fs = std::filesystem;
    std::error_code error;
    std::vector<NamedText> texts;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const fs::path& path = entry.path();
        // A folder of Markdown has a page about itself, which is no lesson.
        if (path.extension() == kExtension && path.stem() != "README" && entry.is_regular_file(error))
            texts.push_back({path.filename().string(), lessonText(path)});
    }
    if (error)
        return Error{fmt::format("{} cannot be read as a folder of lessons: {}.", folder, error.message())};
    if (texts.empty())
        return Error{fmt::format("{} holds no lesson: a lesson is a file with the ending .md.", folder)};
    std::sort(texts.begin(), texts.end(), [](const NamedText& a, const NamedText& b) { return a.file < b.file; });
    const fs::path order = fs::path(folder) / kOrderFile;
    std::vector<OrderedKey> keys = fs::exists(order, error) ? keysOf(lessonText(order)) : std::vector<OrderedKey>();
    for (const NamedText& text : texts) {
        const std::string key = text.file.substr(0, text.file.size() - kExtension.size());
        if (std::none_of(keys.begin(), keys.end(), [&](const OrderedKey& one) { return one.key == key; }))
            keys.push_back({key, 0});
    }
    return Shelf(texts, order.string(), (fs::path(folder) / "").string()).filled(keys);
}

bool beginsSubject(std::span<const Lesson> lessons, std::size_t place)
{
    if (place > 0)
        return lessons[place].subject != lessons[place - 1].subject;
    return std::ranges::any_of(lessons, [](const Lesson& one) { return !one.subject.empty(); });
}

std::string_view subjectHeading(const Lesson& lesson)
{
    return lesson.subject.empty() ? "Other lessons" : std::string_view(lesson.subject);
}

const Lesson* findLesson(std::span<const Lesson> lessons, std::string_view key)
{
    const auto found = std::find_if(lessons.begin(), lessons.end(), [&](const Lesson& one) { return one.key == key; });
    return found == lessons.end() ? nullptr : &*found;
}

}  // namespace overlane
