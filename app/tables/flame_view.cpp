#include "app/tables/flame_view.h"

#include <algorithm>
#include <cmath>

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>

#include "app/theme/palette.h"
#include "app/timeline/bar_text.h"
#include "app/widgets/text.h"
#include "core/base/short_name.h"
#include "core/base/statistics.h"
#include "core/base/units.h"

namespace overlane
{
namespace
{

constexpr double kLeastPx = 0.5;
constexpr int kTextPx = 24;  // a narrower frame has no room for a name

// The same for a name in every trace and on every machine.
QColor colorOfName(const std::string& name, bool dark)
{
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (const char letter : name)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
    const int hue = static_cast<int>((hash ^ (hash >> 16)) % 360);
    const int lightness = static_cast<int>(hash >> 8) % 24;
    return dark ? QColor::fromHsl(hue, 80, 74 + lightness) : QColor::fromHsl(hue, 130, 190 + lightness);
}

QColor mixed(const QColor& a, const QColor& b, double share)
{
    const auto part = [share](int one, int other) { return static_cast<int>(one * (1 - share) + other * share); };
    return {part(a.red(), b.red()), part(a.green(), b.green()), part(a.blue(), b.blue())};
}

}  // namespace

FlameView::FlameView(QWidget* parent) : QAbstractScrollArea(parent), m_tree(std::make_shared<CallTree>())
{
    setObjectName("flameView");
    setAccessibleName(u"Flame graph of host time"_s);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    verticalScrollBar()->setSingleStep(kFramePx);
    connect(verticalScrollBar(), &QScrollBar::valueChanged, viewport(), qOverload<>(&QWidget::update));
}

// The node of another tree that the same names lead to; as far down as they do.
std::uint32_t FlameView::sameIn(const CallTree& tree, std::uint32_t node) const
{
    std::vector<std::uint32_t> path;
    for (; node != 0; node = m_tree->nodes()[node].parent)
        path.push_back(node);
    std::uint32_t at = 0;
    for (; !path.empty(); path.pop_back()) {
        std::uint32_t child = at + 1;
        while (child < tree.nodes()[at].last && tree.name(child) != m_tree->name(path.back()))
            child = tree.nodes()[child].last;
        if (child >= tree.nodes()[at].last)
            break;
        at = child;
    }
    return at;
}

void FlameView::setTree(std::shared_ptr<const CallTree> tree)
{
    m_zoomed = sameIn(*tree, m_zoomed);
    m_current = sameIn(*tree, m_current);
    m_tree = std::move(tree);
    m_matches.clear();
    m_hovered.reset();
    m_pressed.reset();
    m_shortNames.assign(m_tree->names().size(), QString());
    layOut();
    setCurrent(m_current);
}

void FlameView::setTitle(const QString& title)
{
    m_title = title;
    setCurrent(m_current);
}

void FlameView::setMatches(std::vector<bool> names)
{
    m_matches = std::move(names);
    viewport()->update();
}

void FlameView::setEmptyText(const QString& text)
{
    m_emptyText = text;
    if (m_tree->empty())
        setAccessibleDescription(text);
    viewport()->update();
}

void FlameView::layOut()
{
    m_frames.clear();
    const int width = viewport()->width();
    std::uint32_t deepest = 0;
    if (!m_tree->empty() && width > 0) {
        for (std::uint32_t at = m_zoomed; at != 0; at = m_tree->nodes()[at].parent)
            m_frames.push_back({at, m_tree->nodes()[at].depth, 0, static_cast<double>(width)});
        m_frames.push_back({0, 0, 0, static_cast<double>(width)});
        std::reverse(m_frames.begin(), m_frames.end());
        layOutBelow(m_zoomed, 0, width / static_cast<double>(m_tree->nodes()[m_zoomed].totalNs));
        for (const Frame& frame : m_frames)
            deepest = std::max(deepest, frame.depth + 1);
    }
    QScrollBar* bar = verticalScrollBar();
    bar->setPageStep(viewport()->height());
    bar->setRange(0, std::max(0, static_cast<int>(deepest) * kFramePx - viewport()->height()));
    viewport()->update();
}

void FlameView::layOutBelow(std::uint32_t node, double left, double pxPerNs)
{
    const std::vector<CallTree::Node>& nodes = m_tree->nodes();
    for (std::uint32_t child = node + 1; child < nodes[node].last; child = nodes[child].last) {
        const double width = static_cast<double>(nodes[child].totalNs) * pxPerNs;
        if (width < kLeastPx)
            return;  // those behind it are no wider
        m_frames.push_back({child, nodes[child].depth, left, width});
        layOutBelow(child, left, pxPerNs);
        left += width;
    }
}

const FlameView::Frame* FlameView::frameOf(std::uint32_t node) const
{
    const auto found = std::lower_bound(m_frames.begin(), m_frames.end(), node,
                                        [](const Frame& frame, std::uint32_t each) { return frame.node < each; });
    return found != m_frames.end() && found->node == node ? &*found : nullptr;
}

QRect FlameView::rectOf(const Frame& frame) const
{
    const int left = static_cast<int>(std::lround(frame.left));
    const int right = static_cast<int>(std::lround(frame.left + frame.width));
    return {left, static_cast<int>(frame.depth) * kFramePx - verticalScrollBar()->value(), std::max(1, right - left),
            kFramePx};
}

QRect FlameView::rectOf(std::uint32_t node) const
{
    const Frame* frame = frameOf(node);
    return frame != nullptr ? rectOf(*frame) : QRect();
}

std::optional<std::uint32_t> FlameView::nodeAt(QPoint pos) const
{
    for (const Frame& frame : m_frames)
        if (rectOf(frame).contains(pos))
            return frame.node;
    return {};
}

QString FlameView::wordsOf(std::uint32_t node) const
{
    const CallTree::Node& own = m_tree->nodes()[node];
    const QString name = node == 0 ? m_title : text(m_tree->name(node));
    QString words = u"%1: %2, %3 of all"_s.arg(name, durationText(own.totalNs),
                                               text(formatShare(shareOf(own.totalNs, m_tree->root().totalNs))));
    if (!m_tree->fromCallsUp())
        words += u"; self %1"_s.arg(durationText(own.selfNs));
    if (own.count > 0)
        words += own.count == 1 ? u"; 1 event"_s : u"; %1 events"_s.arg(text(formatCount(own.count)));
    if (node == 0 && m_tree->leftOut() > 0)
        words += u"; %1 calls on too many paths have no frame"_s.arg(text(formatCount(m_tree->leftOut())));
    return words;
}

void FlameView::zoomTo(std::uint32_t node)
{
    m_zoomed = node;
    layOut();
    setCurrent(node);
}

void FlameView::zoomOut()
{
    if (m_zoomed != 0)
        zoomTo(m_tree->nodes()[m_zoomed].parent);
}

void FlameView::setCurrent(std::uint32_t node)
{
    m_current = frameOf(node) != nullptr ? node : m_zoomed;
    setAccessibleDescription(m_tree->empty() ? m_emptyText : wordsOf(m_current));
    const int top = static_cast<int>(m_tree->nodes()[m_current].depth) * kFramePx;
    QScrollBar* bar = verticalScrollBar();
    if (top < bar->value())
        bar->setValue(top);
    else if (top + kFramePx > bar->value() + viewport()->height())
        bar->setValue(top + kFramePx - viewport()->height());
    viewport()->update();
}

void FlameView::moveCurrent(int key)
{
    const std::vector<CallTree::Node>& nodes = m_tree->nodes();
    const std::uint32_t parent = nodes[m_current].parent;
    if (key == Qt::Key_Home)
        return setCurrent(0);
    if (key == Qt::Key_Up)
        return setCurrent(parent);
    // On the way to the zoomed frame there is one below each.
    if (key == Qt::Key_Down) {
        const auto below = std::find_if(m_frames.begin(), m_frames.end(), [&](const Frame& frame) {
            return frame.node != 0 && nodes[frame.node].parent == m_current;
        });
        return below != m_frames.end() ? setCurrent(below->node) : void();
    }
    std::uint32_t before = m_current;
    for (const Frame& frame : m_frames) {
        if (frame.node == 0 || m_current == 0 || nodes[frame.node].parent != parent)
            continue;
        if (key == Qt::Key_Left && frame.node == m_current)
            return setCurrent(before);
        if (key == Qt::Key_Right && before == m_current && frame.node > m_current)
            return setCurrent(frame.node);
        before = frame.node;
    }
}

void FlameView::keyPressEvent(QKeyEvent* event)
{
    if (m_tree->empty())
        return event->ignore();
    if (event->matches(QKeySequence::Copy)) {
        emit copyRequested(m_current);
        return;
    }
    switch (event->key()) {
        case Qt::Key_Left:
        case Qt::Key_Right:
        case Qt::Key_Up:
        case Qt::Key_Down:
        case Qt::Key_Home:
            return moveCurrent(event->key());
        case Qt::Key_Return:
        case Qt::Key_Enter:
            return zoomTo(m_current);
        case Qt::Key_Backspace:
        case Qt::Key_Escape:
            if (m_zoomed != 0)
                return zoomOut();
            break;
        default:
            break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

void FlameView::hover(std::optional<std::uint32_t> node)
{
    if (node == m_hovered)
        return;
    m_hovered = node;
    viewport()->setCursor(node ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
}

void FlameView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        m_pressed = nodeAt(event->position().toPoint());
}

void FlameView::mouseMoveEvent(QMouseEvent* event)
{
    hover(nodeAt(event->position().toPoint()));
}

void FlameView::mouseReleaseEvent(QMouseEvent* event)
{
    const auto node = nodeAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && node && node == m_pressed)
        zoomTo(*node);
    m_pressed.reset();
}

void FlameView::contextMenuEvent(QContextMenuEvent* event)
{
    if (m_tree->empty())
        return;
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const auto node = byKey ? m_current : nodeAt(event->pos());
    if (!node)
        return;
    setCurrent(*node);
    emit menuRequested(*node, byKey ? viewport()->mapToGlobal(rectOf(*node).bottomLeft()) : event->globalPos());
}

bool FlameView::viewportEvent(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto node = nodeAt(help->pos())) {
            const QStringList parts = wordsOf(*node).split(u": "_s);
            const QString figures = parts.last().toHtmlEscaped().replace(u"; "_s, u"<br>"_s);
            const QString name = wordsOf(*node).chopped(parts.last().size() + 2).toHtmlEscaped();
            QToolTip::showText(help->globalPos(), u"<p><b>%1</b><br>%2</p>"_s.arg(name, figures), viewport());
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    if (event->type() == QEvent::Leave)
        hover({});
    return QAbstractScrollArea::viewportEvent(event);
}

void FlameView::resizeEvent(QResizeEvent*)
{
    layOut();
}

void FlameView::focusInEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusInEvent(event);
    viewport()->update();
}

void FlameView::focusOutEvent(QFocusEvent* event)
{
    QAbstractScrollArea::focusOutEvent(event);
    viewport()->update();
}

void FlameView::paintFrame(QPainter& painter, const Frame& frame) const
{
    const Palette& colors = Palette::current(palette());
    const CallTree::Node& own = m_tree->nodes()[frame.node];
    const QRect rect = rectOf(frame);
    const bool isOuter = frame.node < m_zoomed && own.last > m_zoomed;
    QColor ground = frame.node == 0 ? colors.window : colorOfName(m_tree->name(frame.node), colors.dark);
    if (!m_matches.empty())
        ground = frame.node != 0 && m_matches[own.name] ? colors.highlight : mixed(ground, colors.panel, 0.7);
    else if (isOuter)
        ground = mixed(ground, colors.panel, 0.5);
    if (frame.node == m_hovered)
        ground = mixed(ground, colors.text, 0.15);
    painter.fillRect(rect.adjusted(0, 0, rect.width() > 2 ? -1 : 0, -1), ground);
    if (rect.width() < kTextPx)
        return;
    QString& name = m_shortNames[own.name];
    if (name.isNull())
        name = frame.node == 0 ? QString() : text(shortName(m_tree->name(frame.node)));
    const QRect room = rect.adjusted(5, 0, -4, -1);
    QString label = frame.node == 0 ? m_title : name;
    if (const QString longer = label + u"  "_s + durationText(own.totalNs);
        painter.fontMetrics().horizontalAdvance(longer) <= room.width())
        label = longer;
    else
        label = fittedName(painter.fontMetrics(), label, room.width());
    painter.setPen(colors.textOn(ground));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, label);
}

void FlameView::paintEvent(QPaintEvent* event)
{
    const Palette& colors = Palette::current(palette());
    QPainter painter(viewport());
    painter.fillRect(event->rect(), colors.panel);
    if (m_tree->empty()) {
        painter.setPen(colors.mutedText);
        painter.drawText(viewport()->rect().adjusted(16, 8, -16, -8), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
        return;
    }
    for (const Frame& frame : m_frames)
        if (rectOf(frame).intersects(event->rect()))
            paintFrame(painter, frame);
    if (!hasFocus())
        return;
    const QRect rect = rectOf(m_current).adjusted(0, 0, -1, -1);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(colors.accent, 2));
    painter.drawRect(rect.adjusted(1, 1, -1, -1));
}

}  // namespace overlane
