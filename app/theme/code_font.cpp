#include "app/theme/code_font.h"

#include <QFontDatabase>
#include <QWidget>

namespace overlane
{

void showAsCode(QWidget* widget)
{
    QFont font;
    font.setFamilies({QFontDatabase::systemFont(QFontDatabase::FixedFont).family()});
    widget->setFont(font);
}

}  // namespace overlane
