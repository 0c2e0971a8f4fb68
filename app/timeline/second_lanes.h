// SecondLanes: a second trace above or below the first, its zoom locked to the first one's, with a title and
// what moves the two against each other.
//
// Lives on the GUI thread; shares the trace. Owns a range and a selection of events of its own, in the
// second trace's time, and keeps visible and selected range beside those of the first:
// time of the second = time of the first + offsetNs(). Nanoseconds.
#pragma once

#include <cstdint>
#include <memory>

#include <QWidget>

#include "app/timeline/selection.h"
#include "app/timeline/view_range.h"
#include "core/lod/trace_pyramids.h"
#include "core/trace/trace.h"

class QComboBox;
class QSpinBox;
class QToolButton;

namespace overlane
{

class LaneCanvas;
class TitleLabel;

// Where the two traces meet.
enum class MeetAt : std::uint8_t { Start, FirstKernel, Step, Event };

struct SecondTrace {
    std::shared_ptr<const Trace> trace;
    std::shared_ptr<const TracePyramids> pyramids;  // of it; made where there are none
    QString badge;                                  // "B", "predicted"
    QString title;
    QString rest;          // what is said of it behind the title
    QString firstBadge;    // of the first trace: "A", "measured"
    QString firstRest;     // what is said of it behind its length
    bool notReal = false;  // drawn, not measured: the badge stands out

    MeetAt meetAt = MeetAt::Start;
    int step = 0;       // for MeetAt::Step: its place in the first trace
    int stepCount = 0;  // steps to choose from; 0: no steps
    bool hasKernels = false;
    std::int64_t offsetNs = 0;
    bool canSwap = false;
};

class SecondLanes : public QWidget
{
    Q_OBJECT

public:
    // Neither owner is taken over; both must outlive the lanes.
    SecondLanes(ViewRange* first, Selection* firstSelection, QWidget* parent = nullptr);
    ~SecondLanes() override;

    // A trace that takes the place of another keeps nudges only where the alignment stays the same.
    void setSecond(const SecondTrace& second);
    const SecondTrace& second() const { return m_second; }
    bool shown() const { return m_second.trace != nullptr; }

    std::int64_t offsetNs() const { return m_second.offsetNs + m_nudgeNs; }
    // Moves the second trace by part of what is visible; to the right where `share` is above 0.
    void nudge(double share);
    // The second trace's span in the first one's time.
    Interval spanInFirst() const;
    // Selects the event, expands its parents and scrolls to its row; moves no range.
    void reveal(EventIndex event);

    LaneCanvas* lanes() const { return m_lanes; }
    Selection* selection() { return &m_selection; }
    ViewRange* view() { return &m_view; }

signals:
    void meetRequested(overlane::MeetAt at, int step);
    void swapRequested();
    void closeRequested();
    void offsetChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeHead();
    void showHead();
    void followRange();
    void followSelectedRange();
    void lead(Interval range);
    void askToMeet();

    ViewRange* m_first;
    Selection* m_firstSelection;
    ViewRange m_view;
    Selection m_selection;
    SecondTrace m_second;
    std::int64_t m_nudgeNs = 0;
    bool m_following = false;

    QWidget* m_head;
    TitleLabel* m_title;
    QComboBox* m_meetAt;
    QSpinBox* m_step;
    QToolButton* m_left;
    QToolButton* m_right;
    QToolButton* m_swap;
    QToolButton* m_close;
    LaneCanvas* m_lanes;
};

}  // namespace overlane
