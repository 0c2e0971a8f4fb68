// MetricsTable: the compared figures of every run of a lesson, each row explained where it is pointed at.
//
// Lives on the GUI thread; owns copies of what it shows. Grows with ProseLabel::scaleAll().
#pragma once

#include <QWidget>

#include "core/lessons/lesson_run.h"

namespace overlane
{

class MetricsTable : public QWidget
{
public:
    explicit MetricsTable(const LessonRun& run, QWidget* parent = nullptr);
};

}  // namespace overlane
