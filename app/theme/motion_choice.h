// MotionChoice: whether things glide and blink: as the desktop says, or as a person chose for this program.
//
// Lives on the GUI thread; tells the application's WindowStyle. What the desktop says is asked once, in the background:
// KDE keeps it in a file, GNOME and most others answer `gsettings`, which is ended after kLongestMs. A desktop
// that says nothing has motion.
#pragma once

#include <cstdint>
#include <optional>

#include <QObject>
#include <QPointer>
#include <QProcess>
#include <QString>

namespace overlane
{

class MotionChoice : public QObject
{
    Q_OBJECT

public:
    enum class Choice : std::uint8_t { Desktop = 0, Full = 1, Reduced = 2 };
    static constexpr int kLongestMs = 2000;

    using QObject::QObject;
    ~MotionChoice() override;  // ends the question, if it is open

    Choice choice() const { return m_choice; }
    void choose(Choice choice);
    // No answer yet, or none at all, counts as motion.
    bool desktopWantsLess() const { return m_desktopWantsLess; }
    void askDesktop();

    // From the text of a kdeglobals file; none where it does not say.
    static std::optional<bool> kdeWantsLess(const QString& kdeglobals);
    // From what `gsettings get org.gnome.desktop.interface enable-animations` prints.
    static std::optional<bool> gnomeWantsLess(const QString& printed);

signals:
    void desktopAnswered();

private:
    void take(std::optional<bool> wantsLess);
    void apply();

    QPointer<QProcess> m_question;  // a child of this, until it has ended
    Choice m_choice = Choice::Desktop;
    bool m_desktopWantsLess = false;
};

}  // namespace overlane
