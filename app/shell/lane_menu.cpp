#include "app/shell/lane_menu.h"

#include <algorithm>
#include <initializer_list>

#include <QApplication>
#include <QClipboard>
#include <QPainter>

#include "app/session/document.h"
#include "app/shell/time_actions.h"
#include "app/theme/palette.h"
#include "app/timeline/bookmarks.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/text.h"
#include "core/base/exact_time.h"
#include "core/base/short_name.h"
#include "core/names/named_work.h"

namespace overlane
{

namespace
{

constexpr qsizetype kMostTitle = 48;

QIcon swatch(const QColor& color)
{
    QPixmap square(12, 12);
    square.fill(color);
    return square;
}

}  // namespace

LaneMenu::LaneMenu(const LaneSpot& spot, Document* document, TimelineView* timeline, QWidget* parent)
    : QMenu(parent), m_spot(spot), m_document(document), m_timeline(timeline), m_trace(*document->trace())
{
    setObjectName("laneMenu");
    setAttribute(Qt::WA_DeleteOnClose);
    if (m_spot.event.valid() && !m_spot.onName)
        addEvent();
    else if (m_spot.gap && !m_spot.onName)
        addGap();
    if (m_spot.track.valid() && !m_spot.bundle)
        addTrack();
    if (m_timeline->tracks().arrangement().hidesAny())
        addAction(u"Show hidden tracks"_s, this, [this] {
            m_timeline->arrange([](TrackArrangement& arrangement, const Trace&) { arrangement.showAll(); });
        });
    if (m_spot.ns)
        addTimeActions(this, TimePlace::Lanes, *m_spot.ns, m_document, m_timeline);
}

void LaneMenu::copy(const QString& text)
{
    QApplication::clipboard()->setText(text);
}

void LaneMenu::addEvent()
{
    const EventIndex event = m_spot.event;
    const Interval at = m_trace.interval(event);
    const QString name = text(m_trace.name(event));
    addSection(elidedInTheMiddle(text(shortName(m_trace.name(event))), kMostTitle).replace(u'&', u"&&"_s));
    addAction(u"&Zoom to it\tF"_s, this, [this, event] {
        m_document->selection()->setEvent(event);
        m_timeline->zoomTo(event);
    });
    addAction(u"Select the &time it takes\tR"_s, this, [this, at] { m_document->selection()->setRange(at); });
    if (const EventIndex other = m_trace.link(event); other.valid()) {
        const bool isWork = isDeviceWork(m_trace.kind(event));
        addAction(isWork ? u"Go to the &call that issued it"_s : u"Go to the &GPU work it issued"_s, this,
                  [this, other] { emit eventRequested(other); });
    }
    addAction(u"&Find all of this name"_s, this, [this, name] { emit searchRequested(name); });
    if (groupOf(m_trace.kind(event)))
        addAction(u"Sum up &by name"_s, this, [this, event] { emit nameRequested(event); });
    QMenu* copied = addMenu(u"C&opy"_s);
    copied->addAction(u"&Name"_s, this, [this, name] { copy(name); });
    const auto add = [&](const QString& label, std::int64_t ns) {
        const QString exact = text(formatExactTime(ns));
        copied->addAction(label.arg(exact), this, [this, exact] { copy(exact); });
    };
    add(u"&Start, %1"_s, at.startNs);
    add(u"&End, %1"_s, at.endNs);
    add(u"&Duration, %1"_s, at.lengthNs());
    addSeparator();
}

void LaneMenu::addGap()
{
    const Interval gap = m_spot.gap->interval;
    addSection(u"Gap between kernels, %1"_s.arg(durationText(gap.lengthNs())));
    addAction(u"&Explain it"_s, this, [this] { m_document->selection()->setGap(*m_spot.gap); });
    addAction(u"&Zoom to it"_s, this, [this, gap] {
        m_document->view()->glideTo({gap.startNs - gap.lengthNs(), gap.endNs + gap.lengthNs()});
    });
    addAction(u"Select its &time"_s, this, [this, gap] { m_document->selection()->setRange(gap); });
    addSeparator();
}

void LaneMenu::change(const std::function<void(TrackLook&)>& change)
{
    m_timeline->arrange([this, &change](TrackArrangement& arrangement, const Trace& trace) {
        const std::string path = trackPath(trace, m_spot.track);
        TrackLook look = arrangement.of(path);
        change(look);
        arrangement.set(path, look);
    });
}

void LaneMenu::moveTrack(int by)
{
    m_timeline->arrange([this, by](TrackArrangement& arrangement, const Trace& trace) {
        std::vector<std::string> paths;
        std::ptrdiff_t own = 0;
        for (const TrackId sibling : shownSiblings(trace, m_timeline->tracks(), m_spot.track)) {
            if (sibling == m_spot.track)
                own = static_cast<std::ptrdiff_t>(paths.size());
            paths.push_back(trackPath(trace, sibling));
        }
        const auto to = std::clamp<std::ptrdiff_t>(own + by, 0, static_cast<std::ptrdiff_t>(paths.size()) - 1);
        std::swap(paths[static_cast<std::size_t>(own)], paths[static_cast<std::size_t>(to)]);
        arrangement.order(paths);
    });
}

void LaneMenu::addTrack()
{
    const CollapseState& tracks = m_timeline->tracks();
    const TrackLook now = tracks.arrangement().of(trackPath(m_trace, m_spot.track));
    const QString title = text(laneTitle(m_trace, m_spot.track));
    addSection(elidedInTheMiddle(title.isEmpty() ? u"Track"_s : title, kMostTitle).replace(u'&', u"&&"_s));
    if (isCollapsible(m_trace, m_spot.track)) {
        const bool collapsed = m_timeline->isCollapsed(m_spot.track);
        addAction(collapsed ? u"E&xpand"_s : u"Co&llapse"_s, this,
                  [this, collapsed] { m_timeline->setCollapsed(m_spot.track, !collapsed); });
    }
    const bool pinned = tracks.pinned(m_trace, m_spot.track);
    addAction(pinned ? u"Let it scroll with the others"_s : u"&Keep it in sight"_s, this,
              [this, pinned] { change([pinned](TrackLook& look) { look.pinned = !pinned; }); });
    addAction(u"&Hide it"_s, this, [this] { change([](TrackLook& look) { look.hidden = true; }); });
    const std::vector<TrackId> siblings = shownSiblings(m_trace, tracks, m_spot.track);
    addAction(u"Move &up"_s, this, [this] { moveTrack(-1); })->setEnabled(siblings.front() != m_spot.track);
    addAction(u"Move &down"_s, this, [this] { moveTrack(1); })->setEnabled(siblings.back() != m_spot.track);
    QMenu* heights = addMenu(u"Hei&ght of its lanes"_s);
    for (int height = 1; height <= TrackLook::kTallest; ++height) {
        QAction* action =
            heights->addAction(height == 1 ? u"Usual"_s : u"%1 times"_s.arg(height), this,
                               [this, height] { change([height](TrackLook& look) { look.height = height; }); });
        action->setCheckable(true);
        action->setChecked(now.height == height);
    }
    addColors();
    if (now != TrackLook{})
        addAction(u"&As it was"_s, this, [this] { change([](TrackLook& look) { look = {}; }); });
    addSeparator();
}

QMenu* LaneMenu::addColors()
{
    const Palette& colors = Palette::current();
    QMenu* menu = addMenu(u"Colo&r of its bars"_s);
    menu->addAction(u"By kind"_s, this, [this] { change([](TrackLook& look) { look.color = 0; }); });
    int number = 0;
    for (const QColor& color : colors.series)
        menu->addAction(swatch(color), u"Color %1"_s.arg(++number), this,
                        [this, color] { change([color](TrackLook& look) { look.color = color.rgb() | 0xFF000000; }); });
    return menu;
}

}  // namespace overlane
