// FieldManners: what sliders, combo boxes, spin boxes and line edits of the whole program leave to others.
//
// The wheel turns a value only where the person is at it: over one without focus it scrolls the page, and no
// wheel takes the focus. Undo and redo are a field's own only while text is typed that is not taken yet;
// otherwise they are the window's. Lives on the GUI thread; works for every window and dialog of the
// program while it lives, also for those made later.
#pragma once

#include <QObject>

namespace overlane
{

class FieldManners : public QObject
{
    Q_OBJECT

public:
    explicit FieldManners(QObject* parent = nullptr);

    bool eventFilter(QObject* watched, QEvent* event) override;
};

}  // namespace overlane
