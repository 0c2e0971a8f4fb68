#include "app/timeline/time_ruler.h"

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include "app/theme/palette.h"
#include "app/timeline/selection.h"
#include "app/timeline/timeline_metrics.h"
#include "app/timeline/view_range.h"
#include "app/widgets/text.h"
#include "core/base/exact_time.h"
#include "core/base/units.h"
#include "core/lod/ruler_ticks.h"
#include "core/lod/time_scale.h"

namespace overlane
{

namespace
{

constexpr double kSpacingPx = 110;
constexpr int kTagInsetPx = 5;
constexpr int kTagNamePx = 180;  // at most
constexpr int kStepMarkPx = 4;

}  // namespace

std::vector<BookmarkTag> bookmarkTags(const std::vector<Bookmark>& bookmarks, Interval range, int widthPx)
{
    constexpr int kReadablePx = 16;
    std::vector<BookmarkTag> tags;
    const TimeScale scale(range, widthPx);
    for (std::size_t i = 0; i < bookmarks.size() && !scale.degenerate(); ++i)
        if (const double x = scale.toPx(bookmarks[i].timeNs); x >= 0 && x < widthPx)
            tags.push_back({i, static_cast<int>(x), 0});
    for (std::size_t i = 0; i < tags.size(); ++i) {
        const int next = i + 1 < tags.size() ? tags[i + 1].xPx : widthPx;
        const int room = std::min(kTagNamePx, next - tags[i].xPx - 2 * kTagInsetPx);
        tags[i].textPx = room >= kReadablePx ? room : 0;
    }
    return tags;
}

TimeRuler::TimeRuler(ViewRange* view, Selection* selection, Bookmarks* bookmarks, QWidget* parent)
    : QWidget(parent), m_view(view), m_selection(selection), m_bookmarks(bookmarks), m_field(new QLineEdit(this))
{
    setFixedHeight(kRulerPx);
    setCursor(Qt::SizeHorCursor);
    setMouseTracking(true);
    connect(view->cursor(), &TimeCursor::moved, this, [this] { update(); });
    m_field->hide();
    m_field->setAccessibleName(u"Name of the bookmark"_s);
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::editingFinished, this, [this] { endEdit(true); });
    connect(view, &ViewRange::rangeChanged, this, [this] {
        endEdit(true);
        update();
    });
    connect(selection, &Selection::rangeChanged, this, [this] { update(); });
    connect(bookmarks, &Bookmarks::changed, this, [this] {
        setFixedHeight(m_bookmarks->all().empty() ? kRulerPx : kRulerPx + kBookmarkPx);
        update();
    });
}

void TimeRuler::paintEvent(QPaintEvent*)
{
    const Palette& colors = Palette::current(palette());
    QPainter painter(this);
    painter.fillRect(rect(), colors.panel);
    const int plot = plotWidthPx(width());
    paintTimes(painter, plot);
    paintStepMarks(painter, plot);
    paintSelection(painter, plot);
    paintBookmarks(painter, plot);
    paintMeasured(painter, plot);
    paintCursor(painter);
    painter.setClipping(false);
    painter.fillRect(0, height() - 1, width(), 1, colors.border);
    painter.fillRect(kLabelWidthPx - 1, 0, 1, height(), colors.border);
}

