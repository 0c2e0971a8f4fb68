#include <chrono>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <ostream>

#include "core/base/text_file.h"
#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/lesson_text.h"
#include "core/cli/long_task.h"
#include "core/cli/nearest_name.h"
#include "core/devices/user_profiles.h"
#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_page.h"
#include "core/loader/settings.h"

namespace overlane
{
namespace
{

constexpr std::string_view kCheck = "check";
constexpr std::string_view kList = "list";

struct LessonsOptions {
    std::string key;
    std::string folder;  // behind check or list
    std::string lessons;
    std::vector<std::string> only;
    double timeLimitS = 0;  // of check; 0: none
    std::string engine = "simulated";
    std::string device;
    std::vector<std::string> settings;
    std::string output;
    std::size_t exercise = 0;
    bool metrics = false;
    bool json = false;

    LongTask::Drawing drawing() const { return json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal; }
};

Result<LessonLibrary> libraryOf(const LessonsOptions& options)
{
    const std::string& folder = options.folder.empty() ? options.lessons : options.folder;
    if (!folder.empty())
        return readLessonLibrary(folder);
    const auto& own = allLessons();
    if (!own.ok())
        return own.failure();
    return LessonLibrary{own.value(), {}};
}

Result<LessonEngine> engineOf(const LessonsOptions& options)
{
    if (options.engine == "simulated")
        return simulatedLessonEngine();
    if (options.engine == "gpu")
        return gpuLessonEngine();
    return Error{fmt::format("There is no engine \"{}\": write simulated or gpu.", options.engine)};
}

Result<const Lesson*> chosen(const LessonLibrary& library, const std::string& key)
{
    if (const Lesson* lesson = findLesson(library.lessons, key))
        return lesson;
    for (const LessonFault& fault : library.faults)
        if (fault.file.ends_with('/' + key + ".md"))
            return Error{fault.text()};
    std::vector<std::string_view> keys;
    keys.reserve(library.lessons.size());
    for (const Lesson& lesson : library.lessons)
        keys.push_back(lesson.key);
    return Error{unknownName("lesson", key, keys)};
}

// What `check` found, told while it goes on.
class CheckReport
{
public:
    CheckReport(const LessonsOptions& options, std::ostream& out) : m_json(options.json), m_out(out) {}

    void fault(const LessonFault& fault) { problem(fault.text()); }
    void lesson(const Lesson& lesson, const LessonCheck& check)
    {
        const std::string_view fine = check.untold.empty() ? "holds" : "not here";
        const std::string said =
            check.problems.empty() ? std::string(fine) : fmt::format("{} wrong", check.problems.size());
        line(fmt::format("{:<24} {:<9} {:>3} run{} {:>7.1f} s\n", lesson.key, said, check.runs,
                         check.runs == 1 ? " " : "s", static_cast<double>(check.tookNs) / kNsPerS));
        OrderedJson statements = OrderedJson::array();
        for (const CheckedStatement& one : check.statements)
            statements.push_back(
                {{"statement", one.text}, {"verdict", lessonVerdictName(one.verdict)}, {"figures", one.figures}});
        m_rows.push_back({{"lesson", lesson.key},
                          {"problems", check.problems},
                          {"statements", statements},
                          {"not_here", check.untold},
                          {"runs", check.runs},
                          {"took_ns", check.tookNs}});
        m_untold += check.untold.empty() ? 0 : 1;
        if (!check.untold.empty())
            line("  " + check.untold + "\n");
        for (const std::string& one : check.problems)
            problem(one);
    }
    void unchecked(const Lesson& lesson) { m_unchecked.push_back(lesson.key); }

    int end(CommandOutput to) const
    {
        if (m_json)
            m_out << toText({{"lessons", m_rows.size()},
                             {"problems", m_problems},
                             {"checked", m_rows},
                             {"unchecked", m_unchecked}});
        if (!m_problems.empty())
            return fail(fmt::format("{} of what the lessons state {} not hold.", m_problems.size(),
                                    m_problems.size() == 1 ? "does" : "do"),
                        to);
        if (!m_unchecked.empty())
            return fail(
                fmt::format("The time limit left {} unchecked: {}. Check them with --only KEY.",
                            m_unchecked.size() == 1 ? "one lesson" : fmt::format("{} lessons", m_unchecked.size()),
                            fmt::join(m_unchecked, ", ")),
                to);
        if (!m_json)
            m_out << fmt::format("{} lesson{}: all that they state holds{}.\n", m_rows.size(),
                                 m_rows.size() == 1 ? "" : "s",
                                 m_untold > 0 ? fmt::format("; {} cannot be shown on this machine", m_untold) : "");
        return kExitOk;
    }

private:
    void problem(const std::string& text)
    {
        m_problems.push_back(text);
        line("  " + text + "\n");
    }
    void line(const std::string& text)
    {
        if (!m_json)
            m_out << text << std::flush;
    }

