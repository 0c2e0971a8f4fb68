// TopologyPicture: the machine's NUMA nodes as boxes, with their processors, memory and GPUs, and the
// distances between them; the mouse over a node shows its distance to every other.
//
// Lives on the GUI thread. The node to bind to has a thick border. Its height follows its width.
#pragma once

#include <QWidget>

#include "app/machine/topology_geometry.h"
#include "core/system/numa_topology.h"

namespace overlane
{

struct Palette;

class TopologyPicture : public QWidget
{
    Q_OBJECT

public:
    explicit TopologyPicture(QWidget* parent = nullptr);

    void setTopology(const NumaTopology& topology);
    const NumaTopology& topology() const { return m_topology; }
    // The node with the thick border, by its id; -1: none.
    void setBoundNode(int id);
    int boundNode() const { return m_bound; }
    // The node under the mouse; -1: none.
    int hoveredNode() const { return m_hovered; }
    // What stands in a node's corner: its distance from the hovered one, empty for none.
    QString distanceText(std::size_t node) const;

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int widthPx) const override { return layOutTopology(m_topology, widthPx).heightPx + 2; }
    QSize sizeHint() const override { return {600, heightForWidth(600)}; }
    QSize minimumSizeHint() const override { return {300, heightForWidth(std::max(300, width()))}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void hover(int node);
    QString tipOf(int node) const;
    void paintNode(QPainter& painter, const Palette& palette, std::size_t at) const;
    void paintGpu(QPainter& painter, const Palette& palette, const NumaGpu& gpu, const QRect& box) const;

    NumaTopology m_topology;
    TopologyGeometry m_geometry;
    int m_hovered = -1;
    int m_bound = -1;
};

}  // namespace overlane
