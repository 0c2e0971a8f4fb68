// Lesson: one idea about copies and compute, taught by runs: a situation, a prediction, two or more
// scenarios, what they show, the rule, its limits, common claims judged by the runs, and exercises.
//
// Plain data, read from a Markdown file by parseLesson(); resources/help/lesson-files.md and lesson-blocks.md
// document the format. Every figure about a run is an expression over the runs' metrics (core/runs/run_metrics.h),
// so that a lesson says the truth on any device and engine. Immutable; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/devices/device_profile.h"
#include "core/lessons/prose.h"
#include "core/loader/scenario.h"
#include "core/runs/expression.h"

namespace overlane
{

// Where a rule or a claim comes from.
struct LessonSource {
    std::string text;  // "PyTorch tutorial on pin_memory and non_blocking"
    std::string url;   // empty where there is none

    std::string markdown() const;  // a link, or the text alone
};

struct LessonScenario {
    std::string name;                  // "A", "B", ...: as expressions and prose call it
    std::string label;                 // "pageable, blocking"
    std::string device;                // key of the device profile that simulates it
    std::string preset;                // it starts from; empty: the defaults
    std::vector<std::string> changes;  // "pin=thread", on top of the preset; as `overlane run --set` takes them
    Scenario scenario;                 // all of it applied

    // "overlane run --preset pinned_blocking --set batches=64"
    std::string commandLine() const;
};

struct LessonChoice {
    std::string text;
    Expression right;  // true where the runs make this the right answer
};

// Asked before anything runs. A number where there are no choices.
struct LessonPrediction {
    std::string question;
    std::vector<LessonChoice> choices;
    std::optional<Expression> answer;
    double tolerance = 0.25;  // of the answer, that still counts as right
    Prose explanation;        // shown behind the answer; may be empty
};

// A statement of the prose that the program checks; true on every device it is taught on.
struct LessonExpectation {
    Expression holds;
    int line = 0;  // of the file
};

struct LessonRule {
    std::string text;  // two sentences
    LessonSource source;
};

// What people say, in our own words, and whether it held in these runs.
struct LessonClaim {
    std::string says;
    LessonSource source;
    Expression holds;
    Prose figures;  // what decides it
    Prose ifHeld;   // shown where it held; may be empty
    Prose ifNot;    // shown where it did not; may be empty
};

// What a machine must have for measured runs to show the lesson. Where it does not, nothing is said of them.
struct LessonNeed {
    Expression holds;
    std::string otherwise;  // a sentence or two for the reader
};

// The learner changes `knobs` of a scenario until the goal holds.
struct LessonExercise {
    std::string task;
    std::string from;                       // name of the scenario it starts from
    std::vector<std::string> startChanges;  // on top of it
    std::string device;
    Scenario start;
    std::vector<std::string> knobs;     // keys of the settings that may be changed
    Expression goal;                    // over the learner's run; "start.step" is the figure at the start
    std::string hint;                   // may be empty
    std::vector<std::string> solution;  // changes that reach it: for tests, hidden from learners
};

struct Lesson {
    std::string key;  // "two_copies"; stable, also the file's name
    std::string title;
    std::string summary;  // one sentence: what one knows afterwards
    std::string subject;  // "The data loader"; lists keep those of one subject together. Empty: none
    int minutes = 0;
    std::string file;  // as errors name it

    Prose situation;                        // before the prediction; no figure of a run
    std::vector<LessonScenario> scenarios;  // the first two are shown side by side
    std::vector<LessonPrediction> predictions;
    std::vector<std::string> compared;  // keys of metrics, in the order of the table
    Prose seen;                         // what the runs show
    std::vector<LessonExpectation> expectations;
    LessonRule rule;
    std::vector<std::string> leftOut;  // what the simulation does not show
    std::vector<LessonClaim> claims;
    std::vector<LessonExercise> exercises;
    std::optional<LessonNeed> gpuNeeds;
    std::vector<std::string> next;  // keys of lessons

    const LessonScenario* find(std::string_view name) const;  // nullptr where there is none
};

// The Error reads "FILE:LINE: what is wrong; what is expected."
// A page, and far more than anybody reads; marks that never close cost time that grows with the square.
constexpr std::int64_t kLongestLessonBytes = 128 << 10;
Result<Lesson> parseLesson(std::string_view markdown, const std::string& file);

// The lessons that travel with the program, by subject and in the order of teaching; parsed once.
const Result<std::vector<Lesson>>& allLessons();

// What is wrong with a file of lessons.
struct LessonFault {
    std::string file;
    int line = 0;         // 0: the file as a whole
    std::string message;  // a sentence

    std::string text() const;  // "FILE:LINE: message"
};

// A folder of lessons: the good ones, and what is wrong with the others. A fault may also stand beside a lesson
// that is there, which then does without (a 'next' that leads nowhere), and of order.txt.
struct LessonLibrary {
    std::vector<Lesson> lessons;
    std::vector<LessonFault> faults;
};
// Every *.md of a folder: those that its order.txt names, in that order, then the others by their names, each behind
// the ones of its subject that came before. The Error: it cannot be read, or holds no file of a lesson.
Result<LessonLibrary> readLessonLibrary(const std::string& folder);

// Whether the lesson at `place` is the first of its subject in a list, so that a heading belongs above it.
bool beginsSubject(std::span<const Lesson> lessons, std::size_t place);
// What that heading says.
std::string_view subjectHeading(const Lesson& lesson);

const Lesson* findLesson(std::span<const Lesson> lessons, std::string_view key);  // nullptr where there is none

}  // namespace overlane
