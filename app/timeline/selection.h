// Selection: the one owner of what is selected: an event or a gap between kernels, and a range of time.
//
// Lives on the GUI thread. Event indices and gaps belong to the trace that is shown; clear() when it
// changes.
#pragma once

#include <optional>

#include <QObject>

#include "app/timeline/idle_lane.h"
#include "core/base/interval.h"
#include "core/base/strong_id.h"

namespace overlane
{

class Selection : public QObject
{
    Q_OBJECT

public:
    explicit Selection(QObject* parent = nullptr);

    EventIndex event() const { return m_event; }  // none where nothing is selected
    const std::optional<Interval>& range() const { return m_range; }

    // While no event is selected.
    const std::optional<IdleGapAt>& gap() const { return m_gap; }

    void setEvent(EventIndex event);
    // Takes the selected event's place.
    void setGap(const IdleGapAt& gap);
    // An empty interval counts as none.
    void setRange(std::optional<Interval> range);
    void clear();

signals:
    // Another event or gap.
    void eventChanged(overlane::EventIndex event);
    void rangeChanged(std::optional<overlane::Interval> range);

private:
    EventIndex m_event;
    std::optional<IdleGapAt> m_gap;
    std::optional<Interval> m_range;
};

}  // namespace overlane
