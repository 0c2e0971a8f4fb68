// DetailsRows: the rich text of the details panel while it is made: a heading, rows of name and value,
// paragraphs, links.
//
// A value; any thread.
#pragma once

#include <QString>

#include "app/details/details_text.h"
#include "app/widgets/firm_units.h"
#include "app/widgets/text.h"

namespace overlane
{

class DetailsRows
{
public:
    // Templated kernels have names of a thousand characters; this much tells them apart.
    static constexpr qsizetype kLongestHeading = 150;
    static constexpr int kBeforeHeadingPx = 12;

    // `follows`: other rows stand above it.
    DetailsRows(const QString& heading, const DetailsColors& colors, bool follows = false)
        : m_muted(colors.muted.name()), m_link(colors.link.name()), m_narrow(colors.narrow)
    {
        m_html = QStringLiteral("<p style='margin:%1px 0 4px 0'><b>%2</b></p>")
                     .arg(follows ? kBeforeHeadingPx : 0)
                     .arg(firm(elidedInTheMiddle(heading, kLongestHeading)).toHtmlEscaped());
    }
    // An arrow in "Memcpy HtoD (Pinned -> Device)" is one sign; a line would end within it.
    static QString firm(QString name) { return name.replace(QStringLiteral("->"), QStringLiteral("-\u2060>")); }
    static QString plain(QString shown) { return shown.remove(QChar(0x2060)); }
    QString link(const QString& target, const QString& label) const
    {
        return QStringLiteral("<a style='color:%1' href='%2'>%3</a>").arg(m_link, target, label.toHtmlEscaped());
    }
    void add(const QString& name, const QString& value) { addHtml(name, value.toHtmlEscaped()); }
    void addHtml(const QString& name, const QString& value)
    {
        if (m_narrow) {
            m_html +=
                QStringLiteral(
                    "<p style='margin:0 0 2px 12px; text-indent:-12px'><span style='color:%1'>%2</span> &nbsp;%3</p>")
                    .arg(m_muted, name.toHtmlEscaped(), value);
            return;
        }
        m_table += QStringLiteral(
                       "<tr><td style='color:%1; padding-right:8px; white-space:nowrap'>%2</td>"
                       "<td width='100%'>%3</td></tr>")
                       .arg(m_muted, name.toHtmlEscaped(), value);
    }
    void paragraph(const QString& text) { paragraphHtml(text.toHtmlEscaped()); }
    void muted(const QString& text)
    {
        paragraphHtml(QStringLiteral("<span style='color:%1'>%2</span>").arg(m_muted, text.toHtmlEscaped()));
    }
    void paragraphHtml(const QString& html)
    {
        flush();
        m_html += QStringLiteral("<p style='margin:6px 0 4px 0'>%1</p>").arg(html);
    }
    QString html()
    {
        flush();
        return richWithFirmUnits(m_html);
    }

private:
    void flush()
    {
        if (!m_table.isEmpty())
            m_html +=
                QStringLiteral("<table style='margin-top:4px' cellspacing='0' cellpadding='1'>%1</table>").arg(m_table);
        m_table.clear();
    }
    QString m_muted;
    QString m_link;
    QString m_html;
    QString m_table;
    bool m_narrow;
};

}  // namespace overlane
