#include "app/theme/motion_choice.h"

#include <QApplication>
#include <QFile>
#include <QStandardPaths>
#include <QTimer>

#include "app/theme/window_style.h"

namespace overlane
{

namespace
{

constexpr qint64 kMostBytes = 1 << 20;  // of a file of settings

}  // namespace

MotionChoice::~MotionChoice()
{
    if (m_question == nullptr)
        return;
    m_question->disconnect(this);
    m_question->kill();
    m_question->waitForFinished(kLongestMs);
}

void MotionChoice::choose(Choice choice)
{
    m_choice = choice;
    apply();
}

void MotionChoice::apply()
{
    if (auto* style = qobject_cast<WindowStyle*>(qApp->style()))
        style->setMotionReduced(m_choice == Choice::Reduced || (m_choice == Choice::Desktop && m_desktopWantsLess));
}

void MotionChoice::take(std::optional<bool> wantsLess)
{
    m_desktopWantsLess = wantsLess.value_or(false);
    apply();
    emit desktopAnswered();
}

std::optional<bool> MotionChoice::kdeWantsLess(const QString& kdeglobals)
{
    bool inGroup = false;
    for (const QString& each : kdeglobals.split(QLatin1Char('\n'))) {
        const QString line = each.trimmed();
        if (line.startsWith(QLatin1Char('[')))
            inGroup = line == QLatin1String("[KDE]");
        else if (inGroup &&
                 line.section(QLatin1Char('='), 0, 0).trimmed() == QLatin1String("AnimationDurationFactor")) {
            bool isNumber = false;
            const double factor = line.section(QLatin1Char('='), 1).trimmed().toDouble(&isNumber);
            return isNumber ? std::optional(factor <= 0) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<bool> MotionChoice::gnomeWantsLess(const QString& printed)
{
    const QString word = printed.trimmed();
    if (word == QLatin1String("false"))
        return true;
    return word == QLatin1String("true") ? std::optional(false) : std::nullopt;
}

void MotionChoice::askDesktop()
{
    if (qEnvironmentVariable("XDG_CURRENT_DESKTOP").contains(QLatin1String("KDE"), Qt::CaseInsensitive)) {
        QFile file(QStandardPaths::locate(QStandardPaths::GenericConfigLocation, QStringLiteral("kdeglobals")));
        const bool readable = !file.fileName().isEmpty() && file.open(QIODevice::ReadOnly);
        return take(readable ? kdeWantsLess(QString::fromUtf8(file.read(kMostBytes))) : std::nullopt);
    }
    const QString program = QStandardPaths::findExecutable(QStringLiteral("gsettings"));
    if (program.isEmpty())
        return take(std::nullopt);
    auto* process = new QProcess(this);
    m_question = process;
    connect(process, &QProcess::finished, this, [this, process](int code, QProcess::ExitStatus status) {
        const bool answered = status == QProcess::NormalExit && code == 0;
        take(answered ? gnomeWantsLess(QString::fromUtf8(process->readAllStandardOutput())) : std::nullopt);
        process->deleteLater();
    });
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;  // finished() follows
        take(std::nullopt);
        process->deleteLater();
    });
    QTimer::singleShot(kLongestMs, process, &QProcess::kill);
    process->start(program, {QStringLiteral("get"), QStringLiteral("org.gnome.desktop.interface"),
                             QStringLiteral("enable-animations")});
}

}  // namespace overlane
