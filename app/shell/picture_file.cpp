#include "app/shell/picture_file.h"

#include <QBuffer>
#include <QByteArray>
#include <QFileInfo>
#include <QObject>

#include "app/session/file_bytes.h"
#include "app/widgets/text.h"
#include "core/base/atomic_file.h"

namespace overlane
{

namespace
{

Error unwritten(const QString& path, const QString& why)
{
    return Error{u"The picture was not written to %1: %2 Is the folder there, writable and not full?"_s.arg(path, why)
                     .toStdString()};
}

}  // namespace

Result<void> writePicture(const QPixmap& picture, const QString& path)
{
    // A device or a pipe cannot be replaced.
    if (const QFileInfo present(path); present.exists() && !present.isFile())
        return picture.save(path, "PNG") ? Result<void>() : unwritten(path, u"it takes none."_s);
    QByteArray bytes;
    QBuffer buffer(&bytes);
    const bool drawn = buffer.open(QIODevice::WriteOnly) && picture.save(&buffer, "PNG");
    const Result<void> written = drawn ? writeWhole(fileBytes(path), {bytes.constData(), std::size_t(bytes.size())})
                                       : Error{"the picture cannot be made of the window."};
    return written.ok() ? written : unwritten(path, text(written.error()));
}

}  // namespace overlane
