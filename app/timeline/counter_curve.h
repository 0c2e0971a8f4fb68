// CounterCurve: a counter in a plot, as steps above a filled ground.
//
// Lives on the GUI thread; owned by the plot it was made for. Draws one column of pixels at a time, so that
// its cost follows the width of the plot and not the number of samples. Behind the end of the trace there is no
// curve and no ground. Pixels from the left edge of the plot.
#pragma once

#include <QColor>
#include <QRect>
#include <qcustomplot.h>

#include "app/timeline/counter_samples.h"

namespace overlane
{

class CounterCurve : public QCPAbstractPlottable
{
public:
    CounterCurve(QCPAxis* keyAxis, QCPAxis* valueAxis);

    struct Inks {
        QColor line;
        QColor fill;
        QColor nothing;  // behind the end
        QColor end;      // the border to it
    };
    void setInks(const Inks& inks) { m_inks = inks; }
    // The trace ends at `endPx`, which may lie on either side of what is shown.
    void setSamples(CounterSamples samples, double endPx);
    const CounterSamples& samples() const { return m_samples; }

    double selectTest(const QPointF& pos, bool onlySelectable, QVariant* details) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain, const QCPRange& keys) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
    void drawSteps(QCPPainter* painter, const QRect& area) const;

    Inks m_inks;
    CounterSamples m_samples;
    double m_endPx = 0;
};

}  // namespace overlane
