#include <fmt/format.h>
#include <memory>

#include "core/base/units.h"
#include "core/cli/cli.h"
#include "core/cli/command.h"
#include "core/cli/info_text.h"
#include "core/cli/lesson_text.h"
#include "core/cli/long_task.h"
#include "core/cli/nearest_name.h"
#include "core/cli/text_file.h"
#include "core/engine/user_profiles.h"
#include "core/lessons/lesson_check.h"
#include "core/lessons/lesson_page.h"
#include "core/loader/settings.h"

namespace overlane
{
namespace
{

constexpr std::string_view kCheck = "check";

struct LessonsOptions {
    std::string key;
    std::string folder;  // of check
    std::string lessons;
    std::string engine = "simulated";
    std::string device;
    std::vector<std::string> settings;
    std::string output;
    std::size_t exercise = 0;
    bool metrics = false;
    bool json = false;

    LongTask::Drawing drawing() const { return json ? LongTask::Drawing::Never : LongTask::Drawing::OnTerminal; }
};

Result<std::vector<Lesson>> lessonsOf(const LessonsOptions& options)
{
    const std::string& folder = options.folder.empty() ? options.lessons : options.folder;
    return folder.empty() ? allLessons() : readLessons(folder);
}

Result<LessonEngine> engineOf(const LessonsOptions& options)
{
    if (options.engine == "simulated")
        return simulatedLessonEngine();
    if (options.engine == "gpu")
        return gpuLessonEngine();
    return Error{fmt::format("There is no engine \"{}\": write simulated or gpu.", options.engine)};
}

Result<const Lesson*> chosen(const std::vector<Lesson>& lessons, const std::string& key)
{
    if (const Lesson* lesson = findLesson(lessons, key))
        return lesson;
    std::vector<std::string_view> keys;
    keys.reserve(lessons.size());
    for (const Lesson& lesson : lessons)
        keys.push_back(lesson.key);
    return Error{unknownName("lesson", key, keys)};
}

int checkAll(const std::vector<Lesson>& lessons, const LessonEngine& engine, const LessonsOptions& options,
             CommandOutput to)
{
    std::vector<std::string> problems;
    {
        LongTask checking("Checking", options.drawing());
        for (const Lesson& lesson : lessons) {
            const auto run = LessonRun::run(lesson, engine, checking.progress());
            if (!run.ok() && run.error() == Progress::kCancelled)
                return fail(run.error(), to);
            if (!run.ok())
                problems.push_back(lesson.file + ": " + run.error());
            else
                for (std::string& problem : checkLesson(run.value(), engine, checking.progress()))
                    problems.push_back(std::move(problem));
        }
    }
    if (options.json)
        to.out << toText({{"lessons", lessons.size()}, {"problems", problems}});
    else
        for (const std::string& problem : problems)
            to.out << problem << "\n";
    if (!problems.empty())
        return fail(fmt::format("{} of what the lessons state {} not hold.", problems.size(),
                                problems.size() == 1 ? "does" : "do"),
                    to);
    if (!options.json)
        to.out << fmt::format("{} lessons: all that they state holds.\n", lessons.size());
    return kExitOk;
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
            return fail(set.error(), to, kExitUsage);
    }
    LongTask trying("Running", options.drawing());
    const ExerciseOutcome outcome = run.tryExercise(exercise, scenario, engine, trying.progress());
    to.out << (options.json ? toText(exerciseJson(exercise, outcome)) : exerciseText(exercise, outcome));
    return outcome.reached ? kExitOk : kExitFailed;
}

int showLesson(const Lesson& lesson, const LessonEngine& engine, const LessonsOptions& options, CommandOutput to)
{
    LessonOptions lessonOptions;
    if (options.exercise == 0)
        lessonOptions.changes = options.settings;
    if (!options.device.empty()) {
        const auto device = deviceProfileFrom(options.device);
        if (!device.ok())
            return fail(device.error(), to, kExitUsage);
        lessonOptions.device = device.value();
    }
    auto run = [&] {
        LongTask running("Running", options.drawing());
        return LessonRun::run(lesson, engine, running.progress(), lessonOptions);
    }();
    if (!run.ok())
        return fail(run.error(), to);
    if (options.exercise > 0)
        return tryExercise(run.value(), engine, options, to);
    if (options.output.empty()) {
        to.out << (options.json ? toText(lessonJson(run.value())) : lessonText(run.value()));
        return kExitOk;
    }
    const std::string page = lessonPage(run.value(), OVERLANE_VERSION);
    if (const auto written = writeTextFile(options.output, page); !written.ok())
        return fail(written.error(), to);
    to.out << fmt::format("{} written, {}\n", options.output, formatBytes(static_cast<std::int64_t>(page.size())));
    return kExitOk;
}

int lessons(const LessonsOptions& options, CommandOutput to)
{
    if (options.metrics) {
        to.out << metricsText();
        return kExitOk;
    }
    if (!options.folder.empty() && options.key != kCheck)
        return fail(fmt::format("\"{}\" stands behind the lesson; a folder is given as --lessons DIR.", options.folder),
                    to, kExitUsage);
    const auto engine = engineOf(options);
    if (!engine.ok())
        return fail(engine.error(), to, kExitUsage);
    const auto all = lessonsOf(options);
    if (!all.ok())
        return fail(all.error(), to);
    if (options.key.empty()) {
        to.out << (options.json ? toText(lessonListJson(all.value())) : lessonListText(all.value()));
        return kExitOk;
    }
    if (options.key == kCheck)
        return checkAll(all.value(), engine.value(), options, to);
    const auto lesson = chosen(all.value(), options.key);
    if (!lesson.ok())
        return fail(lesson.error(), to, kExitUsage);
    return showLesson(*lesson.value(), engine.value(), options, to);
}

class LessonsCommand : public Command
{
public:
    std::string_view name() const override { return "lessons"; }
    std::string_view description() const override
    {
        return "Teach one idea at a time: predict, run both ways, see the rule.";
    }
    std::string help() const override
    {
        return R"(
Without KEY it lists the lessons in the order of teaching. With one it runs the lesson's scenarios and
prints the lesson with its figures: the questions and their answers, the runs side by side, the rule,
what the simulation leaves out, and which common claims held. 'check' runs all and fails on anything
that they state and that does not hold; lessons of your own are checked the same way.

Examples:
  overlane lessons
  overlane lessons two_copies
  overlane lessons two_copies --export two_copies.html
  overlane lessons side_stream --engine gpu
  overlane lessons side_stream --exercise 1 --set device_buffers=3
  overlane lessons check our_lessons/

)" + std::string(kExitCodesHelp);
    }

