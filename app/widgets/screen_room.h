// The size a dialog opens with: the one it would like, within the screen that it is on. Pixels of the window system;
// GUI thread.
#pragma once

#include <QGuiApplication>
#include <QLatin1String>
#include <QScreen>
#include <QSize>
#include <QWidget>

namespace overlane
{

// Of title and frame, which the window manager adds.
inline constexpr QSize kWindowFramePx{8, 36};

inline QSize withinScreen(const QWidget& dialog, QSize wanted)
{
    // Pictures are taken of windows larger than the screen that this platform claims.
    if (QGuiApplication::platformName() == QLatin1String("offscreen"))
        return wanted;
    return wanted.boundedTo(dialog.screen()->availableGeometry().size() - kWindowFramePx);
}

}  // namespace overlane
