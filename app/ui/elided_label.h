// ElidedLabel: one line of plain text that ends in an ellipsis where it does not fit; the tool tip has it
// whole, and it can be copied from the context menu.
//
// Lives on the GUI thread.
#pragma once

#include <QLabel>

namespace overlane
{

class ElidedLabel : public QLabel
{
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
};

}  // namespace overlane
