#include "app/theme/code_font.h"

#include <QFontDatabase>
#include <QWidget>

namespace overlane
{

void showAsCode(QWidget* widget)
{
    widget->setProperty("code", true);
}

QString codeFontRule()
{
    return QStringLiteral("QPlainTextEdit[code=\"true\"], QLineEdit[code=\"true\"] { font-family: \"%1\"; }")
        .arg(QFontDatabase::systemFont(QFontDatabase::FixedFont).family());
}

}  // namespace overlane
