// SvgObjects: the pictures of a text document, drawn as vectors where their place in the text is.
//
// Made on the thread that lays the document out, which asks it for sizes and drawings, and outlives that layout.
#pragma once

#include <vector>

#include <QByteArray>
#include <QObject>
#include <QSizeF>
#include <QTextObjectInterface>

namespace overlane
{

// A document names them by number, in QTextFormat::ImageName.
class SvgObjects : public QObject, public QTextObjectInterface
{
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    // `widthPx` of the text and `scale` to the paper's pixels, from those of the document.
    SvgObjects(double widthPx, double scale) : m_widthPx(widthPx), m_scale(scale) {}

    // Its number.
    qsizetype add(const QByteArray& svg);
    // As wide as the text; swatches, which stand in a line of it, as they are.
    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& place, QTextDocument* document, int position,
                    const QTextFormat& format) override;

private:
    struct Picture {
        QByteArray svg;
        QSizeF size;  // asked for with every layout
    };
    const Picture& pictureOf(const QTextFormat& format) const;

    std::vector<Picture> m_pictures;
    double m_widthPx;
    double m_scale;
};

}  // namespace overlane