void TimeRuler::paintTimes(QPainter& painter, int plot)
{
    const Palette& colors = Palette::current(palette());
    const Ruler ruler = rulerTicks(m_view->range(), plot, kSpacingPx);
    const TimeScale scale(m_view->range(), plot);
    painter.setPen(colors.mutedText);
    const QString left = ruler.baseLabel.empty() ? QString::fromStdString(formatDuration(m_view->range().lengthNs()))
                                                 : QString::fromStdString(ruler.baseLabel);
    if (!m_view->range().empty())
        painter.drawText(QRect(8, 0, kLabelWidthPx - 16, kRulerPx), Qt::AlignVCenter | Qt::AlignRight,
                         ruler.baseLabel.empty() ? u"%1 shown"_s.arg(left) : u"from %1"_s.arg(left));
    painter.setClipRect(kLabelWidthPx, 0, plot, height());
    for (const RulerTick& tick : ruler.ticks) {
        const int x = kLabelWidthPx + static_cast<int>(scale.toPx(tick.timeNs));
        painter.fillRect(x, kRulerPx - (tick.major ? 9 : 4), 1, tick.major ? 9 : 4, colors.mutedText);
        if (!tick.major)
            continue;
        const QString label = QString::fromStdString(tick.label);
        const int labelPx = painter.fontMetrics().horizontalAdvance(label);
        if (x + 4 + labelPx > kLabelWidthPx + plot)  // half a time is a wrong time
            continue;
        painter.setPen(colors.text);
        painter.drawText(QRect(x + 4, 0, labelPx + 2, kRulerPx - 4), Qt::AlignVCenter | Qt::AlignLeft, label);
    }
}

void TimeRuler::setStepMarks(std::vector<RulerMark> marks)
{
    m_stepMarks = std::move(marks);
    update();
}

// A bar over the step along the top edge: full for one that stands out, hollow for warm-up.
void TimeRuler::paintStepMarks(QPainter& painter, int plot)
{
    const Palette& colors = Palette::current(palette());
    const TimeScale scale(m_view->range(), plot);
    for (const RulerMark& mark : m_stepMarks) {
        if (!mark.interval.overlaps(m_view->range()))
            continue;
        const int left = static_cast<int>(std::max(-2.0, scale.toPx(mark.interval.startNs)));
        const int right = static_cast<int>(std::min(scale.widthPx() + 2, scale.toPx(mark.interval.endNs)));
        const QRect bar(kLabelWidthPx + left, 0, std::max(3, right - left), kStepMarkPx);
        if (mark.kind == RulerMark::Kind::Outlier) {
            painter.fillRect(bar, colors.warning);
            continue;
        }
        painter.setPen(colors.mutedText);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(bar.adjusted(0, 0, -1, -1));
    }
}

bool TimeRuler::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const std::int64_t timeNs = TimeScale(m_view->range(), plotWidthPx(width())).toNs(help->pos().x() - kLabelWidthPx);
    const auto mark = std::find_if(m_stepMarks.begin(), m_stepMarks.end(),
                                   [timeNs](const RulerMark& each) { return each.interval.contains(timeNs); });
    if (mark == m_stepMarks.end() || help->pos().x() < kLabelWidthPx)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), mark->tip, this);
    return true;
}

void TimeRuler::paintSelection(QPainter& painter, int plot)
{
    const auto& selected = m_selection->range();
    if (!selected)
        return;
    const Palette& colors = Palette::current(palette());
    const TimeScale scale(m_view->range(), plot);
    const int from = static_cast<int>(std::clamp(scale.toPx(selected->startNs), 0.0, double(plot)));
    const int to = static_cast<int>(std::clamp(scale.toPx(selected->endNs), 0.0, double(plot)));
    QColor fill = colors.accent;
    fill.setAlpha(60);
    painter.fillRect(kLabelWidthPx + from, 0, to - from, kRulerPx, fill);
    // To the nanosecond where there is room for it.
    QString length = text(formatExactTime(selected->lengthNs()));
    const auto widthOf = [&painter](const QString& words) {
        return painter.fontMetrics().horizontalAdvance(words) + 12;
    };
    if (widthOf(length) >= to - from)
        length = durationText(selected->lengthNs());
    const int lengthWidth = widthOf(length);
    if (lengthWidth >= to - from)
        return;
    const QRect box(kLabelWidthPx + (from + to - lengthWidth) / 2, 3, lengthWidth, kRulerPx - 8);
    painter.fillRect(box, colors.accent);
    painter.setPen(colors.textOn(colors.accent));
    painter.drawText(box, Qt::AlignCenter, length);
}

