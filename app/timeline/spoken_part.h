// SpokenPart: what a screen reader finds of a widget that has no widget of its own: a lane, an event, a gauge.
//
// GUI thread. Valid as long as the widget.
#pragma once

#include <QAccessible>
#include <QPointer>
#include <QWidget>

namespace overlane
{

class SpokenPart : public QAccessibleInterface
{
public:
    SpokenPart(QWidget* widget, QRect placePx) : m_widget(widget), m_placePx(placePx) {}
    bool isValid() const override { return m_widget != nullptr; }
    QObject* object() const override { return nullptr; }
    QWindow* window() const override { return m_widget ? m_widget->window()->windowHandle() : nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override
    {
        const QRect place = placePx();
        return m_widget ? QRect(m_widget->mapToGlobal(place.topLeft()), place.size()) : QRect();
    }

protected:
    virtual QRect placePx() const { return m_placePx; }
    QPointer<QWidget> m_widget;

private:
    QRect m_placePx;
};

}  // namespace overlane
