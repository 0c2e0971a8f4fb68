// TimeCursor: the one time that is pointed at, in lanes, ruler and gauges alike.
//
// Lives on the GUI thread. Nanoseconds of the trace whose range its owner has (ViewRange::cursor()).
#pragma once

#include <cstdint>
#include <optional>

#include <QObject>

namespace overlane
{

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

signals:
    void moved();

private:
    std::optional<std::int64_t> m_ns;
};

}  // namespace overlane
