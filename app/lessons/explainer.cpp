#include "app/lessons/explainer.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCursor>
#include <QGraphicsProxyWidget>
#include <QGraphicsScene>
#include <QGraphicsView>
#include <QHeaderView>
#include <QHelpEvent>
#include <QScrollBar>
#include <QToolTip>

#include "app/timeline/gauge_panel.h"
#include "app/timeline/lane_canvas.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/timeline_view.h"
#include "app/widgets/explain_role.h"
#include "app/widgets/text.h"
#include "core/lessons/explanations.h"

namespace overlane
{

namespace
{

// A thing: what explains it, what it says of itself, and where it is in its widget.
struct Thing {
    QString key;
    QString words;
    QRect place;
};

Thing laneAt(const LaneCanvas& canvas, QPoint posPx)
{
    const auto* scroll = canvas.findChild<QScrollBar*>();
    if (!canvas.trace() || posPx.x() >= kLabelWidthPx || scroll == nullptr)
        return {};
    const int at = canvas.trackLayout().rowAt(posPx.y() + scroll->value());
    if (at < 0)
        return {};
    const LaneRow& row = canvas.trackLayout().rows[static_cast<std::size_t>(at)];
    return {QString::fromStdString(explanationKey(canvas.trace()->track(row.track))),
            {},
            QRect(0, row.topPx - scroll->value(), kLabelWidthPx, row.heightPx)};
}

// For the keyboard: the name of the selected event's lane, else of the one under the mouse, else of the first in sight
// that is explained.
QPoint laneToExplain(LaneCanvas& canvas)
{
    const EventIndex selected = canvas.selection()->event();
    const QRect event = selected.valid() ? canvas.rectOf(selected) : QRect();
    const QPoint mouse = canvas.mapFromGlobal(QCursor::pos());
    QPoint place(0, !event.isNull() ? event.center().y() : canvas.rect().contains(mouse) ? mouse.y() : 0);
    while (laneAt(canvas, place).key.isEmpty() && place.y() < canvas.height())
        place.ry() += kRowPx;
    return place;
}

// Of the gauges' plot.
Thing gaugeAt(const GaugePanel& gauges, QPoint posPx)
{
    QRect place;
    const TrackId track = posPx.x() < kLabelWidthPx ? gauges.trackAt(posPx.y(), &place) : TrackId();
    if (!track.valid())
        return {};
    place.setLeft(0);
    place.setRight(kLabelWidthPx);
    return {QString::fromStdString(explanationKey(gauges.trace()->track(track))), {}, place};
}

Thing cellAt(const QAbstractItemView& view, QPoint posPx)
{
    if (const auto* header = qobject_cast<const QHeaderView*>(&view)) {
        const int section = header->logicalIndexAt(posPx);
        if (section < 0 || header->model() == nullptr)
            return {};
        const auto data = [&](int role) { return header->model()->headerData(section, header->orientation(), role); };
        const int start = header->sectionViewportPosition(section);
        const int size = header->sectionSize(section);
        return {data(kExplainRole).toString(), data(Qt::ToolTipRole).toString(),
                header->orientation() == Qt::Horizontal ? QRect(start, 0, size, header->height())
                                                        : QRect(0, start, header->width(), size)};
    }
    const QModelIndex index = view.indexAt(posPx);
    return {index.data(kExplainRole).toString(), index.data(Qt::ToolTipRole).toString(), view.visualRect(index)};
}

// The window that shows a widget; a magnified one is a window of its own to Qt.
const QWidget* windowOf(const QWidget* widget)
{
    const QWidget* window = widget->window();
    const QGraphicsProxyWidget* proxy = window->graphicsProxyWidget();
    if (proxy == nullptr || proxy->scene() == nullptr || proxy->scene()->views().isEmpty())
        return window;
    return proxy->scene()->views().front()->window();
}

Thing thingAt(QWidget* widget, QPoint posPx, const QWidget* window)
{
    if (const auto* canvas = qobject_cast<const LaneCanvas*>(widget))
        return laneAt(*canvas, posPx);
    if (const auto* gauges = qobject_cast<const GaugePanel*>(widget->parentWidget()))
        return gaugeAt(*gauges, posPx);
    if (const auto* view = qobject_cast<const QAbstractItemView*>(widget->parentWidget());
        view != nullptr && view->viewport() == widget)
        return cellAt(*view, posPx);
    for (QWidget* one = widget; one != nullptr && one != window; one = one->parentWidget()) {
        const QString key = one->property(kExplainProperty).toString();
        if (!key.isEmpty())
            return {key, one->toolTip(),
                    QRect(one->mapTo(window, QPoint()) - widget->mapTo(window, QPoint()), one->size())};
        if (one->isWindow())
            break;
    }
    return {};
}

}  // namespace

Explainer::Explainer(QWidget* window, Titles titles)
    : QObject(window), m_window(window), m_titles(std::move(titles)), m_card(new ExplainCard(window))
{
    qApp->installEventFilter(this);
    connect(m_card, &ExplainCard::lessonRequested, this, &Explainer::lessonRequested);
}

Explained Explainer::at(QWidget* widget, QPoint posPx) const
{
    const Thing thing = thingAt(widget, posPx, m_window);
    const Explanation* known = thing.key.isEmpty() ? nullptr : findExplanation(thing.key.toStdString());
    if (known == nullptr)
        return {};
    Explained explained;
    // What a thing says of itself is about this very one.
    explained.words = thing.words;
    const QString sentence = text(known->sentence).toHtmlEscaped();
    if (thing.words.isEmpty())
        explained.words = sentence;
    else if (thing.key.startsWith(QLatin1String("cause:")))
        explained.words = u"<p>%1</p><p>%2</p>"_s.arg(sentence, thing.words.toHtmlEscaped());
    explained.lesson = text(known->lesson);
    explained.title = m_titles(explained.lesson);
    if (explained.title.isEmpty())
        explained.lesson.clear();
    explained.place = QRect(widget->mapToGlobal(thing.place.topLeft()), thing.place.size());
    return explained;
}

bool Explainer::explainFocused()
{
    QWidget* focused = QApplication::focusWidget();
    if (focused == nullptr || windowOf(focused) != m_window)
        return false;
    QPoint place = focused->rect().center();
    QWidget* asked = focused;
    if (auto* view = qobject_cast<QAbstractItemView*>(focused)) {
        asked = view->viewport();
        place = view->visualRect(view->currentIndex()).center();
    } else if (const auto* timeline = qobject_cast<TimelineView*>(focused)) {
        asked = timeline->lanes();
        place = laneToExplain(*timeline->lanes());
    }
    Explained explained = at(asked, place);
    if (explained.words.isEmpty())
        return false;
    m_card->showFor(explained, true);
    return true;
}

bool Explainer::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() != QEvent::ToolTip || !watched->isWidgetType())
        return false;
    auto* widget = static_cast<QWidget*>(watched);
    if (windowOf(widget) != m_window)
        return false;
    const auto* help = static_cast<QHelpEvent*>(event);
    const Explained explained = at(widget, help->pos());
    // What the timeline says of the very place, a badge, comes first.
    if (explained.words.isEmpty() || (qobject_cast<LaneCanvas*>(widget) != nullptr && QToolTip::isVisible()))
        return false;
    QToolTip::hideText();
    m_card->showFor(explained, false);
    return true;
}

}  // namespace overlane