    CommandAction declare(CLI::App& app) const override
    {
        auto options = std::make_shared<LessonsOptions>();
        app.add_option("KEY", options->key, "The lesson to run, or 'check'; all are listed where left out");
        app.add_option("DIR", options->folder, "With 'check': a folder of lessons in place of the program's own");
        app.add_option("--lessons", options->lessons, "A folder of lessons in place of the program's own")
            ->type_name("DIR");
        app.add_option("--engine", options->engine, "simulated, or gpu: this machine's own")
            ->type_name("NAME")
            ->capture_default_str();
        app.add_option("--device", options->device, "Device profile to simulate, in place of the lesson's")
            ->type_name("NAME");
        app.add_option("--set", options->settings, "Change a setting of every run, or of the exercise: key=value")
            ->allow_extra_args(false)
            ->type_name("KEY=VALUE");
        app.add_option("--exercise", options->exercise, "Try an exercise with the settings of --set")
            ->check(CLI::PositiveNumber)
            ->type_name("N");
        app.add_option("--export", options->output, "Write the lesson as one HTML page to hand out")->type_name("FILE");
        app.add_flag("--metrics", options->metrics, "List the figures that lessons may speak of");
        app.add_flag("--json", options->json, "Print JSON with stable keys instead of text");
        return [options](CommandOutput to) { return lessons(*options, to); };
    }
};

}  // namespace

const Command& lessonsCommand()
{
    static const LessonsCommand command;
    return command;
}

}  // namespace overlane
