// FlameView: a call tree as frames, the root on top, a frame as wide as its time and its children below it.
//
// Lives on the GUI thread. A click or Enter zooms to a frame, whose callers stay on top of it as wide as the view; a
// click on one of these, Backspace or Escape zoom out again. One frame is the current one, which the arrows move and
// whose figures the accessible description has. Frames narrower than half a pixel are not laid out.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QAbstractScrollArea>

#include "core/names/call_tree.h"

namespace overlane
{

class FlameView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    static constexpr int kFramePx = 20;

    explicit FlameView(QWidget* parent = nullptr);

    // Zoom and current frame stay where the names on the way to them are the same.
    void setTree(std::shared_ptr<const CallTree> tree);
    const CallTree& tree() const { return *m_tree; }
    // Of the root's frame.
    void setTitle(const QString& title);
    // Names to highlight, beside those of the tree; empty for none.
    void setMatches(std::vector<bool> names);
    // Shown in place of an empty tree.
    void setEmptyText(const QString& text);
    QString emptyText() const { return m_emptyText; }

    void zoomTo(std::uint32_t node);
    void zoomOut();
    std::uint32_t zoomed() const { return m_zoomed; }
    std::uint32_t current() const { return m_current; }
    void setCurrent(std::uint32_t node);
    // In pixels of the viewport; empty for a frame that is not laid out.
    QRect rectOf(std::uint32_t node) const;
    // The root and whether there is a frame.
    std::optional<std::uint32_t> nodeAt(QPoint pos) const;
    // Name, time, share and count of a frame in words.
    QString wordsOf(std::uint32_t node) const;

signals:
    void menuRequested(std::uint32_t node, QPoint globalPos);
    void copyRequested(std::uint32_t node);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    struct Frame {
        std::uint32_t node = 0;
        std::uint32_t depth = 0;
        double left = 0;  // pixels
        double width = 0;
    };

    void layOut();
    void layOutBelow(std::uint32_t node, double left, double pxPerNs);
    const Frame* frameOf(std::uint32_t node) const;
    QRect rectOf(const Frame& frame) const;
    std::uint32_t sameIn(const CallTree& tree, std::uint32_t node) const;
    void moveCurrent(int key);
    void hover(std::optional<std::uint32_t> node);
    void paintFrame(QPainter& painter, const Frame& frame) const;

    std::shared_ptr<const CallTree> m_tree;
    std::vector<Frame> m_frames;                // in the order of the tree
    std::vector<bool> m_matches;                // beside the names of the tree
    mutable std::vector<QString> m_shortNames;  // likewise
    QString m_title;
    QString m_emptyText;
    std::uint32_t m_zoomed = 0;
    std::uint32_t m_current = 0;
    std::optional<std::uint32_t> m_hovered;
    std::optional<std::uint32_t> m_pressed;
};

}  // namespace overlane
