// ProseLabel: text of a lesson in one of a few looks, that grows where a room reads along.
//
// Lives on the GUI thread. Markdown or plain text; links open in the browser. The size follows setScale(),
// which enlarges every look alike.
#pragma once

#include <map>

#include <QFont>
#include <QLabel>
#include <QMargins>
#include <QString>

namespace overlane
{

// What Qt makes of Markdown, without a font of its own: to be shown in any size. Code breaks where it
// must, and a number keeps its unit.
QString markdownHtml(const QString& markdown);

class ProseLabel : public QLabel
{
    Q_OBJECT

public:
    // Quiet: the size of Body, the color of Muted.
    enum class Look : std::uint8_t { Title, Heading, Body, Strong, Quiet, Muted };

    explicit ProseLabel(Look look, QWidget* parent = nullptr);

    void setMarkdown(const QString& markdown);
    void setPlain(const QString& text);
    void setScale(double scale);

    // All labels, and other widgets with text, below a widget.
    static void scaleAll(QWidget* root, double scale);

    // Kept for each width, since layouts ask for the same ones again and again.
    int heightForWidth(int widthPx) const override;

protected:
    void changeEvent(QEvent* event) override;

private:
    void dress();

    // What heights follow from.
    struct Measured {
        QString text;
        QFont font;
        QMargins margins;

        bool operator==(const Measured&) const = default;
    };

    Look m_look;
    double m_scale = 1;
    mutable Measured m_measured;
    mutable std::map<int, int> m_heightsPx;  // by width
};

}  // namespace overlane
