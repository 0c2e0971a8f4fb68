// The bytes that QWidget::saveGeometry() makes of a window, for windows that another screen had.
#pragma once

#include <QDataStream>
#include <QIODevice>
#include <QRect>

namespace overlane
{

// The format of Qt 5.4 and later. `window` in device-independent pixels, without its frame.
inline QByteArray savedGeometry(const QRect& window, bool maximized)
{
    constexpr quint32 kMagic = 0x1D9D0CB;
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_4_0);
    const QRect frame = window.adjusted(-1, -20, 1, 1);
    stream << kMagic << quint16(3) << quint16(0) << frame << window << qint32(0) << quint8(maximized ? 1 : 0)
           << quint8(0) << qint32(window.right() + 1) << window;
    return bytes;
}

}  // namespace overlane