// The exact time on a tag, beside which no time of the axis is cut.
void TimeRuler::paintCursor(QPainter& painter)
{
    const std::optional<int> x = cursorPx(*m_view, width());
    if (!x)
        return;
    const Palette& colors = Palette::current(palette());
    paintCursorLine(painter, *m_view, size(), colors.text);
    QString time = text(formatExactTime(*m_view->cursor()->ns()));
    if (const auto fromNs = m_view->cursor()->measuredFrom())
        time += u"  \u0394 %1"_s.arg(text(formatExactTime(*m_view->cursor()->ns() - *fromNs)));
    const int tagPx = painter.fontMetrics().horizontalAdvance(time) + 2 * kTagInsetPx;
    const bool fitsRight = *x + tagPx < width() - kRightMarginPx;
    const QRect tag(fitsRight ? *x : *x - tagPx + 1, 2, tagPx, kRulerPx - 7);
    painter.setClipping(false);
    painter.fillRect(tag, colors.text);
    painter.setPen(colors.panel);
    painter.drawText(tag, Qt::AlignCenter, time);
}

// A line where the measurement began, and a bar from there to the time pointed at.
void TimeRuler::paintMeasured(QPainter& painter, int plot)
{
    const std::optional<std::int64_t> fromNs = m_view->cursor()->measuredFrom();
    if (!fromNs)
        return;
    const Palette& colors = Palette::current(palette());
    const TimeScale scale(m_view->range(), plot);
    const auto pxOf = [&](std::int64_t ns) {
        return kLabelWidthPx + static_cast<int>(std::clamp(scale.toPx(ns), -1.0, double(plot) + 1));
    };
    painter.setClipRect(kLabelWidthPx, 0, plot, height());
    painter.fillRect(pxOf(*fromNs), 0, 2, height(), colors.accent);
    if (const auto ns = m_view->cursor()->ns())
        painter.fillRect(QRect(QPoint(std::min(pxOf(*fromNs), pxOf(*ns)), kRulerPx - 4),
                               QPoint(std::max(pxOf(*fromNs), pxOf(*ns)), kRulerPx - 3)),
                         colors.accent);
}

void TimeRuler::paintBookmarks(QPainter& painter, int plot)
{
    if (m_bookmarks->all().empty())
        return;
    const Palette& colors = Palette::current(palette());
    painter.setClipping(false);
    painter.setPen(colors.mutedText);
    painter.drawText(QRect(8, kRulerPx - 2, kLabelWidthPx - 16, kBookmarkPx), Qt::AlignVCenter | Qt::AlignRight,
                     u"bookmarks"_s);
    painter.setClipRect(kLabelWidthPx, 0, plot, height());
    for (const BookmarkTag& tag : bookmarkTags(m_bookmarks->all(), m_view->range(), plot)) {
        const QString name =
            painter.fontMetrics().elidedText(m_bookmarks->all()[tag.index].name, Qt::ElideRight, tag.textPx);
        const int x = kLabelWidthPx + tag.xPx;
        const int width = tag.textPx > 0 ? painter.fontMetrics().horizontalAdvance(name) + 2 * kTagInsetPx : 5;
        painter.fillRect(x, kRulerPx - 9, 1, height(), colors.text);
        painter.fillRect(x, kRulerPx, width, kBookmarkPx - 2, colors.text);
        painter.setPen(colors.panel);
        if (tag.textPx > 0)
            painter.drawText(QRect(x + kTagInsetPx, kRulerPx - 1, width, kBookmarkPx), Qt::AlignVCenter | Qt::AlignLeft,
                             name);
    }
}

const Bookmark* TimeRuler::bookmarkAt(QPoint pos) const
{
    if (pos.y() < kRulerPx)
        return nullptr;
    const auto tags = bookmarkTags(m_bookmarks->all(), m_view->range(), plotWidthPx(width()));
    const QFontMetrics metrics(font());
    for (auto tag = tags.rbegin(); tag != tags.rend(); ++tag) {
        const Bookmark& bookmark = m_bookmarks->all()[tag->index];
        const int wide = std::min(tag->textPx, metrics.horizontalAdvance(bookmark.name)) + 2 * kTagInsetPx;
        if (const int x = pos.x() - kLabelWidthPx - tag->xPx; x >= -3 && x < wide)
            return &bookmark;
    }
    return nullptr;
}

