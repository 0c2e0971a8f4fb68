// LegendRow: what the colors, patterns and marks of the timeline mean; always visible and whole.
//
// Lives on the GUI thread; shares nothing. Explains what the shown traces hold, and always the memory
// of copies; takes as many lines as its width needs.
#pragma once

#include <vector>

#include <QString>
#include <QWidget>

#include "app/theme/palette.h"
#include "core/lod/pyramid.h"

namespace overlane
{

struct LegendEntry {
    enum class Sample : std::uint8_t { Bar, Staged, Mixed, Returned };
    QString text;
    EventKind kind = EventKind::CopyH2D;
    MemoryPattern pattern = MemoryPattern::Solid;
    Sample sample = Sample::Bar;
};

// The most telling first. Null is left out.
std::vector<LegendEntry> legendEntries(const std::vector<const Pyramid*>& traces);
// Where entries of these widths lie, line after line; none is left out, one wider than a line is
// cut there.
std::vector<QRect> legendPlaces(const std::vector<int>& widthsPx, int widthPx);

class LegendRow : public QWidget
{
    Q_OBJECT

public:
    explicit LegendRow(QWidget* parent = nullptr);

    void setTraces(const std::vector<const Pyramid*>& traces);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void arrange();

    std::vector<LegendEntry> m_entries;
    std::vector<QRect> m_places;
};

}  // namespace overlane
