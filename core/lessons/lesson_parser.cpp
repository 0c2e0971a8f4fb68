#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <functional>

#include "core/base/units.h"
#include "core/lessons/lesson.h"
#include "core/lessons/lesson_blocks.h"
#include "core/lessons/lesson_field_reader.h"
#include "core/loader/presets.h"
#include "core/loader/settings.h"
#include "core/runs/figures.h"
#include "core/runs/run_metrics.h"

namespace overlane
{
namespace
{

constexpr std::size_t kExercises = 2;
constexpr int kMostMinutes = 120;
constexpr std::size_t kLongestSubject = 40;
constexpr std::size_t kRuleSentences = 2;
constexpr std::string_view kStartRun = "start";

class Builder : private LessonFieldReader
{
public:
    Builder(LessonFile parts, const std::string& file) : LessonFieldReader(file), m_parts(std::move(parts))
    {
        m_lesson.file = file;
    }

    Result<Lesson> build()
    {
        // Scenarios first: everything else speaks of their runs.
        const std::array<std::function<Result<void>()>, 5> kPasses{
            [this] { return front(); },
            [this] { return each([this](const LessonBlock& block) { return scenarioBlock(block); }); },
            [this] { return enoughScenarios(); },
            [this] { return each([this](const LessonBlock& block) { return otherBlock(block); }); },
            [this] { return complete(); }};
        for (const auto& pass : kPasses)
            RETURN_IF_ERROR(pass());
        return std::move(m_lesson);
    }

private:
    Result<void> each(const std::function<Result<void>(const LessonBlock&)>& take)
    {
        for (const LessonBlock& block : m_parts.blocks)
            if (auto taken = take(block); !taken.ok())
                return taken;
        return {};
    }

