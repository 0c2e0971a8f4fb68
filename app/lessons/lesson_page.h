// LessonPage: the lessons in the place of the timeline: the list, or one lesson with its text beside the
// runs; and the lesson before a room, a slide at a time in large type.
//
// Lives on the GUI thread; owns the session. Nothing here touches the document or its laboratory; what
// should is asked for with signals.
#pragma once

#include <QWidget>

#include "app/lessons/lesson_session.h"
#include "app/session/laboratory.h"

class QComboBox;
class QLabel;
class QPushButton;
class QShortcut;
class QSplitter;
class QStackedWidget;

namespace overlane
{

class LessonList;
class LessonProgress;
class LessonReader;
class LessonTimelines;
class MessageBar;

// What lessons can run on, beside the simulation of the device that each one names.
struct LessonGpu {
    QString name;  // empty: there is none
    LessonEngine engine;
};

class LessonPage : public QWidget
{
    Q_OBJECT

public:
    // The progress must outlive the page.
    explicit LessonPage(LessonProgress* progress, QWidget* parent = nullptr);
    ~LessonPage() override;

    // False where there is no such lesson; the list is shown then.
    bool openLesson(const QString& key);
    void openLesson(const ShelvedLesson& lesson);
    void showList();
    bool listShown() const;
    // Above the lesson, until it is closed.
    void showError(const QString& sentence);
    QString errorText() const;

    void setGpu(const LessonGpu& gpu);
    // By hand as by the box above the lesson.
    void runOnGpu(bool gpu);

    bool presenting() const { return m_presenting; }
    void setPresenting(bool presenting);
    // Through the slides; forward from the last question runs the lesson, from the last slide leads to the
    // next lesson.
    void next();
    void back();

    LessonSession* session() { return &m_session; }
    LessonList* list() const { return m_list; }
    LessonReader* reader() const { return m_reader; }
    LessonTimelines* timelines() const { return m_timelines; }

signals:
    void closeRequested();
    void presentingChanged(bool presenting);
    void folderRequested();
    void handoutRequested(bool pdf);
    void laboratoryRequested(const overlane::Laboratory::State& state, const QString& title);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeHead();
    void makeFoot();
    void makeKeys();
    void showResult();
    void showSlide();
    void arrange();
    void resizeType();
    void refreshHead();
    double scale() const;
    QString emptyText() const;

    LessonProgress* m_progress;
    LessonSession m_session;
    LessonGpu m_gpu;
    bool m_presenting = false;
    double m_scale = 0;      // as everything is sized
    int m_arrangement = -1;  // as the splitter was set last
    int m_readerPx = 0;      // as a hand moved it; 0: as fits
    MessageBar* m_message;
    QWidget* m_head;
    QLabel* m_title;
    QPushButton* m_back;
    QPushButton* m_present;
    QPushButton* m_handout;
    QPushButton* m_startOver;
    QComboBox* m_engine;
    QStackedWidget* m_stack;
    LessonList* m_list;
    QSplitter* m_body;
    LessonReader* m_reader;
    LessonTimelines* m_timelines;
    QWidget* m_foot;
    QPushButton* m_previousLesson;
    QPushButton* m_nextLesson;
    QLabel* m_place;
    std::vector<QShortcut*> m_keys;  // while presenting
};

}  // namespace overlane
