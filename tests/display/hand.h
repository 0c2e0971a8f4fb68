// A hand at the display: real keyboard events through the X server, by xdotool, and what the window
// manager says of a window, by xwininfo. Pixels of the screen. Every wait is for a condition.
#pragma once

#include <functional>
#include <optional>

#include <QElapsedTimer>
#include <QProcess>
#include <QRect>
#include <QRegularExpression>
#include <QStringList>
#include <QTest>

namespace overlane
{

constexpr int kLongestWaitMs = 60'000;

// What a tool answers; nothing where it fails. Events of this process go on: the window may be its own.
inline std::optional<QString> tool(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.start(program, arguments);
    const auto ended = [&process] { return process.state() == QProcess::NotRunning; };
    if (!QTest::qWaitFor(ended, kLongestWaitMs) || process.exitCode() != 0)
        return {};
    return QString::fromUtf8(process.readAllStandardOutput()).trimmed();
}

inline bool hand(const QStringList& arguments)
{
    return tool(QStringLiteral("xdotool"), arguments).has_value();
}

// Asks now and then, not all the time: the machine has other work.
inline bool waitFor(const std::function<bool()>& condition, int longestMs = kLongestWaitMs)
{
    constexpr int kAgainMs = 50;
    QElapsedTimer clock;
    clock.start();
    while (!condition()) {
        if (clock.elapsed() > longestMs)
            return false;
        QTest::qWait(kAgainMs);
    }
    return true;
}

// Where the inside of a window is on the screen, without its frame; empty where there is no such window.
inline QRect placeOf(const QString& window)
{
    const auto answer = tool(QStringLiteral("xwininfo"), {"-id", window});
    const auto number = [&answer](const char* name) {
        static const QString kNumber = QStringLiteral(":\\s*(-?\\d+)");
        const auto found = QRegularExpression(QString::fromUtf8(name) + kNumber).match(answer.value_or(QString()));
        return found.captured(1).toInt();
    };
    return {number("Absolute upper-left X"), number("Absolute upper-left Y"), number("Width"), number("Height")};
}

inline QSize screenSize()
{
    const auto answer = tool(QStringLiteral("xdotool"), {"getdisplaygeometry"});
    const QStringList parts = answer.value_or(QString()).split(' ');
    return parts.size() == 2 ? QSize(parts[0].toInt(), parts[1].toInt()) : QSize();
}

}  // namespace overlane
