// DropTarget: says over the window that what is dragged may be dropped, and what becomes of it.
//
// Lives on the GUI thread, over all of its parent; the mouse goes through it.
#pragma once

#include <QWidget>

namespace overlane
{

class DropTarget : public QWidget
{
    Q_OBJECT

public:
    explicit DropTarget(QWidget* parent);

    // So many files are over the window.
    enum class Kind { Traces, Job, Fleet };

    void offer(int files, Kind kind);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_sentence;
};

}  // namespace overlane