void TimeRuler::editName(const Bookmark& bookmark)
{
    const TimeScale scale(m_view->range(), plotWidthPx(width()));
    const int x = kLabelWidthPx + static_cast<int>(scale.toPx(bookmark.timeNs));
    m_editedNs = bookmark.timeNs;
    m_field->setText(bookmark.name);
    m_field->setGeometry(std::clamp(x, kLabelWidthPx, std::max(kLabelWidthPx, width() - kTagNamePx)),
                         height() - kBookmarkPx - 4, kTagNamePx, kBookmarkPx + 4);
    m_field->selectAll();
    m_field->show();
    m_field->setFocus();
}

void TimeRuler::endEdit(bool take)
{
    if (m_field->isHidden())
        return;
    const QString name = m_field->text();
    const bool had = m_field->hasFocus();
    m_field->hide();
    if (take && m_bookmarks->nearest(m_editedNs, 0) != nullptr)
        m_bookmarks->add(m_editedNs, name);
    if (had && parentWidget() != nullptr)
        parentWidget()->setFocus();
}

bool TimeRuler::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_field && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        endEdit(false);
        return true;
    }
    return QWidget::eventFilter(object, event);
}

void TimeRuler::wheelEvent(QWheelEvent* event)
{
    const TimeScale scale(m_view->range(), plotWidthPx(width()));
    m_view->zoomBy(std::pow(1.25, event->angleDelta().y() / 120.0), scale.toNs(event->position().x() - kLabelWidthPx),
                   ViewRange::Pace::Smooth);
    event->accept();
}

void TimeRuler::mousePressEvent(QMouseEvent* event)
{
    m_pressPx = event->position().toPoint().x();
    m_pressRange = m_view->range();
    m_dragged = false;
}

void TimeRuler::mouseMoveEvent(QMouseEvent* event)
{
    const int plot = plotWidthPx(width());
    m_view->cursor()->pointAt(timeAtPx(*m_view, event->position().toPoint().x(), width()));
    if (event->buttons() == Qt::NoButton)
        return;
    const TimeScale scale(m_pressRange, plot);
    const int x = event->position().toPoint().x();
    m_dragged = m_dragged || std::abs(x - m_pressPx) >= kDragThresholdPx;
    if (!m_dragged)
        return;
    if (event->buttons() & Qt::LeftButton) {
        const auto timeAt = [&](int px) { return scale.toNs(std::clamp(px - kLabelWidthPx, 0, plot)); };
        m_selection->setRange(Interval{std::min(timeAt(m_pressPx), timeAt(x)), std::max(timeAt(m_pressPx), timeAt(x))});
    } else if (event->buttons() & Qt::MiddleButton) {
        m_view->panBy(m_pressRange.startNs - scale.lengthNs(x - m_pressPx) - m_view->range().startNs);
    }
}

void TimeRuler::leaveEvent(QEvent*)
{
    m_view->cursor()->pointAt({});
}

void TimeRuler::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const Bookmark* bookmark = bookmarkAt(event->position().toPoint()))
        editName(*bookmark);
}

void TimeRuler::contextMenuEvent(QContextMenuEvent* event)
{
    const Bookmark* found = bookmarkAt(event->pos());
    if (found == nullptr) {
        if (const auto ns = timeAtPx(*m_view, event->pos().x(), width()))
            emit contextMenuRequested(*ns, event->globalPos());
        return;
    }
    const Bookmark bookmark = *found;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    connect(menu->addAction(u"&Name …"_s), &QAction::triggered, this, [this, bookmark] { editName(bookmark); });
    connect(menu->addAction(u"&Remove"_s), &QAction::triggered, this,
            [this, bookmark] { m_bookmarks->remove(bookmark.timeNs); });
    menu->popup(event->globalPos());
}

}  // namespace overlane
