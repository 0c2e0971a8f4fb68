// GaugeReadout: the time cursor over the gauges, with the value of each at that time.
//
// Lives on the GUI thread, over all of its parent; the mouse goes through it.
#pragma once

#include <vector>

#include <QWidget>

namespace overlane
{

class ViewRange;

class GaugeReadout : public QWidget
{
    Q_OBJECT

public:
    struct Value {
        QRect placePx;  // of the gauge
        QString text;   // empty where it has none yet
    };

    // The owner of the cursor is not taken over.
    GaugeReadout(const ViewRange* view, QWidget* parent);

    // Around the gauge that has the focus; null for none.
    void setFrame(const QRect& framePx);
    // From the top.
    void setValues(std::vector<Value> values);
    const std::vector<Value>& values() const { return m_values; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const ViewRange* m_view;
    QRect m_framePx;
    std::vector<Value> m_values;
};

}  // namespace overlane
