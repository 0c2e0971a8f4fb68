#include "app/timeline/selection.h"

namespace overlane
{

Selection::Selection(QObject* parent) : QObject(parent) {}

void Selection::setEvent(EventIndex event)
{
    if (event == m_event && !m_gap)
        return;
    m_event = event;
    m_gap.reset();
    emit eventChanged(m_event);
}

void Selection::setGap(const IdleGapAt& gap)
{
    if (gap == m_gap)
        return;
    m_event = {};
    m_gap = gap;
    emit eventChanged(m_event);
}

void Selection::setRange(std::optional<Interval> range)
{
    if (range && range->empty())
        range.reset();
    if (range == m_range)
        return;
    m_range = range;
    emit rangeChanged(m_range);
}

void Selection::clear()
{
    setEvent({});
    setRange(std::nullopt);
}

}  // namespace overlane
