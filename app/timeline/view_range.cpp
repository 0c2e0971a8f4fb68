#include "app/timeline/view_range.h"

#include <algorithm>
#include <cmath>

namespace overlane
{

namespace
{

constexpr qint64 kGesturePauseMs = 1000;
constexpr std::size_t kHistoryLength = 100;

}  // namespace

ViewRange::ViewRange(QObject* parent) : QObject(parent) {}

void ViewRange::setLimits(Interval limits)
{
    if (limits.empty())
        limits = {limits.startNs, limits.startNs + 1};
    if (limits == m_limits)
        return;
    const bool whole = m_range == m_limits || m_range.empty() || !m_range.overlaps(limits);
    m_limits = limits;
    emit limitsChanged(m_limits);
    apply(whole ? m_limits : clamped(m_range));
}

Interval ViewRange::clamped(Interval range) const
{
    const std::int64_t largest = m_limits.lengthNs();
    const std::int64_t length = std::clamp(range.lengthNs(), std::min(kMinimumNs, largest), largest);
    // A range that was too short grows around its middle.
    std::int64_t start = range.startNs - (length - range.lengthNs()) / 2;
    start = std::clamp(start, m_limits.startNs, m_limits.endNs - length);
    return {start, start + length};
}

void ViewRange::apply(Interval range)
{
    if (range == m_range)
        return;
    m_range = range;
    emit rangeChanged(m_range);
}

void ViewRange::move(Interval range, bool gesture)
{
    range = clamped(range);
    if (range == m_range)
        return;
    const bool same = gesture && m_sinceGesture.isValid() && m_sinceGesture.elapsed() < kGesturePauseMs;
    if (gesture)
        m_sinceGesture.start();
    else
        m_sinceGesture.invalidate();
    if (!same) {
        m_back.push_back(m_range);
        if (m_back.size() > kHistoryLength)
            m_back.erase(m_back.begin());
    }
    m_forward.clear();
    apply(range);
}

void ViewRange::setRange(Interval range)
{
    move(range, false);
}

void ViewRange::zoomBy(double factor, std::int64_t anchorNs)
{
    if (!(factor > 0) || !std::isfinite(factor))
        return;
    const std::int64_t anchor = std::clamp(anchorNs, m_range.startNs, m_range.endNs);
    const double length = static_cast<double>(m_range.lengthNs());
    const double wanted = std::clamp(length / factor, static_cast<double>(std::min(kMinimumNs, m_limits.lengthNs())),
                                     static_cast<double>(m_limits.lengthNs()));
    const double share = length > 0 ? static_cast<double>(anchor - m_range.startNs) / length : 0;
    const std::int64_t start = anchor - std::llround(share * wanted);
    move({start, start + std::llround(wanted)}, true);
}

void ViewRange::panBy(std::int64_t deltaNs)
{
    const std::int64_t room = m_limits.lengthNs();
    const std::int64_t delta = std::clamp(deltaNs, -room, room);
    move({m_range.startNs + delta, m_range.endNs + delta}, true);
}

void ViewRange::fitAll()
{
    move(m_limits, false);
}

void ViewRange::back()
{
    if (m_back.empty())
        return;
    m_forward.push_back(m_range);
    const Interval range = m_back.back();
    m_back.pop_back();
    m_sinceGesture.invalidate();
    apply(clamped(range));
}

void ViewRange::forward()
{
    if (m_forward.empty())
        return;
    m_back.push_back(m_range);
    const Interval range = m_forward.back();
    m_forward.pop_back();
    m_sinceGesture.invalidate();
    apply(clamped(range));
}

}  // namespace overlane