    const bool m_json;
    std::ostream& m_out;
    OrderedJson m_rows = OrderedJson::array();
    std::vector<std::string> m_problems;
    std::vector<std::string> m_unchecked;
    std::size_t m_untold = 0;
};

// What the options change in every run; exercises stay as they are.
Result<LessonOptions> changesOf(const LessonsOptions& options)
{
    LessonOptions changes;
    if (options.exercise == 0)
        changes.changes = options.settings;
    if (options.device.empty())
        return changes;
    const auto device = deviceProfileFrom(options.device);
    if (!device.ok())
        return device.failure();
    changes.device = device.value();
    return changes;
}

int checkAll(const LessonLibrary& library, const LessonEngine& engine, const LessonsOptions& options, CommandOutput to)
{
    const auto changes = changesOf(options);
    if (!changes.ok())
        return fail(changes.failure(), to, kExitUsage);
    std::vector<const Lesson*> wanted;
    for (const std::string& key : options.only) {
        const auto lesson = chosen(library, key);
        if (!lesson.ok())
            return fail(lesson.failure(), to, kExitUsage);
        wanted.push_back(lesson.value());
    }
    if (options.only.empty())
        for (const Lesson& lesson : library.lessons)
            wanted.push_back(&lesson);
    CheckReport report(options, to.out);
    if (options.only.empty())
        for (const LessonFault& fault : library.faults)
            report.fault(fault);
    {
        LongTask checking("Checking", options.drawing());
        LessonChecker checker(engine);
        const auto started = std::chrono::steady_clock::now();
        for (const Lesson* lesson : wanted) {
            const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - started;
            if (options.timeLimitS > 0 && passed.count() >= options.timeLimitS) {
                report.unchecked(*lesson);
                continue;
            }
            const auto checked = checker.check(*lesson, checking.progress(), changes.value());
            if (!checked.ok())
                return fail(checked.failure(), to);
            report.lesson(*lesson, checked.value());
        }
    }
    return report.end(to);
}

int listAll(const LessonLibrary& library, const LessonsOptions& options, CommandOutput to)
{
    to.out << (options.json ? toText(lessonListJson(library)) : lessonListText(library));
    if (library.faults.empty())
        return kExitOk;
    for (const LessonFault& fault : library.faults)
        to.err << fault.text() << "\n";
    return fail(fmt::format("{} of these files {} wrong.",
                            library.faults.size() == 1 ? "One" : std::to_string(library.faults.size()),
                            library.faults.size() == 1 ? "is" : "are"),
                to);
}

int tryExercise(const LessonRun& run, const LessonEngine& engine, const LessonsOptions& options, CommandOutput to)
{
    const auto& exercises = run.lesson().exercises;
    if (options.exercise > exercises.size())
        return fail(fmt::format("The lesson '{}' has {} exercises.", run.lesson().key, exercises.size()), to,
                    kExitUsage);
    const LessonExercise& exercise = exercises[options.exercise - 1];
    Scenario scenario = exercise.start;
    for (const std::string& text : options.settings) {
        const std::size_t equals = text.find('=');
        if (equals == std::string::npos)
            return fail(fmt::format("'--set {}' has no value; write --set key=value.", text), to, kExitUsage);
        if (const auto set = assignSetting(scenario, text.substr(0, equals), text.substr(equals + 1)); !set.ok())
            return fail(set.failure(), to, kExitUsage);
    }
    LongTask trying("Running", options.drawing());
    const ExerciseOutcome outcome = run.tryExercise(exercise, scenario, engine, trying.progress());
    to.out << (options.json ? toText(exerciseJson(exercise, outcome)) : exerciseText(exercise, outcome));
    return outcome.reached ? kExitOk : kExitFailed;
}

int showLesson(const Lesson& lesson, const LessonEngine& engine, const LessonsOptions& options, CommandOutput to)
{
    const auto changes = changesOf(options);
    if (!changes.ok())
        return fail(changes.failure(), to, kExitUsage);
    auto run = [&] {
        LongTask running("Running", options.drawing());
        return LessonRun::run(lesson, engine, running.progress(), changes.value());
    }();
    if (!run.ok())
        return fail(run.failure(), to);
    if (options.exercise > 0)
        return tryExercise(run.value(), engine, options, to);
    if (options.output.empty()) {
        to.out << (options.json ? toText(lessonJson(run.value())) : lessonText(run.value()));
        return kExitOk;
    }
    const std::string page = lessonPage(run.value(), OVERLANE_VERSION);
    if (const auto written = writeTextFile(options.output, page); !written.ok())
        return fail(written.failure(), to);
    to.out << fmt::format("{} written, {}\n", options.output, formatBytes(static_cast<std::int64_t>(page.size())));
    return kExitOk;
}

int lessons(const LessonsOptions& options, CommandOutput to)
{
    if (options.metrics) {
        to.out << metricsText();
        return kExitOk;
    }
    if (!options.folder.empty() && options.key != kCheck && options.key != kList)
        return fail(fmt::format("\"{}\" stands behind the lesson; a folder is given as --lessons DIR.", options.folder),
                    to, kExitUsage);
    const auto engine = engineOf(options);
    if (!engine.ok())
        return fail(engine.failure(), to, kExitUsage);
    if (options.key != kCheck && (!options.only.empty() || options.timeLimitS > 0))
        return fail("--only and --time-limit belong to 'overlane lessons check'.", to, kExitUsage);
    const auto library = libraryOf(options);
    if (!library.ok())
        return fail(library.failure(), to);
    if (options.key.empty() || options.key == kList)
        return listAll(library.value(), options, to);
    if (options.key == kCheck)
        return checkAll(library.value(), engine.value(), options, to);
    const auto lesson = chosen(library.value(), options.key);
    if (!lesson.ok())
        return fail(lesson.failure(), to, kExitUsage);
    return showLesson(*lesson.value(), engine.value(), options, to);
}

std::string lessonsHelp()
{
    return R"(Without KEY it lists the lessons in the order of teaching. With one it runs the lesson's scenarios and
prints the lesson with its figures: the questions and their answers, the runs side by side, the rule,
what the simulation leaves out, and which common claims held. 'check' runs all, a line per lesson, and
fails on anything that they state and that does not hold; lessons of your own are checked the same way.
A file that is no lesson is named with its line, and the others are still listed and checked.

Examples:
  overlane lessons
  overlane lessons two_copies
  overlane lessons two_copies --export two_copies.html
  overlane lessons side_stream --engine gpu
  overlane lessons side_stream --exercise 1 --set device_buffers=3
  overlane lessons list our_lessons/
  overlane lessons check our_lessons/
  overlane lessons check --engine gpu --only two_copies --only why_pinned
  overlane lessons check --device rtx4090_desktop

)" + std::string(kExitCodesHelp);
}

CommandAction declareLessons(OptionList& list)
{
    auto options = std::make_shared<LessonsOptions>();
    list.add("KEY", options->key, "The lesson to run, 'check', or 'list', which is also what happens without it");
    list.add("DIR", options->folder, "With 'check' or 'list': a folder of lessons in place of the program's own");
    list.add("--lessons", options->lessons, "A folder of lessons in place of the program's own").type("DIR");
    list.add("--engine", options->engine, "simulated, or gpu: this machine's own").type("NAME").showDefault();
    list.add("--device", options->device,
             "Device profile that simulates and that figures of the device come from, in place of the lesson's; "
             "'check' leaves theirs to lessons about a machine of their own")
        .type("NAME");
    list.add("--set", options->settings, "Change a setting of every run, or of the exercise: key=value")
        .one()
        .type("KEY=VALUE");
    list.add("--exercise", options->exercise, "Try an exercise with the settings of --set").positive().type("N");
    list.add("--export", options->output, "Write the lesson as one HTML page to hand out").type("FILE");
    list.add("--only", options->only, "With 'check': this lesson; may be repeated").one().type("KEY");
    list.add("--time-limit", options->timeLimitS, "With 'check': begin no lesson after as many seconds")
        .notNegative()
        .type("SECONDS");
    list.flag("--metrics", options->metrics, "List the figures that lessons may use");
    list.flag("--json", options->json, "Print JSON with stable keys instead of text");
    return [options](CommandOutput to) { return lessons(*options, to); };
}

}  // namespace

constinit const Command lessonsCommand = {"lessons", "Teach one idea at a time: predict, run both ways, see the rule.",
                                          lessonsHelp, declareLessons};

}  // namespace overlane
