// The keyboard overview and the About box. Both are made when asked for.
#pragma once

class QWidget;

namespace overlane
{

void showShortcuts(QWidget* parent);
void showAbout(QWidget* parent);

}  // namespace overlane
