// LaneStack: the lanes of a trace that scroll, and below them those that are kept in sight.
//
// Lives on the GUI thread. Which lanes are kept is what a person chose (TrackArrangement); without a choice, the
// engines of GPUs while all lanes are higher than the room: what the window is about stays in sight.
#pragma once

#include <memory>

#include <QWidget>

#include "app/timeline/lane_canvas.h"

namespace overlane
{

class LaneStack : public QWidget
{
    Q_OBJECT

public:
    LaneStack(ViewRange* view, Selection* selection, QWidget* parent = nullptr);

    LaneCanvas* lanes() const { return m_lanes; }
    // Hidden where nothing is kept.
    LaneCanvas* pinned() const { return m_pinned; }
    // The one that shows an event; lanes() where neither does.
    LaneCanvas* showing(EventIndex event) const;

    void setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const TracePyramids> pyramids);
    void setEnginesKept(bool kept);
    bool enginesKept() const { return m_enginesKept; }
    // Beside other traces the room is for those.
    void setAlone(bool alone);
    // Shares the room anew, by what changed.
    void place();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    LaneCanvas* m_lanes;
    LaneCanvas* m_pinned;
    bool m_enginesKept = true;
    bool m_alone = true;
};

}  // namespace overlane
