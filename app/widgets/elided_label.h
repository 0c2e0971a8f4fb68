// ElidedLabel: plain text on a given number of lines that ends in an ellipsis where it does not fit; the
// tool tip has it whole, and it can be copied from the context menu.
//
// Lives on the GUI thread.
#pragma once

#include <QLabel>

namespace overlane
{

class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    // The label is as high as this many lines, whatever its text.
    void setLines(int lines);
    int lines() const { return m_lines; }
    // As high as the longest of these texts, at any width: what stands below does not move from one to another.
    void keepRoomFor(QStringList texts);
    // For the whole text at the present width, or at another.
    int linesNeeded() const { return linesNeeded(text()); }
    int linesNeeded(const QString& whole) const { return linesNeeded(whole, contentsRect().width()); }
    int linesNeeded(const QString& whole, int widthPx) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    // The text of each line at the present width, the last one elided.
    QStringList brokenLines() const;

    int m_lines = 1;
    QStringList m_roomFor;
};

}  // namespace overlane
