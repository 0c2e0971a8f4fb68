#include <QFont>
#include <QStyleHints>
#include <QToolTip>

#include "app/theme/focus_mark.h"
#include "app/theme/palette.h"
#include "app/theme/window_style.h"

namespace overlane
{

namespace
{

bool systemIsDark([[maybe_unused]] const QApplication& application)
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    return application.styleHints()->colorScheme() == Qt::ColorScheme::Dark;
#else
    // The style's own palette before a theme was applied is the platform's.
    static const bool dark = application.palette().color(QPalette::Window).lightness() < 128;
    return dark;
#endif
}

}  // namespace

void applyTheme(QApplication& application, Theme theme)
{
    const bool dark = theme == Theme::Dark || (theme == Theme::System && systemIsDark(application));
    const Palette& palette = theme == Theme::HighContrast ? Palette::highContrastTheme()
                             : dark                       ? Palette::darkTheme()
                                                          : Palette::lightTheme();
    if (qobject_cast<WindowStyle*>(application.style()) == nullptr)
        application.setStyle(new WindowStyle);
    if (application.findChild<FocusMark*>() == nullptr)
        new FocusMark(&application);
    QFont font = application.font();
    font.setPixelSize(13);
    application.setFont(font);
    application.setPalette(palette.toQPalette());
    QToolTip::setPalette(palette.toQPalette());
}

}  // namespace overlane
