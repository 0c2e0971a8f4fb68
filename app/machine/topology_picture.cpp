#include "app/machine/topology_picture.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include "app/machine/bytes_text.h"
#include "app/theme/palette.h"
#include "app/widgets/rich_text.h"
#include "app/widgets/text.h"
#include "core/content/block.h"
#include "core/system/numa_tables.h"

namespace overlane
{

namespace
{

constexpr double kCornerPx = 5;
constexpr double kBoundPx = 2.5;

void drawLine(QPainter& painter, const QRect& box, int line, const QString& text)
{
    const QRect at(box.left() + kNodePadPx, box.top() + kNodePadPx + line * kNodeLinePx, box.width() - 2 * kNodePadPx,
                   kNodeLinePx);
    painter.drawText(at, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(text, Qt::ElideRight, at.width()));
}

}  // namespace

TopologyPicture::TopologyPicture(QWidget* parent) : QWidget(parent)
{
    setObjectName("topologyPicture");
    setAccessibleName(u"NUMA nodes and GPUs"_s);
    setMouseTracking(true);
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

void TopologyPicture::setTopology(const NumaTopology& topology)
{
    m_topology = topology;
    m_geometry = layOutTopology(m_topology, width());
    m_hovered = -1;
    QStringList spoken{text(spokenText(nodeTable(topology))), text(spokenText(gpuTable(topology)))};
    spoken.removeAll(QString());
    setAccessibleDescription(spoken.join(u"; "_s));
    updateGeometry();
    update();
}

void TopologyPicture::setBoundNode(int id)
{
    m_bound = id;
    update();
}

QString TopologyPicture::distanceText(std::size_t node) const
{
    if (m_hovered < 0 || m_topology.nodes.size() < 2)
        return {};
    const int distance = m_topology.distance(static_cast<std::size_t>(m_hovered), node);
    return distance < 0 ? QString() : u"distance %1"_s.arg(distance);
}

void TopologyPicture::resizeEvent(QResizeEvent*)
{
    m_geometry = layOutTopology(m_topology, width());
    updateGeometry();
}

void TopologyPicture::mouseMoveEvent(QMouseEvent* event)
{
    hover(m_geometry.nodeAt(event->pos()));
}

void TopologyPicture::leaveEvent(QEvent*)
{
    hover(-1);
}

void TopologyPicture::hover(int node)
{
    if (m_hovered == node)
        return;
    m_hovered = node;
    update();
}

QString TopologyPicture::tipOf(int node) const
{
    Table table = nodeTable(m_topology);
    table.title.clear();
    table.rows = {table.rows[static_cast<std::size_t>(node)]};
    return richText({std::move(table)}, Palette::current(palette()));
}

bool TopologyPicture::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const int node = m_geometry.nodeAt(help->pos());
    if (node >= 0)
        QToolTip::showText(help->globalPos(), tipOf(node), this);
    else
        QToolTip::hideText();
    return true;
}

void TopologyPicture::paintGpu(QPainter& painter, const Palette& palette, const NumaGpu& gpu, const QRect& box) const
{
    const QColor ink = palette.kind(EventKind::Kernel);
    painter.setPen(Qt::NoPen);
    painter.setBrush(ink);
    painter.drawRoundedRect(box, kCornerPx, kCornerPx);
    painter.setPen(palette.textOn(ink));
    const QRect text = box.adjusted(8, 3, -8, -3);
    const QFontMetrics metrics = painter.fontMetrics();
    painter.drawText(text, Qt::AlignTop | Qt::AlignLeft,
                     metrics.elidedText(QString::fromStdString(gpu.name), Qt::ElideMiddle, text.width()));
    const std::string told = gpu.linkText();
    const QString link = QString::fromStdString(told.empty() ? gpu.address : told + "  " + gpu.address);
    painter.drawText(text, Qt::AlignBottom | Qt::AlignLeft, metrics.elidedText(link, Qt::ElideRight, text.width()));
}

void TopologyPicture::paintNode(QPainter& painter, const Palette& palette, std::size_t at) const
{
    const NumaNode& node = m_topology.nodes[at];
    const TopologyGeometry::Node& place = m_geometry.nodes[at];
    const bool bound = node.id == m_bound;
    const bool hovered = static_cast<int>(at) == m_hovered;
    painter.setPen(QPen(bound ? palette.accent : palette.border, bound ? kBoundPx : 1.0));
    painter.setBrush(hovered ? palette.lanesAlternate : palette.panel);
    painter.drawRoundedRect(QRectF(place.box).adjusted(1.5, 1.5, -1.5, -1.5), kCornerPx, kCornerPx);

    painter.setPen(palette.text);
    QFont bold = painter.font();
    bold.setBold(true);
    const QFont plain = painter.font();
    painter.setFont(bold);
    QString name = u"Node %1"_s.arg(node.id);
    if (node.socket >= 0)
        name += u" · socket %1"_s.arg(node.socket);
    drawLine(painter, place.box, 0, name);
    painter.setFont(plain);
    const QString distance = distanceText(at);
    if (!distance.isEmpty()) {
        painter.setPen(palette.accent);
        painter.drawText(
            QRect(place.box.left(), place.box.top() + kNodePadPx, place.box.width() - kNodePadPx, kNodeLinePx),
            Qt::AlignRight | Qt::AlignVCenter, distance);
    }
    painter.setPen(palette.text);
    drawLine(painter, place.box, 1,
             node.processors.empty() ? u"no processors"_s
                                     : u"%1 %2 · processors %3"_s.arg(node.cores)
                                           .arg(node.cores == 1 ? "core" : "cores")
                                           .arg(text(numberListText(node.processors))));
    const QString memory = u"%1 of memory, %2 free"_s.arg(bytesText(node.totalBytes), bytesText(node.freeBytes));
    const bool fits = painter.fontMetrics().horizontalAdvance(memory) <= place.box.width() - 2 * kNodePadPx;
    drawLine(painter, place.box, 2,
             fits ? memory : u"%1, %2 free"_s.arg(bytesText(node.totalBytes), bytesText(node.freeBytes)));
    painter.setPen(Qt::NoPen);
    painter.setBrush(palette.grid);
    painter.drawRect(place.memory);
    if (node.totalBytes > 0) {
        QRect used = place.memory;
        used.setWidth(
            static_cast<int>(static_cast<double>(used.width()) *
                             (1 - static_cast<double>(node.freeBytes) / static_cast<double>(node.totalBytes))));
        painter.setBrush(palette.kind(EventKind::Loader));
        painter.drawRect(used);
    }
    for (std::size_t gpu = 0; gpu < place.gpus.size(); ++gpu)
        paintGpu(painter, palette, m_topology.gpus[static_cast<std::size_t>(place.indices[gpu])], place.gpus[gpu]);
}

void TopologyPicture::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Palette& palette = Palette::current(this->palette());
    for (const TopologyGeometry::Link& link : m_geometry.links) {
        painter.setPen(QPen(palette.mutedText, 1.5));
        const int y = link.line.center().y();
        painter.drawLine(link.line.left(), y, link.line.right() + 1, y);
        const int distance = m_topology.distance(link.from, link.to);
        if (distance < 0)
            continue;
        painter.setPen(palette.text);
        painter.drawText(QRect(link.line.left(), y - kNodeLinePx - 2, link.line.width(), kNodeLinePx), Qt::AlignCenter,
                         QString::number(distance));
    }
    for (std::size_t at = 0; at < m_geometry.nodes.size(); ++at)
        paintNode(painter, palette, at);
    if (m_geometry.unplaced.indices.empty())
        return;
    painter.setPen(palette.mutedText);
    drawLine(painter, m_geometry.unplaced.box, 0, u"The system does not say which node these are on:"_s);
    for (std::size_t gpu = 0; gpu < m_geometry.unplaced.gpus.size(); ++gpu)
        paintGpu(painter, palette, m_topology.gpus[static_cast<std::size_t>(m_geometry.unplaced.indices[gpu])],
                 m_geometry.unplaced.gpus[gpu]);
}

}  // namespace overlane
