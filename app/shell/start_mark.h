// StartMark: whether the last start of the window got as far as its first paint.
//
// Lives on the GUI thread. A mark among the user's settings with the id of the process, set before the window
// is shown and taken away by its first paint or by an end in good order; what is found later is of a start that
// crashed or was killed on the way. The mark of a process that still runs is of a window that opens beside this.
#pragma once

#include <QObject>

class QWidget;

namespace overlane
{

class StartMark : public QObject
{
    Q_OBJECT

public:
    // Sets the mark for this process; `window` is the one that has to be painted.
    explicit StartMark(QWidget* window);
    ~StartMark() override;

    // Whether the start before this one never painted.
    bool lastNeverPainted() const { return m_lastNeverPainted; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void clear();

    bool m_lastNeverPainted = false;
    bool m_set = true;
};

}  // namespace overlane
