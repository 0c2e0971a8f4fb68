// ElidedLabel: plain text on a given number of lines that ends in an ellipsis where it does not fit; the
// tool tip has it whole, and it can be copied from the context menu.
//
// Lives on the GUI thread.
#pragma once

#include <QFont>
#include <QLabel>
#include <QList>

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

    // What was counted last; a bar asks for the same few texts whenever it is laid out.
    struct Counted {
        QString whole;
        QFont font;
        int widthPx = 0;
        int lines = 0;
    };
    static constexpr qsizetype kMostCounted = 8;
    mutable QList<Counted> m_counted;
    int m_lines = 1;
    QStringList m_roomFor;
};

}  // namespace overlane
