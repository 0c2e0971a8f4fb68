#include "app/lessons/prose_label.h"

#include <algorithm>
#include <utility>

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QRegularExpression>
#include <QTextDocument>

#include "app/lessons/code_lines.h"
#include "app/theme/palette.h"
#include "app/widgets/firm_units.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kBodyPx = 14;

int sizePx(ProseLabel::Look look)
{
    switch (look) {
        case ProseLabel::Look::Title:
            return 21;
        case ProseLabel::Look::Heading:
            return 15;
        case ProseLabel::Look::Body:
        case ProseLabel::Look::Strong:
        case ProseLabel::Look::Quiet:
            return kBodyPx;
        case ProseLabel::Look::Muted:
            break;
    }
    return 12;
}

}  // namespace

ProseLabel::ProseLabel(Look look, QWidget* parent) : QLabel(parent), m_look(look)
{
    setWordWrap(true);
    setTextFormat(Qt::PlainText);
    setOpenExternalLinks(true);
    setTextInteractionFlags(Qt::TextBrowserInteraction);
    setFocusPolicy(Qt::NoFocus);
    QSizePolicy policy(QSizePolicy::Ignored, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    dress();
}

void ProseLabel::setMarkdown(const QString& markdown)
{
    setTextFormat(Qt::RichText);
    const QString html = markdownHtml(markdown);
    setText(html);
    // The keyboard goes from link to link, and past what has none.
    setFocusPolicy(html.contains(QLatin1String("<a href=")) ? Qt::StrongFocus : Qt::NoFocus);
}

QString markdownHtml(const QString& markdown)
{
    // What stands in backticks is to be copied as it is.
    QStringList parts = withRemarksAbove(markdown).split('`');
    for (qsizetype i = 0; i < parts.size(); i += 2)
        parts[i] = withFirmUnits(parts[i]);
    QTextDocument document;
    document.setMarkdown(parts.join('`'));
    const QString html = document.toHtml();
    const auto from = html.indexOf('>', html.indexOf(u"<body"_s)) + 1;
    QString body = html.mid(from, html.lastIndexOf(u"</body>"_s) - from).trimmed();
    // Qt's Markdown knows no space between paragraphs, and a last one needs none.
    static const QRegularExpression kSizes(u"font-size:[0-9.]+p[tx];"_s);
    body.remove(kSizes);
    body.replace(u"<pre style=\""_s, u"<pre style=\"white-space:pre-wrap; font-size:small;"_s);
    static const QRegularExpression kItem(u"(<li[^>]*)margin-left:0px"_s);
    body.replace(kItem, u"\\1margin-left:-20px"_s);
    body.replace(u"cellspacing=\"2\""_s, u"cellspacing=\"0\" cellpadding=\"4\""_s);
    const auto last = body.lastIndexOf(u"<p style"_s);
    QString before = body.left(std::max<qsizetype>(0, last));
    before.replace(u"margin-bottom:0px; margin-left:0px"_s, u"margin-bottom:8px; margin-left:0px"_s);
    return before + body.mid(std::max<qsizetype>(0, last));
}

void ProseLabel::setPlain(const QString& text)
{
    setTextFormat(Qt::PlainText);
    setText(withFirmUnits(text));
}

void ProseLabel::setScale(double scale)
{
    m_scale = scale;
    dress();
}

int ProseLabel::heightForWidth(int widthPx) const
{
    Measured now{text(), font(), contentsMargins()};
    if (now != m_measured) {
        m_measured = std::move(now);
        m_heightsPx.clear();
    }
    const auto known = m_heightsPx.find(widthPx);
    if (known != m_heightsPx.end())
        return known->second;
    return m_heightsPx[widthPx] = QLabel::heightForWidth(widthPx);
}

void ProseLabel::dress()
{
    QFont wanted = font();
    wanted.setPixelSize(static_cast<int>(sizePx(m_look) * m_scale));
    wanted.setWeight(m_look == Look::Body || m_look == Look::Quiet || m_look == Look::Muted ? QFont::Normal
                                                                                            : QFont::DemiBold);
    if (wanted != font())
        setFont(wanted);
    const Palette& colors = Palette::current();
    const QColor ink = m_look == Look::Muted || m_look == Look::Quiet ? colors.mutedText : colors.text;
    if (palette().color(QPalette::WindowText) == ink)
        return;
    QPalette own = palette();
    own.setColor(QPalette::WindowText, ink);
    own.setColor(QPalette::Text, ink);
    setPalette(own);
}

void ProseLabel::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::PaletteChange)
        dress();
}

void ProseLabel::scaleAll(QWidget* root, double scale)
{
    for (ProseLabel* label : root->findChildren<ProseLabel*>())
        label->setScale(scale);
    const auto enlarge = [scale](QWidget* widget) {
        QFont font = widget->font();
        font.setPixelSize(static_cast<int>(13 * scale));
        widget->setFont(font);
    };
    for (QAbstractButton* button : root->findChildren<QAbstractButton*>())
        enlarge(button);
    for (QLabel* label : root->findChildren<QLabel*>())
        if (qobject_cast<ProseLabel*>(label) == nullptr)
            enlarge(label);
    for (QComboBox* box : root->findChildren<QComboBox*>())
        enlarge(box);
    for (QLineEdit* field : root->findChildren<QLineEdit*>())
        enlarge(field);
    for (QAbstractSpinBox* box : root->findChildren<QAbstractSpinBox*>()) {
        enlarge(box);
        box->setFixedWidth(box->sizeHint().width());
    }
}

}  // namespace overlane
