// LessonDifference: two runs of a lesson beside each other: what is set differently, how they differ in a
// sentence, and which stretch of time shows it.
//
// Pure functions of runs, any thread. Nanoseconds.
#pragma once

#include <vector>

#include <QString>

#include "core/base/interval.h"
#include "core/compare/speed.h"
#include "core/lessons/lesson_run.h"

namespace overlane
{

struct LessonDifference {
    QString settings;  // "non_blocking: off \u2192 on"; empty where none differs
    Speed speed;       // as lessonSpeed()
    QString sentence;  // "B is 2.4 x faster than A: 5.9 ms a step instead of 14.3 ms"
    QString detail;    // of the first metric that the lesson compares besides the time
    // One step of each where both have steps, else the whole runs; each in its own time.
    Interval a;
    Interval b;
    bool steps = false;
    // b = a where this is added to the times of A.
    std::int64_t offsetNs = 0;
    Interval shown;  // of A's time, what to look at first
};

// `a` and `b` are places of the lesson's scenarios.
LessonDifference lessonDifference(const LessonRun& run, std::size_t a, std::size_t b);

// How fast the second of two runs is, by the step of the lesson's figures where both have steps.
Speed lessonSpeed(const JudgedRun& a, const JudgedRun& b);

// The settings in which two scenarios differ, as people read them.
QString changedSettingsText(const Scenario& from, const Scenario& to);

// Figures of a lesson that no run needs: of the device profile and the settings.
FigureSource plannedFigures(const Lesson& lesson);

}  // namespace overlane