    Result<void> front()
    {
        // Lessons of earlier versions say what they are about; nothing asks for it any more.
        constexpr std::array<FieldRule, 7> kRules{
            {{"key"}, {"title"}, {"summary"}, {"subject", false}, {"minutes"}, {"next", false}, {"about", false}}};
        const auto& fields = m_parts.front;
        if (auto checked = checkFields(fields, kRules, "the front matter", file(), 1); !checked.ok())
            return checked;
        m_lesson.key = fieldText(fields, "key");
        m_lesson.title = fieldText(fields, "title");
        m_lesson.summary = fieldText(fields, "summary");
        m_lesson.next = fieldWords(fieldText(fields, "next"));
        if (const LessonField* subject = findField(fields, "subject")) {
            m_lesson.subject = subject->text;
            if (const std::size_t length = m_lesson.subject.size(); length == 0 || length > kLongestSubject)
                return fault(subject->line, fmt::format("'subject' is a heading of 1 to {} letters, such as 'The data "
                                                        "loader'; this has {}.",
                                                        kLongestSubject, length));
        }
        for (const char c : m_lesson.key)
            if ((c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_')
                return fault(findField(fields, "key")->line,
                             fmt::format("the key '{}' may hold a-z, 0-9 and '_'.", m_lesson.key));
        const LessonField& minutes = *findField(fields, "minutes");
        const char* end = minutes.text.data() + minutes.text.size();
        const auto [parsed, code] = std::from_chars(minutes.text.data(), end, m_lesson.minutes);
        if (code != std::errc() || parsed != end || m_lesson.minutes < 1 || m_lesson.minutes > kMostMinutes)
            return fault(minutes.line, fmt::format("'minutes' is a whole number from 1 to {}, not '{}'.", kMostMinutes,
                                                   minutes.text));
        return {};
    }

    Result<void> scenarioBlock(const LessonBlock& block)
    {
        if (block.kind != "scenario")
            return {};
        if (auto checked = fieldsOf(
                block, {{"label"}, {"base", false}, {"preset", false}, {"device", false}, {"set", false, true}});
            !checked.ok())
            return checked;
        const bool named = block.argument.size() == 1 && block.argument[0] >= 'A' && block.argument[0] <= 'H';
        if (!named || m_lesson.find(block.argument) != nullptr)
            return fault(block.line,
                         fmt::format("a scenario is called by a letter of its own, A to H, not '{}'.", block.argument));
        LessonScenario made;
        made.name = block.argument;
        made.label = fieldText(block.fields, "label");
        made.device = allDeviceProfiles().front().key;
        if (const LessonField* base = findField(block.fields, "base")) {
            const LessonScenario* from = m_lesson.find(base->text);
            if (from == nullptr || findField(block.fields, "preset") != nullptr)
                return fault(base->line, fmt::format("'base' names a scenario further up and stands without 'preset'; "
                                                     "'{}' does not.",
                                                     base->text));
            made = *from;
            made.name = block.argument;
            made.label = fieldText(block.fields, "label");
        }
        if (const LessonField* preset = findField(block.fields, "preset")) {
            const auto presets = allPresets();
            const auto found = std::find_if(presets.begin(), presets.end(),
                                            [&](const Preset& one) { return one.key == preset->text; });
            if (found == presets.end())
                return fault(preset->line,
                             fmt::format("there is no preset '{}'; 'overlane run --list' shows them.", preset->text));
            made.preset = preset->text;
            made.scenario = found->scenario;
            made.device = found->device;
        }
        if (const LessonField* device = findField(block.fields, "device"))
            made.device = device->text;
        if (auto changed = change(block, made.scenario, made.changes); !changed.ok())
            return changed;
        made.scenario.name = made.label;
        if (auto checked = possible(made.scenario, made.device, block.line); !checked.ok())
            return checked;
        m_runs.insert(made.name);
        m_lesson.scenarios.push_back(std::move(made));
        return {};
    }

    Result<void> enoughScenarios() const
    {
        if (m_lesson.scenarios.size() < 2)
            return fault(1, "the lesson needs two blocks 'scenario A' and 'scenario B'.");
        return {};
    }

    Result<void> otherBlock(const LessonBlock& block)
    {
        m_runs.emplace(kDeviceRun);
        if (block.kind.empty())
            return text(block);
        if (block.kind == "scenario")
            return {};
        if (!block.argument.empty())
            return fault(block.line,
                         fmt::format("'{}' stands behind '{}', which takes no name.", block.argument, block.kind));
        if (block.kind == "predict")
            return predict(block);
        if (block.kind == "compare")
            return compare(block);
        if (block.kind == "expect")
            return expect(block);
        if (block.kind == "rule")
            return rule(block);
        if (block.kind == "leaves-out")
            return leavesOut(block);
        if (block.kind == "gpu-needs")
            return gpuNeeds(block);
        return block.kind == "claim" ? claim(block) : exercise(block);
    }

    // Prose before the first question is the situation, and must not give the answer away.
    Result<void> text(const LessonBlock& block)
    {
        const bool before = m_lesson.predictions.empty();
        std::string& gathered = before ? m_situation : m_seen;
        // Padding keeps the line numbers of faults true over the blocks in between.
        int& firstLine = before ? m_situationLine : m_seenLine;
        if (gathered.empty())
            firstLine = block.line;
        else
            gathered += "\n\n";
        gathered += block.text;
        Prose alone;
        if (auto parsed = prose(block.text, block.line, m_runs, alone); !parsed.ok())
            return parsed;
        if (auto silent = tellsNoResult(alone, block.line); before && !silent.ok())
            return silent;
        return prose(gathered, firstLine, m_runs, before ? m_lesson.situation : m_lesson.seen);
    }

    Result<void> tellsNoResult(const Prose& text, int line) const
    {
        for (const FigureName& figure : text.figures())
            if (figure.run != kDeviceRun && findRunMetric(figure.figure) != nullptr)
                return fault(line, fmt::format("{}.{} shows a result before the prediction is made; move it behind the "
                                               "block 'predict'.",
                                               figure.run, figure.figure));
        return {};
    }
    // A figure that is known before anything runs.
    Result<double> setting(const FigureName& name) const
    {
        if (name.run == kDeviceRun)
            return deviceFigure(*findDeviceProfile(m_lesson.scenarios.front().device), name);
        return settingFigure(m_lesson.find(name.run)->scenario, name.figure);
    }

    Result<void> predict(const LessonBlock& block)
    {
        if (auto checked = fieldsOf(
                block, {{"question"}, {"answer", false}, {"tolerance", false}, {"-", false, true}, {"why", false}});
            !checked.ok())
            return checked;
        LessonPrediction made;
        const LessonField& question = *findField(block.fields, "question");
        Prose asked;
        if (auto parsed = prose(question.text, question.line, m_runs, asked); !parsed.ok())
            return parsed;
        if (auto silent = tellsNoResult(asked, question.line); !silent.ok())
            return silent;
        made.question = asked.filled([this](const FigureName& name) { return setting(name); });
        for (const LessonField& field : block.fields) {
            if (field.name != "-")
                continue;
            const std::size_t marks = field.text.find("::");
            if (marks == std::string::npos)
                return fault(field.line, "a choice is written '- text :: expression that is true if it is right'.");
            ASSIGN_OR_RETURN(auto right,
                             expression(field, std::string_view(field.text).substr(marks + 2), m_runs, true));
            made.choices.push_back(
                {std::string(trimmedText(std::string_view(field.text).substr(0, marks))), std::move(right)});
        }
        const LessonField* answer = findField(block.fields, "answer");
        if ((answer != nullptr) == !made.choices.empty() || made.choices.size() == 1)
            return fault(block.line, "a prediction has either 'answer: EXPRESSION' or at least two choices.");
        if (answer != nullptr) {
            ASSIGN_OR_RETURN(auto parsed, expression(*answer, answer->text, m_runs, false));
            made.answer = std::move(parsed);
        }
        if (const LessonField* tolerance = findField(block.fields, "tolerance")) {
            const auto parsed = Expression::parse(tolerance->text, {});
            if (!parsed.ok() || !parsed.value().unit().isNumber() || answer == nullptr)
                return fault(tolerance->line, "'tolerance' is a share of the answer, as in 25 %, where there is one.");
            made.tolerance = parsed.value().evaluate({}).value();
        }
        if (auto parsed = prose(block, "why", made.explanation); !parsed.ok())
            return parsed;
        m_lesson.predictions.push_back(std::move(made));
        return {};
    }

    Result<void> compare(const LessonBlock& block)
    {
        if (auto checked = fieldsOf(block, {{"-", true, true}}); !checked.ok())
            return checked;
        for (const LessonField& field : block.fields)
            for (std::string& key : fieldWords(field.text)) {
                if (findRunMetric(key) == nullptr)
                    return fault(field.line, fmt::format("there is no metric '{}'; 'overlane lessons --metrics' shows "
                                                         "them.",
                                                         key));
                m_lesson.compared.push_back(std::move(key));
            }
        return {};
    }

    Result<void> expect(const LessonBlock& block)
    {
        if (auto checked = fieldsOf(block, {{"-", true, true}}); !checked.ok())
            return checked;
        for (const LessonField& field : block.fields) {
            ASSIGN_OR_RETURN(auto holds, expression(field, field.text, m_runs, true));
            m_lesson.expectations.push_back({std::move(holds), field.line});
        }
        return {};
    }

    Result<void> rule(const LessonBlock& block)
    {
        if (auto checked = fieldsOf(block, {{"text"}, {"source"}}); !checked.ok())
            return checked;
        if (!m_lesson.rule.text.empty())
            return fault(block.line, "a lesson has one rule; this is a second.");
        const LessonField& text = *findField(block.fields, "text");
        if (const std::size_t count = sentencesIn(text.text); count != kRuleSentences)
            return fault(text.line,
                         fmt::format("the rule has {} {}; write two.", count, count == 1 ? "sentence" : "sentences"));
        m_lesson.rule = {text.text, sourceOf(fieldText(block.fields, "source"))};
        return {};
    }

    Result<void> leavesOut(const LessonBlock& block)
    {
        if (auto checked = fieldsOf(block, {{"-", true, true}}); !checked.ok())
            return checked;
        for (const LessonField& field : block.fields)
            m_lesson.leftOut.push_back(field.text);
        return {};
    }

    Result<void> gpuNeeds(const LessonBlock& block)
    {
        if (auto checked = fieldsOf(block, {{"holds"}, {"otherwise"}}); !checked.ok())
            return checked;
        if (m_lesson.gpuNeeds)
            return fault(block.line, "a lesson has one block 'gpu-needs'; this is a second.");
        const LessonField& holds = *findField(block.fields, "holds");
        ASSIGN_OR_RETURN(auto parsed, expression(holds, holds.text, m_runs, true));
        m_lesson.gpuNeeds = {std::move(parsed), fieldText(block.fields, "otherwise")};
        return {};
    }

    Result<void> claim(const LessonBlock& block)
    {
        if (auto checked =
                fieldsOf(block, {{"says"}, {"source"}, {"holds"}, {"figures"}, {"if held", false}, {"if not", false}});
            !checked.ok())
            return checked;
        LessonClaim made;
        made.says = fieldText(block.fields, "says");
        made.source = sourceOf(fieldText(block.fields, "source"));
        const LessonField& holds = *findField(block.fields, "holds");
        ASSIGN_OR_RETURN(auto parsed, expression(holds, holds.text, m_runs, true));
        made.holds = std::move(parsed);
        for (const auto& [name, into] : {std::pair("figures", &made.figures), std::pair("if held", &made.ifHeld),
                                         std::pair("if not", &made.ifNot)})
            if (auto filled = prose(block, name, *into); !filled.ok())
                return filled;
        m_lesson.claims.push_back(std::move(made));
        return {};
    }

    Result<void> exercise(const LessonBlock& block)
    {
        if (auto checked = fieldsOf(
                block, {{"task"}, {"from"}, {"set", false, true}, {"knobs"}, {"goal"}, {"hint", false}, {"solution"}});
            !checked.ok())
            return checked;
        LessonExercise made;
        made.task = fieldText(block.fields, "task");
        made.hint = fieldText(block.fields, "hint");
        made.from = fieldText(block.fields, "from");
        const LessonScenario* from = m_lesson.find(made.from);
        if (from == nullptr)
            return fault(findField(block.fields, "from")->line, fmt::format("there is no scenario '{}'.", made.from));
        made.start = from->scenario;
        made.device = from->device;
        if (auto changed = change(block, made.start, made.startChanges); !changed.ok())
            return changed;
        const LessonField& knobs = *findField(block.fields, "knobs");
        made.knobs = fieldWords(knobs.text);
        for (const std::string& knob : made.knobs)
            if (findSetting(knob) == nullptr)
                return fault(knobs.line,
                             fmt::format("there is no setting '{}'; 'overlane run --help' lists them.", knob));
        const LessonField& goal = *findField(block.fields, "goal");
        ASSIGN_OR_RETURN(auto parsed,
                         expression(goal, goal.text, {"", std::string(kStartRun), std::string(kDeviceRun)}, true));
        made.goal = std::move(parsed);
        const LessonField& solution = *findField(block.fields, "solution");
        Scenario solved = made.start;
        if (auto changed = change(solution, solved, made.solution); !changed.ok())
            return changed;
        for (const std::string& one : made.solution)
            if (std::find(made.knobs.begin(), made.knobs.end(), one.substr(0, one.find('='))) == made.knobs.end())
                return fault(solution.line, fmt::format("'{}' changes a setting that is not among the knobs.", one));
        if (auto checked = possible(made.start, made.device, block.line); !checked.ok())
            return checked;
        if (auto checked = possible(solved, made.device, solution.line); !checked.ok())
            return checked;
        m_lesson.exercises.push_back(std::move(made));
        return {};
    }

    Result<void> complete() const
    {
        struct Part {
            bool there;
            std::string_view what;
        };
        const Part kParts[] = {
            {!m_lesson.situation.empty(), "prose before the first block 'predict': the situation"},
            {!m_lesson.predictions.empty(), "a block 'predict'"},
            {!m_lesson.compared.empty(), "a block 'compare'"},
            {!m_lesson.seen.empty(), "prose behind the block 'predict': what the runs show"},
            {!m_lesson.expectations.empty(), "a block 'expect'"},
            {!m_lesson.rule.text.empty(), "a block 'rule'"},
            {!m_lesson.leftOut.empty(), "a block 'leaves-out'"},
            {!m_lesson.claims.empty(), "a block 'claim'"},
            {m_lesson.exercises.size() == kExercises, "two blocks 'exercise'"},
        };
        for (const Part& part : kParts)
            if (!part.there)
                return fault(1, fmt::format("the lesson needs {}.", part.what));
        return {};
    }

    const LessonFile m_parts;
    Lesson m_lesson;
    std::string m_situation;
    std::string m_seen;
    int m_situationLine = 1;
    int m_seenLine = 1;
};

}  // namespace

Result<Lesson> parseLesson(std::string_view markdown, const std::string& file)
{
    if (markdown.size() > kLongestLessonBytes)
        return Error{fmt::format("{}: it is longer than {}; make several lessons of it.", file,
                                 formatBytes(kLongestLessonBytes))};
    ASSIGN_OR_RETURN(auto parts, splitLesson(markdown, file));
    return Builder(std::move(parts), file).build();
}

}  // namespace overlane
