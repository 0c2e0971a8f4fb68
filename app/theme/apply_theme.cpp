#include <QFont>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleHints>
#include <QToolTip>

#include "app/theme/code_font.h"
#include "app/theme/palette.h"

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
    const Palette& palette = dark ? Palette::darkTheme() : Palette::lightTheme();
    if (application.style() == nullptr || application.style()->name() != QLatin1String("fusion"))
        application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QFont font = application.font();
    font.setPixelSize(13);
    application.setFont(font);
    application.setPalette(palette.toQPalette());
    QToolTip::setPalette(palette.toQPalette());
    application.setStyleSheet(
        QStringLiteral("QToolTip { border: 1px solid %1; padding: 4px; background: %2; color: %3; }"
                       "QDockWidget::title { padding: 4px 6px; background: %4; }"
                       "QMainWindow::separator { background: %1; width: 1px; height: 1px; }")
            .arg(palette.border.name(), palette.panel.name(), palette.text.name(), palette.window.name()) +
        codeFontRule());
}

}  // namespace overlane
