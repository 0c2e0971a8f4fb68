// LessonList: all lessons with their minutes, what they teach and how far one got; a team's own folder below.
//
// Lives on the GUI thread. A lesson is opened with a click or Enter. Reads own lessons again when asked, so
// that an author sees a change; what is wrong in one is said with its file and line.
#pragma once

#include <vector>

#include <QWidget>

#include "app/lessons/lesson_shelf.h"

class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace overlane
{

class LessonProgress;
class ProseLabel;

class LessonList : public QWidget
{
    Q_OBJECT

public:
    // The progress must outlive the list.
    explicit LessonList(LessonProgress* progress, QWidget* parent = nullptr);

    // The lessons of the program, or one of the own folder where there is none of that key there.
    ShelvedLesson find(const QString& key) const;
    // The one before or after it on its shelf; none at the ends.
    ShelvedLesson neighbor(const ShelvedLesson& lesson, int step) const;
    void openFolder(const QString& folder);
    void closeFolder();
    // Reads the folder again.
    void reload();
    const std::vector<LessonShelf>& shelves() const { return m_shelves; }
    QListWidget* list() const { return m_list; }
    QString errorText() const;
    // What is said of how far one got: "\u2713 2 of 3 right \u00b7 exercises 1 of 2".
    static QString standing(const LessonProgress& progress, const LessonShelf& shelf, const Lesson& lesson);

signals:
    void chosen(const overlane::ShelvedLesson& lesson);
    void folderRequested();

private:
    void fill();
    void choose(const QListWidgetItem* item);

    LessonProgress* m_progress;
    std::vector<LessonShelf> m_shelves;
    QListWidget* m_list;
    ProseLabel* m_error;
    QPushButton* m_reload;
    QPushButton* m_closeFolder;
};

}  // namespace overlane
