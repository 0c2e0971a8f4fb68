// WindowStyle: Fusion, with the tool tips, titles of docks and separators of the window's palette, and in
// high contrast with borders, which Fusion draws darker than its ground.
//
// A style instead of a style sheet: one of the application is matched against each widget that is made, which took
// more time than making them (tests/bench/README.md). Lives on the GUI thread; reads Palette::current().
#pragma once

#include <QProxyStyle>

namespace overlane
{

class WindowStyle : public QProxyStyle
{
    Q_OBJECT

public:
    WindowStyle();

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* returned) const override;

    bool motionReduced() const { return m_motionReduced; }
    // Then nothing glides or blinks: widgets learn it by a StyleChange.
    void setMotionReduced(bool reduced);

private:
    bool m_motionReduced = false;
    int m_flashMs;  // the platform's
};

}  // namespace overlane
