#include "app/program/bundled_fonts.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFont>
#include <QFontDatabase>
#include <QFontMetrics>
#include <QRawFont>

#include "app/widgets/text.h"
#include "core/system/gpu_support.h"

namespace overlane
{
namespace
{

constexpr const char* kFontconfig = "FONTCONFIG_FILE";

// Families are always listed. Without a font every letter is a box, as wide as any other and of no file.
bool onlyBoxes()
{
    const QFontMetrics metrics{QFont()};
    return metrics.horizontalAdvance('i') == metrics.horizontalAdvance('W') &&
           QRawFont::fromFont(QFont()).fontTable("head").isEmpty();  // which opens the font once more
}

}  // namespace

BundledFontconfig::BundledFontconfig()
{
    if (qEnvironmentVariableIsSet(kFontconfig) || qEnvironmentVariableIsSet("FONTCONFIG_PATH") ||
        QFile::exists(u"/etc/fonts/fonts.conf"_s))
        return;
    const auto file = companionPath("../share/overlane/fonts/fonts.conf");
    m_named = !file.empty() && qputenv(kFontconfig, QByteArray::fromStdString(file.string()));
}

BundledFontconfig::~BundledFontconfig()
{
    if (m_named)
        qunsetenv(kFontconfig);
}

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
