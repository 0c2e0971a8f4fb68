// TimeCursor: the one time that is pointed at, in lanes, ruler and gauges alike.
//
// Lives on the GUI thread. Nanoseconds of the trace whose range its owner has (ViewRange::cursor()).
#pragma once

#include <cstdint>
#include <optional>

#include <QColor>
#include <QObject>
#include <QSize>

class QPainter;

namespace overlane
{

class ViewRange;

class TimeCursor : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    // None where the pointer is elsewhere.
    std::optional<std::int64_t> ns() const { return m_ns; }
    void pointAt(std::optional<std::int64_t> ns)
    {
        if (ns == m_ns)
            return;
        m_ns = ns;
        emit moved();
    }

    // The second cursor: where a measurement began. The ruler shows the distance from it.
    std::optional<std::int64_t> measuredFrom() const { return m_fromNs; }
    void measureFrom(std::optional<std::int64_t> ns)
    {
        if (ns == m_fromNs)
            return;
        m_fromNs = ns;
        emit moved();
    }

signals:
    void moved();

private:
    std::optional<std::int64_t> m_ns;
    std::optional<std::int64_t> m_fromNs;
};

// Its place in a widget as wide as lanes, ruler and gauges are; none out of sight.
std::optional<int> cursorPx(const ViewRange& view, int widgetWidthPx);
// The time at a place of such a widget; none beside the time axis.
std::optional<std::int64_t> timeAtPx(const ViewRange& view, int xPx, int widgetWidthPx);
void paintCursorLine(QPainter& painter, const ViewRange& view, const QSize& widgetPx, const QColor& color);

}  // namespace overlane
