#include "app/timeline/view_range.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace overlane
{

namespace
{

constexpr qint64 kGesturePauseMs = 1000;
constexpr std::size_t kHistoryLength = 100;
constexpr int kViewFrameMs = 10;

}  // namespace

ViewRange::ViewRange(QObject* parent) : QObject(parent)
{
    m_frames.setInterval(kViewFrameMs);
    m_frames.setTimerType(Qt::PreciseTimer);
    connect(&m_frames, &QTimer::timeout, this, [this] { advance(m_sinceStart.elapsed()); });
}

void ViewRange::setMotionMs(int ms)
{
    m_motionMs = std::max(0, ms);
    if (m_motionMs == 0)
        go(target(), Pace::Now);
}

void ViewRange::advance(std::int64_t elapsedMs)
{
    if (!m_frames.isActive())
        return;
    if (m_motion.doneAt(elapsedMs))
        m_frames.stop();
    apply(m_motion.at(elapsedMs));
}

void ViewRange::setLimits(Interval limits)
{
    if (limits.empty())
        limits = {limits.startNs, limits.startNs + 1};
    if (limits == m_limits)
        return;
    const Interval wanted = target();
    const bool whole = wanted == m_limits || wanted.empty() || !wanted.overlaps(limits);
    m_limits = limits;
    emit limitsChanged(m_limits);
    go(whole ? m_limits : clamped(wanted), Pace::Now);
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

void ViewRange::go(Interval range, Pace pace)
{
    m_frames.stop();
    if (pace == Pace::Now || m_motionMs == 0 || m_range.empty()) {
        apply(range);
    } else if (range != m_range) {
        m_motion = RangeMotion(m_range, range, m_motionMs);
        m_sinceStart.start();
        m_frames.start();
    }
}

void ViewRange::move(Interval range, bool gesture, Pace pace)
{
    range = clamped(range);
    if (range == target()) {
        if (pace == Pace::Now)
            go(range, pace);
        return;
    }
    const bool same = gesture && m_sinceGesture.isValid() && m_sinceGesture.elapsed() < kGesturePauseMs;
    if (gesture)
        m_sinceGesture.start();
    else
        m_sinceGesture.invalidate();
    if (!same) {
        m_history.back.push_back(target());
        if (m_history.back.size() > kHistoryLength)
            m_history.back.erase(m_history.back.begin());
    }
    m_history.forward.clear();
    go(range, pace);
}

void ViewRange::setRange(Interval range)
{
    move(range, false, Pace::Now);
}

void ViewRange::glideTo(Interval range)
{
    move(range, false, Pace::Smooth);
}

void ViewRange::zoomBy(double factor, std::int64_t anchorNs, Pace pace)
{
    if (!(factor > 0) || !std::isfinite(factor))
        return;
    const std::int64_t anchor = std::clamp(anchorNs, m_range.startNs, m_range.endNs);
    const auto shown = static_cast<double>(m_range.lengthNs());
    const auto length = static_cast<double>((pace == Pace::Smooth ? target() : m_range).lengthNs());
    const double wanted = std::clamp(length / factor, static_cast<double>(std::min(kMinimumNs, m_limits.lengthNs())),
                                     static_cast<double>(m_limits.lengthNs()));
    const double share = shown > 0 ? static_cast<double>(anchor - m_range.startNs) / shown : 0;
    const std::int64_t start = anchor - std::llround(share * wanted);
    move({start, start + std::llround(wanted)}, true, pace);
}

void ViewRange::panBy(std::int64_t deltaNs, Pace pace)
{
    const Interval from = pace == Pace::Smooth ? target() : m_range;
    const std::int64_t room = m_limits.lengthNs();
    const std::int64_t delta = std::clamp(deltaNs, -room, room);
    move({from.startNs + delta, from.endNs + delta}, true, pace);
}

void ViewRange::moveTo(Interval range)
{
    move(range, true, Pace::Now);
}

void ViewRange::fitAll()
{
    move(m_limits, false, Pace::Smooth);
}

void ViewRange::restart(Interval range)
{
    restart(range, {});
}

void ViewRange::restart(Interval range, History history)
{
    m_history = std::move(history);
    m_sinceGesture.invalidate();
    go(clamped(range), Pace::Now);
}

void ViewRange::back()
{
    if (m_history.back.empty())
        return;
    m_history.forward.push_back(target());
    const Interval range = m_history.back.back();
    m_history.back.pop_back();
    m_sinceGesture.invalidate();
    go(clamped(range), Pace::Smooth);
}

void ViewRange::forward()
{
    if (m_history.forward.empty())
        return;
    m_history.back.push_back(target());
    const Interval range = m_history.forward.back();
    m_history.forward.pop_back();
    m_sinceGesture.invalidate();
    go(clamped(range), Pace::Smooth);
}

}  // namespace overlane
