// Selection: the one owner of what is selected: an event, a range of time, both or neither.
//
// Lives on the GUI thread. Event indices belong to the trace that is shown; clear() when it changes.
#pragma once

#include <optional>

#include <QObject>

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

    void setEvent(EventIndex event);
    // An empty interval counts as none.
    void setRange(std::optional<Interval> range);
    void clear();

signals:
    void eventChanged(overlane::EventIndex event);
    void rangeChanged(std::optional<overlane::Interval> range);

private:
    EventIndex m_event;
    std::optional<Interval> m_range;
};

}  // namespace overlane
