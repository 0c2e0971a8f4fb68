#include "core/lessons/lesson_blocks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace overlane
{
namespace
{

constexpr std::string_view kFence = "```";
constexpr std::string_view kFrontFence = "---";
constexpr std::array<std::string_view, 9> kBlockKinds{"scenario",   "predict", "compare",  "expect",   "rule",
                                                      "leaves-out", "claim",   "exercise", "gpu-needs"};
// Fences of prose: code that is shown as it is.
constexpr std::array<std::string_view, 6> kCodeKinds{"", "python", "cpp", "cuda", "sh", "text"};

bool isFieldName(std::string_view name)
{
    return !name.empty() &&
           std::all_of(name.begin(), name.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-' || c == ' '; });
}

class Splitter
{
public:
    Splitter(std::string_view text, const std::string& file) : m_file(file)
    {
        while (!text.empty()) {
            const std::size_t end = text.find('\n');
            std::string_view line = text.substr(0, end);
            if (line.ends_with('\r'))
                line.remove_suffix(1);
            m_lines.push_back(line);
            text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        }
    }

    Result<LessonFile> split()
    {
        if (m_lines.empty() || trimmedText(m_lines.front()) != kFrontFence)
            return lessonFault(m_file, 1, "a lesson begins with a line '---', then 'key: ...', 'title: ...'.");
        m_at = 1;
        auto front = fields(kFrontFence, "the front matter");
        if (!front.ok())
            return front.failure();
        LessonFile file;
        file.front = std::move(front).value();
        while (m_at < m_lines.size()) {
            ASSIGN_OR_RETURN(auto block, isBlockFence(m_lines[m_at]) ? fenced() : prose());
            if (!block.kind.empty() || !block.text.empty())
                file.blocks.push_back(std::move(block));
        }
        return file;
    }

private:
    int lineNumber() const { return static_cast<int>(m_at) + 1; }

    static std::string_view fenceKind(std::string_view line)
    {
        const std::string_view inside = trimmedText(line.substr(kFence.size()));
        return inside.substr(0, inside.find(' '));
    }
    static bool isBlockFence(std::string_view line)
    {
        return line.starts_with(kFence) &&
               std::find(kCodeKinds.begin(), kCodeKinds.end(), fenceKind(line)) == kCodeKinds.end();
    }

    // Up to the next block; fences of code belong to it.
    Result<LessonBlock> prose()
    {
        LessonBlock block;
        block.line = lineNumber();
        std::string text;
        while (m_at < m_lines.size() && !isBlockFence(m_lines[m_at])) {
            const bool code = m_lines[m_at].starts_with(kFence);
            const int opened = lineNumber();
            text += std::string(m_lines[m_at++]) + "\n";
            while (code && m_at < m_lines.size() && trimmedText(m_lines[m_at]) != kFence)
                text += std::string(m_lines[m_at++]) + "\n";
            if (code && m_at == m_lines.size())
                return lessonFault(m_file, opened, "this block has no end; close it with a line '```'.");
            if (code)
                text += std::string(m_lines[m_at++]) + "\n";
        }
        // Blank lines around it carry no meaning, but those before it count for the line numbers.
        while (text.starts_with('\n')) {
            text.erase(0, 1);
            ++block.line;
        }
        block.text = trimmedText(text);
        return block;
    }

    Result<LessonBlock> fenced()
    {
        LessonBlock block;
        block.line = lineNumber();
        const std::string_view inside = trimmedText(m_lines[m_at].substr(kFence.size()));
        block.kind = fenceKind(m_lines[m_at]);
        block.argument = trimmedText(inside.substr(block.kind.size()));
        if (std::find(kBlockKinds.begin(), kBlockKinds.end(), block.kind) == kBlockKinds.end())
            return lessonFault(
                m_file, block.line,
                fmt::format("there is no block '{}'; the blocks are {}.", block.kind, fmt::join(kBlockKinds, ", ")));
        ++m_at;
        ASSIGN_OR_RETURN(auto found, fields(kFence, fmt::format("the block '{}'", block.kind)));
        block.fields = std::move(found);
        return block;
    }

    // "name: value" with continuation lines that are indented; "- item" is a field named "-". Leaves the
    // end behind.
    Result<std::vector<LessonField>> fields(std::string_view end, const std::string& what)
    {
        const int opened = lineNumber() - 1;
        std::vector<LessonField> found;
        for (; m_at < m_lines.size(); ++m_at) {
            const std::string_view line = m_lines[m_at];
            const std::string_view text = trimmedText(line);
            if (text == end) {
                ++m_at;
                return found;
            }
            if (text.empty())
                continue;
            if (line.starts_with(' ')) {
                if (found.empty())
                    return lessonFault(m_file, lineNumber(), "this line is indented, but continues no field.");
                found.back().text += (found.back().text.empty() ? "" : " ") + std::string(text);
                continue;
            }
            if (text.starts_with("- ")) {
                found.push_back({"-", std::string(trimmedText(text.substr(2))), lineNumber()});
                continue;
            }
            const std::size_t colon = text.find(':');
            const std::string_view name = text.substr(0, colon);
            if (colon == std::string_view::npos || !isFieldName(name))
                return lessonFault(m_file, lineNumber(),
                                   fmt::format("{} holds lines 'name: value', '- item', or indented continuations; "
                                               "this is none.",
                                               what));
            found.push_back({std::string(name), std::string(trimmedText(text.substr(colon + 1))), lineNumber()});
        }
        return lessonFault(m_file, opened, fmt::format("{} has no end; close it with a line '{}'.", what, end));
    }

    const std::string& m_file;
    std::vector<std::string_view> m_lines;
    std::size_t m_at = 0;
};

}  // namespace

Error lessonFault(const std::string& file, int line, const std::string& message)
{
    return Error{fmt::format("{}:{}: {}", file, line, message)};
}

Result<LessonFile> splitLesson(std::string_view markdown, const std::string& file)
{
    return Splitter(markdown, file).split();
}

Result<void> checkFields(const std::vector<LessonField>& fields, std::span<const FieldRule> rules,
                         std::string_view what, const std::string& file, int line)
{
    for (auto field = fields.begin(); field != fields.end(); ++field) {
        const auto rule =
            std::find_if(rules.begin(), rules.end(), [&](const FieldRule& one) { return one.name == field->name; });
        if (rule == rules.end()) {
            std::vector<std::string_view> names;
            for (const FieldRule& one : rules)
                names.push_back(one.name);
            return lessonFault(
                file, field->line,
                fmt::format("{} has no field '{}'; its fields are {}.", what, field->name, fmt::join(names, ", ")));
        }
        if (field->text.empty())
            return lessonFault(file, field->line, fmt::format("'{}' is empty.", field->name));
        const auto same = [&](const LessonField& one) { return one.name == field->name; };
        if (!rule->repeated && std::find_if(fields.begin(), field, same) != field)
            return lessonFault(file, field->line, fmt::format("'{}' stands here for the second time.", field->name));
    }
    for (const FieldRule& rule : rules)
        if (rule.required && findField(fields, rule.name) == nullptr)
            return lessonFault(file, line,
                               rule.name == "-" ? fmt::format("{} needs at least one line '- ...'.", what)
                                                : fmt::format("{} needs a line '{}: ...'.", what, rule.name));
    return {};
}

const LessonField* findField(const std::vector<LessonField>& fields, std::string_view name)
{
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const LessonField& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

std::string fieldText(const std::vector<LessonField>& fields, std::string_view name)
{
    const LessonField* field = findField(fields, name);
    return field ? field->text : std::string();
}

std::vector<std::string> fieldWords(std::string_view text)
{
    std::vector<std::string> words;
    std::string word;
    for (const char c : text) {
        if (c != ' ' && c != ',') {
            word += c;
            continue;
        }
        if (!word.empty())
            words.push_back(std::exchange(word, {}));
    }
    if (!word.empty())
        words.push_back(word);
    return words;
}

std::string_view trimmedText(std::string_view text)
{
    const auto space = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
    while (!text.empty() && space(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && space(text.back()))
        text.remove_suffix(1);
    return text;
}

}  // namespace overlane
