// FocusMark: a frame around what the keyboard came to where the style draws none: texts, lists and tables without a
// row, areas that scroll, and widgets that ask for it.
//
// GUI thread; one for the application, made by applyTheme().
#pragma once

#include <QObject>
#include <QPointer>

class QFocusFrame;
class QWidget;

namespace overlane
{

class FocusMark : public QObject
{
    Q_OBJECT

public:
    static constexpr int kFramePx = 2;

    explicit FocusMark(QObject* parent);
    ~FocusMark() override;

    // The widget draws no focus of its own.
    static void askFor(QWidget* widget);

protected:
    // The marked widget was resized.
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void follow(QWidget* focused);
    void fit();

    QPointer<QFocusFrame> m_frame;  // a child of the marked widget, which may delete it
};

}  // namespace overlane
