// Cards of a lesson that only show: the situation, what the runs show, the rule, claims, what is left out.
//
// Each function makes a widget that owns copies of what it shows. GUI thread.
#pragma once

#include <QFrame>

#include "core/lessons/lesson_run.h"

class QVBoxLayout;

namespace overlane
{

// An empty card with its column.
QFrame* lessonCard(const QString& name, QWidget* parent, QVBoxLayout*& column);
// Their style, for a widget above all cards whose text is `scale` times as large.
QString lessonCardStyle(double scale);

QFrame* situationCard(const Lesson& lesson, QWidget* parent);
QFrame* seenCard(const LessonRun& run, QWidget* parent);
QFrame* ruleCard(const Lesson& lesson, QWidget* parent);
QFrame* claimsCard(const LessonRun& run, QWidget* parent);
QFrame* leftOutCard(const Lesson& lesson, bool measured, QWidget* parent);

}  // namespace overlane
