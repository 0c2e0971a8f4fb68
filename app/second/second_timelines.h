// SecondTimelines: what is drawn beside the shown trace: the baseline above; below its prediction with changes, or the
// file that it is compared with.
//
// Lives on the GUI thread; owns the sources of both and their tabs, and tells the timeline. A prediction
// takes the place of the file while a change is switched on.
#pragma once

#include <optional>

#include <QObject>
#include <QString>
#include <QTabWidget>

#include "app/second/compare_source.h"
#include "app/second/compare_tables.h"
#include "app/second/what_if_source.h"
#include "app/session/background_worker.h"
#include "app/timeline/second_lanes.h"

namespace overlane
{

class ComparePanel;
class Document;
class TimelineView;
class WhatIfPanel;

class SecondTimelines : public QObject
{
    Q_OBJECT

public:
    SecondTimelines(Document* document, TimelineView* timeline, QTabWidget* tabs, QObject* parent = nullptr);
    ~SecondTimelines() override;

    WhatIfSource* whatIf() { return &m_whatIf; }
    WhatIfPanel* whatIfPanel() const { return m_whatIfPanel; }
    // Opens the tab of changes.
    void openWhatIf();
    // Switches the change on that removes what the rule found; false where none here does.
    bool tryChangeFor(RuleId rule);
    // Switches one change on, with its value.
    void tryChange(const Change& change);
    // Switches changes on by their names as on the command line, now or once a trace is there.
    Result<void> choose(const std::vector<std::string>& changes);

    CompareSource* comparison() { return &m_compare; }
    ComparePanel* comparePanel() const { return m_comparePanel; }
    // Reads B, or takes it, and shows it below. Where hardly any of it lies beside what is visible, goes to the aligned
    // step.
    void compareWith(const QString& path);
    void compareWith(const Document::Other& other);
    // Opens the tab of the comparison.
    void openComparison();
    void closeComparison();
    // The first kernel or copy of a row of the comparison's tables, in both timelines, one above the other.
    void showWork(WorkKind kind, int row);

    // Selects the event of the other timeline whose event was selected last.
    void revealOther(EventIndex event);

    // Writes the predicted timeline.
    void savePrediction(const QString& path);

    bool busy() const;

signals:
    void helpRequested(const QString& page, const QString& section);
    void saveRequested();
    void compareRequested();  // with a file yet to be chosen
    void swapRequested();
    void saved(const QString& path);
    void failed(const QString& sentence);
    // An event of another timeline was chosen, or none; the trace is without analysis then.
    void otherSelected(const overlane::AnalyzedTrace& other, overlane::EventIndex event, const QString& title);

private:
    void showOther(SecondLanes* lanes, EventIndex event);
    void show();
    SecondTrace predictedSecond() const;
    SecondTrace comparedSecond() const;
    void showCompareTab();
    void lookAtCompared();
    void meetCompared(MeetAt at, int step);
    void meetPredicted(MeetAt at, int step);
    void dropChanges();
    // Where the other trace of the comparison is; nullptr where a prediction takes its place.
    SecondLanes* comparedLanes() const;
    void applyWaiting();

    Document* m_document;
    TimelineView* m_timeline;
    QTabWidget* m_tabs;
    WhatIfSource m_whatIf;
    WhatIfPanel* m_whatIfPanel;
    std::vector<std::string> m_waiting;  // changes asked for before there was a trace
    MeetAt m_meetAt = MeetAt::Step;      // of the prediction
    std::optional<int> m_step;           // none: the first judged one in sight
    CompareSource m_compare;
    ComparePanel* m_comparePanel;
    bool m_lookWaits = false;             // a comparison was asked for that has not been in sight yet
    SecondLanes* m_selectedIn = nullptr;  // where an event was selected last
    std::optional<MeetAt> m_comparedAt;   // as a person chose; none: starts of a baseline, steps of a file
    std::int64_t m_eventOffsetNs = 0;     // for MeetAt::Event
    AnalyzedTrace m_analyzedPrediction;   // for the details of its events
    BackgroundWorker m_analyzer;
    BackgroundWorker m_saver;
};

}  // namespace overlane
