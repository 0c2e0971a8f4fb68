// The font of code, commands and JSON: each letter as wide as the next. GUI thread.
#pragma once

class QWidget;

namespace overlane
{

// Its size stays that of the widgets around it.
void showAsCode(QWidget* widget);

}  // namespace overlane
