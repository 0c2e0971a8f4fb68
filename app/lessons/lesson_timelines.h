// LessonTimelines: two runs of a lesson, one above the other on one time axis, with the difference between
// them in a sentence and as brackets; or an exercise's start above the learner's run.
//
// Lives on the GUI thread; shares the runs, and has a visible range and a selection of its own.
#pragma once

#include <QWidget>

#include "app/lessons/lesson_difference.h"
#include "app/timeline/selection.h"
#include "app/timeline/view_range.h"

class QComboBox;
class QStackedWidget;

namespace overlane
{

class DifferenceStrip;
class Magnified;
class ProseLabel;
class TimelineView;
struct ExerciseTrial;

class LessonTimelines : public QWidget
{
    Q_OBJECT

public:
    explicit LessonTimelines(QWidget* parent = nullptr);
    ~LessonTimelines() override;

    // The first two runs; null takes everything away and says `why`.
    void setRun(std::shared_ptr<const LessonRun> run, const QString& why);
    // In place of the lesson's runs, until showLesson().
    void showTrial(const ExerciseTrial& trial);
    void showLesson();
    // Which runs are shown, by their places.
    void choose(std::size_t upper, std::size_t lower);
    // Letters, strip and lanes for a room; lanes as large as leaves them all in sight.
    void setScale(double scale);

    TimelineView* timeline() const { return m_timeline; }
    double lanesFactor() const;
    DifferenceStrip* strip() const { return m_strip; }
    QString sentence() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeHead();
    void fillPickers();
    void showPair();
    void showDetails(const QStringList& details);
    void magnify();

    std::shared_ptr<const LessonRun> m_run;
    std::size_t m_upper = 0;
    std::size_t m_lower = 1;
    ViewRange m_view;
    Selection m_selection;
    QWidget* m_head;
    ProseLabel* m_sentence;
    ProseLabel* m_detail;
    QWidget* m_pickers;
    QComboBox* m_upperPicker;
    QComboBox* m_lowerPicker;
    DifferenceStrip* m_strip;
    TimelineView* m_timeline;
    Magnified* m_magnified;  // owns the timeline
    ProseLabel* m_empty;
    QStackedWidget* m_stack;
    QWidget* m_shown;  // with runs
    QStringList m_details;
    double m_scale = 1;
};

}  // namespace overlane
