// The font of code, commands and JSON: each letter as wide as the next.
//
// A property that the application's style sheet gives the font to: a font that is set directly is lost where a
// widget gets another parent under a style sheet.
#pragma once

#include <QString>

class QWidget;

namespace overlane
{

// Before the widget is shown.
void showAsCode(QWidget* widget);
// Part of the application's style sheet.
QString codeFontRule();

}  // namespace overlane
