// Magnified: a widget drawn larger than it is laid out, letters, lines and all, for a room that reads along.
//
// Lives on the GUI thread; owns the widget. At a factor of 1 the widget lies in it like in any other; above, it
// is laid out in the space divided by the factor and drawn through a graphics view, which keeps letters
// sharp and hands mouse and keys on.
#pragma once

#include <QWidget>

class QGraphicsProxyWidget;
class QGraphicsView;

namespace overlane
{

class Magnified : public QWidget
{
    Q_OBJECT

public:
    explicit Magnified(QWidget* content, QWidget* parent = nullptr);
    ~Magnified() override;

    void setFactor(double factor);
    double factor() const { return m_factor; }
    QSize sizeHint() const override { return m_content->sizeHint(); }
    QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    QWidget* m_content;
    double m_factor = 1;
    QGraphicsView* m_view = nullptr;  // above 1
    QGraphicsProxyWidget* m_proxy = nullptr;
};

}  // namespace overlane
