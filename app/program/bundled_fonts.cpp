#include "app/program/bundled_fonts.h"

#include <QApplication>
#include <QDir>
#include <QFont>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QRawFont>

#include "app/widgets/text.h"

namespace overlane
{
namespace
{

// Families are always listed. Without a font every letter is a box, as wide as any other and of no file.
bool onlyBoxes()
{
    const QFontMetrics metrics{QFont()};
    return metrics.horizontalAdvance('i') == metrics.horizontalAdvance('W') &&
           QRawFont::fromFont(QFont()).fontTable("head").isEmpty();  // which opens the font once more
}

}  // namespace

bool ensureFont(QApplication& application)
{
    if (!onlyBoxes())
        return true;
    const QDir fonts(QCoreApplication::applicationDirPath() + u"/../share/overlane/fonts"_s);
    for (const QString& file : fonts.entryList({u"*.ttf"_s}, QDir::Files))
        QFontDatabase::addApplicationFont(fonts.filePath(file));
    QFont font = application.font();
    font.setFamily(u"DejaVu Sans"_s);
    application.setFont(font);
    return !onlyBoxes();
}

}  // namespace overlane
