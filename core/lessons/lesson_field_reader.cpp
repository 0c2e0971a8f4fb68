#include "core/lessons/lesson_field_reader.h"

#include <fmt/format.h>

#include "core/devices/device_profile.h"
#include "core/loader/settings.h"

namespace overlane
{

std::size_t sentencesIn(std::string_view text)
{
    std::size_t count = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        if ((text[i] == '.' || text[i] == '?' || text[i] == '!') && (i + 1 == text.size() || text[i + 1] == ' '))
            ++count;
    return count;
}

LessonSource sourceOf(std::string_view text)
{
    const std::size_t middle = text.find("](");
    if (!text.starts_with('[') || middle == std::string_view::npos || !text.ends_with(')'))
        return {std::string(text), {}};
    return {std::string(text.substr(1, middle - 1)), std::string(text.substr(middle + 2, text.size() - middle - 3))};
}

Error LessonFieldReader::fault(int line, const std::string& message) const
{
    return lessonFault(m_file, line, message);
}

Result<void> LessonFieldReader::fieldsOf(const LessonBlock& block, std::initializer_list<FieldRule> rules) const
{
    return checkFields(block.fields, {rules.begin(), rules.size()}, fmt::format("the block '{}'", block.kind), m_file,
                       block.line);
}

Result<Expression> LessonFieldReader::expression(const LessonField& field, std::string_view text, const RunNames& runs,
                                                 bool truth) const
{
    auto parsed = Expression::parse(trimmedText(text), runs);
    if (!parsed.ok())
        return fault(field.line, parsed.error());
    if (parsed.value().unit().truth != truth)
        return fault(field.line,
                     fmt::format("\"{}\" is {}; {} is expected.", parsed.value().text(),
                                 unitName(parsed.value().unit()), truth ? "a comparison, true or false," : "a figure"));
    return parsed;
}

Result<void> LessonFieldReader::prose(std::string_view text, int line, const RunNames& runs, Prose& into) const
{
    const auto wrong = Prose::parse(text, runs, into);
    if (wrong)
        return fault(line + wrong->line, wrong->message);
    return {};
}

Result<void> LessonFieldReader::prose(const LessonBlock& block, std::string_view name, Prose& into) const
{
    const LessonField* field = findField(block.fields, name);
    return field ? prose(field->text, field->line, m_runs, into) : Result<void>();
}

Result<void> LessonFieldReader::change(const LessonField& field, Scenario& scenario,
                                       std::vector<std::string>& changes) const
{
    for (std::string& word : fieldWords(field.text)) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos)
            return fault(field.line, fmt::format("'{}' has no value; write key=value.", word));
        if (const auto set = assignSetting(scenario, word.substr(0, equals), word.substr(equals + 1)); !set.ok())
            return fault(field.line, set.error());
        changes.push_back(std::move(word));
    }
    return {};
}

Result<void> LessonFieldReader::change(const LessonBlock& block, Scenario& scenario,
                                       std::vector<std::string>& changes) const
{
    for (const LessonField& field : block.fields)
        if (field.name == "set")
            if (auto changed = change(field, scenario, changes); !changed.ok())
                return changed;
    return {};
}

Result<void> LessonFieldReader::possible(const Scenario& scenario, const std::string& device, int line) const
{
    const DeviceProfile* profile = findDeviceProfile(device);
    if (profile == nullptr) {
        std::string known;
        for (const DeviceProfile& one : allDeviceProfiles())
            known += (known.empty() ? "" : ", ") + one.key;
        return fault(line, fmt::format("there is no device profile '{}'; there are {}.", device, known));
    }
    const auto checked = checkScenario(scenario, *profile);
    return checked.ok() ? Result<void>() : fault(line, checked.error());
}

}  // namespace overlane
