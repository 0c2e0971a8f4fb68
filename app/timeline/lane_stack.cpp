#include "app/timeline/lane_stack.h"

#include <algorithm>
#include <utility>

#include "app/timeline/timeline_metrics.h"
#include "app/widgets/text.h"

namespace overlane
{

LaneStack::LaneStack(ViewRange* view, Selection* selection, QWidget* parent)
    : QWidget(parent), m_lanes(new LaneCanvas(view, selection, this)), m_pinned(new LaneCanvas(view, selection, this))
{
    m_pinned->setPart(LanePart::Pinned);
    m_pinned->setAccessibleName(u"Lanes kept in sight"_s);
    m_pinned->hide();
    connect(m_lanes, &LaneCanvas::foldingChanged, this, &LaneStack::place);
    connect(m_pinned, &LaneCanvas::foldingChanged, this, [this] {
        m_lanes->changeCollapse([this](CollapseState& state, const Trace&) {
            CollapseState next = m_pinned->collapse();
            next.setBundles(state.bundles());
            state = std::move(next);
        });
    });
}

LaneCanvas* LaneStack::showing(EventIndex event) const
{
    const bool kept = m_lanes->trace() && m_pinned->trackLayout().rowOf(*m_lanes->trace(), event) >= 0;
    return kept ? m_pinned : m_lanes;
}

void LaneStack::setTrace(std::shared_ptr<const Trace> trace, std::shared_ptr<const TracePyramids> pyramids)
{
    m_lanes->setTrace(std::move(trace), std::move(pyramids));
    m_pinned->setTrace(m_lanes->trace(), m_lanes->pyramids());
    place();
}

void LaneStack::setEnginesKept(bool kept)
{
    m_enginesKept = kept;
    place();
}

void LaneStack::setAlone(bool alone)
{
    m_alone = alone;
    place();
}

void LaneStack::place()
{
    int pinnedPx = 0;
    if (const Trace* trace = m_lanes->trace().get()) {
        // A run whose settings move must not move the lanes with each of them.
        const bool mayKeep = m_enginesKept && m_alone && !trace->metadata().isLaboratoryRun();
        CollapseState state = m_lanes->collapse();
        state.setEnginesPinned(false);
        state.setEnginesPinned(mayKeep && layoutTracks(*trace, state).heightPx > height());
        if (state.enginesPinned() || state.arrangement().keepsAny())
            pinnedPx = layoutTracks(*trace, state, LanePart::Pinned).heightPx;
        m_lanes->setPart(pinnedPx > 0 ? LanePart::Scrolled : LanePart::All);
        m_pinned->setCollapse(state);
        m_lanes->setCollapse(std::move(state));
    }
    // At least half is for what scrolls.
    const int shownPx = std::min(pinnedPx, height() / 2);
    m_lanes->setGeometry(0, 0, width(), height() - shownPx);
    m_pinned->setGeometry(0, height() - shownPx, width(), shownPx);
    m_pinned->setVisible(pinnedPx > 0);
}

void LaneStack::resizeEvent(QResizeEvent*)
{
    place();
}

}  // namespace overlane
