// LessonShelf: lessons that belong together: those that come with the program, or a team's own folder.
//
// A value on the GUI thread; the lessons are shared and immutable, so that a run may keep them while the
// folder is read again.
#pragma once

#include <memory>
#include <vector>

#include <QString>

#include "core/lessons/lesson.h"

namespace overlane
{

struct LessonShelf {
    QString title;
    QString folder;                                      // empty: those of the program
    std::shared_ptr<const std::vector<Lesson>> lessons;  // never null
    std::vector<LessonFault> faults;                     // of files that could not be read, and of others
    QString error;                                       // why there are none at all; empty otherwise

    // Under which the progress of a lesson is kept: lessons of a folder never meet those of another.
    QString id(const Lesson& lesson) const;
};

LessonShelf builtInLessons();
// Reads the folder anew.
LessonShelf lessonsOfFolder(const QString& folder);

// A lesson and the shelf it stands on.
struct ShelvedLesson {
    LessonShelf shelf;
    const Lesson* lesson = nullptr;  // null: none

    QString id() const { return lesson != nullptr ? shelf.id(*lesson) : QString(); }
    std::shared_ptr<const Lesson> shared() const { return {shelf.lessons, lesson}; }
};

}  // namespace overlane
