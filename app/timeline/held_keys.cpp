#include "app/timeline/held_keys.h"

#include <algorithm>
#include <cmath>

#include "app/timeline/view_range.h"

namespace overlane
{

namespace
{

constexpr int kFrameMs = 10;
constexpr double kMsPerStep = 110;  // of a key that is held

}  // namespace

HeldKeys::HeldKeys(ViewRange* view, std::function<std::int64_t()> anchorNs, QObject* parent)
    : QObject(parent), m_view(view), m_anchorNs(std::move(anchorNs))
{
    m_frames.setTimerType(Qt::PreciseTimer);
    connect(&m_frames, &QTimer::timeout, this, [this] {
        m_frames.setInterval(kFrameMs);
        advance(static_cast<double>(m_sinceFrame.nsecsElapsed()) / 1e6);
        m_sinceFrame.start();
    });
}

bool HeldKeys::press(TimelineAction action, bool repeated)
{
    switch (action) {
        case TimelineAction::ZoomIn:
        case TimelineAction::ZoomOut:
        case TimelineAction::PanLeft:
        case TimelineAction::PanRight:
            break;
        default:
            return false;
    }
    const bool smooth = m_view->motionMs() > 0;
    if (repeated && smooth)
        return true;
    step(action, 1, smooth);
    if (!smooth || std::ranges::count(m_held, action) > 0)
        return true;
    m_held.push_back(action);
    if (!m_frames.isActive()) {
        // The first step comes to its end before the even movement begins.
        m_frames.start(m_view->motionMs());
        m_sinceFrame.start();
    }
    return true;
}

void HeldKeys::release(TimelineAction action)
{
    std::erase(m_held, action);
    if (m_held.empty())
        m_frames.stop();
}

void HeldKeys::releaseAll()
{
    m_held.clear();
    m_frames.stop();
}

void HeldKeys::advance(double elapsedMs)
{
    constexpr double kLongestMs = 50;  // a frame that took long is no leap
    for (const TimelineAction action : m_held)
        step(action, std::min(elapsedMs, kLongestMs) / kMsPerStep, false);
}

void HeldKeys::step(TimelineAction action, double steps, bool smooth)
{
    const ViewRange::Pace pace = smooth ? ViewRange::Pace::Smooth : ViewRange::Pace::Now;
    const Interval range = smooth ? m_view->target() : m_view->range();
    const std::int64_t panNs = std::llround(static_cast<double>(range.lengthNs()) * kPanPerStep * steps);
    switch (action) {
        case TimelineAction::ZoomIn:
            return m_view->zoomBy(std::pow(kZoomPerStep, steps), m_anchorNs(), pace);
        case TimelineAction::ZoomOut:
            return m_view->zoomBy(std::pow(kZoomPerStep, -steps), m_anchorNs(), pace);
        case TimelineAction::PanLeft:
            return m_view->panBy(-panNs, pace);
        case TimelineAction::PanRight:
            return m_view->panBy(panNs, pace);
        default:
            return;
    }
}

}  // namespace overlane
