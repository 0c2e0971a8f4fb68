// MemoryBar: a machine's RAM as one bar of parts, with a legend below it; what does not fit stands out
// beyond its end.
//
// Lives on the GUI thread. Parts narrower than a pixel are not drawn but stay in the legend and the
// tool tip. Bytes.
#pragma once

#include <cstdint>
#include <vector>

#include <QString>
#include <QWidget>

#include "app/theme/palette.h"

namespace overlane
{

class MemoryBar : public QWidget
{
    Q_OBJECT

public:
    enum class Role : std::uint8_t { Processes, Shared, Kernel, PageCache, Free, Pinned, Loader, Others, Swap };
    struct Part {
        QString label;
        std::int64_t bytes = 0;
        Role role = Role::Free;
    };

    explicit MemoryBar(QWidget* parent = nullptr);

    // `totalBytes` is the bar's end; parts beyond it are drawn past it, in the color of an error.
    void setParts(const QString& title, std::int64_t totalBytes, std::vector<Part> parts);
    const std::vector<Part>& parts() const { return m_parts; }
    std::int64_t totalBytes() const { return m_total; }
    // One for several bars below each other.
    void setLegendShown(bool shown);
    // The part under a pixel of the bar; -1: none.
    int partAt(QPoint at) const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }
    bool hasHeightForWidth() const override { return m_legend; }
    int heightForWidth(int widthPx) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    QRect barRect() const;
    // Pixels of the start of a part within the bar; all parts' and the total's share one scale.
    std::vector<int> edges() const;
    int legendLines(int widthPx) const;
    template <typename Draw>
    int layOutLegend(int widthPx, Draw draw) const;

    QString m_title;
    std::int64_t m_total = 0;
    std::vector<Part> m_parts;
    bool m_legend = true;
};

QColor memoryColor(const Palette& palette, MemoryBar::Role role);

}  // namespace overlane
