#include "app/shell/help_window.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

#include <QAbstractTextDocumentLayout>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QListWidget>
#include <QScrollBar>
#include <QShortcut>
#include <QSignalBlocker>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextList>
#include <QTextTable>
#include <QTimer>
#include <QVBoxLayout>

#include "app/shell/help_search.h"
#include "app/theme/palette.h"
#include "app/widgets/screen_room.h"
#include "app/widgets/text.h"
#include "core/analysis/cause_table.h"

namespace overlane
{

namespace
{

constexpr qreal kCellPx = 4;
// A line of text that is read with ease.
constexpr int kMostCharacters = 80;
constexpr int kMarginPx = 14;
constexpr int kListPx = 290;
constexpr float kMarkOpacity = 0.3F;

struct HelpPage {
    const char* name;
    const char* title;
};

constexpr std::array kPages = {
    HelpPage{"start-explore", "Start here: explore settings"},
    HelpPage{"start-trace", "Start here: open a trace"},
    HelpPage{"start-teach", "Start here: teach"},
    HelpPage{"recording", "Record a program"},
    HelpPage{"recording-job", "Record a job"},
    HelpPage{"recording-host", "Record on another machine"},
    HelpPage{"watch", "Watch a long run"},
    HelpPage{"recording-trouble", "Fix a recording"},
    HelpPage{"doctor", "Check this machine"},
    HelpPage{"pytorch", "Record a DataLoader"},
    HelpPage{"stacks", "Find slow host code"},
    HelpPage{"figures", "Read the metrics"},
    HelpPage{"names", "Sum up by name"},
    HelpPage{"flame", "Read a flame graph"},
    HelpPage{"iterations", "Choose the iterations"},
    HelpPage{"gpu-idle", "Find why no kernel runs"},
    HelpPage{"exposed-copies", "Find why a copy is exposed"},
    HelpPage{"roles", "Find what copies carry"},
    HelpPage{"findings", "Read the findings"},
    HelpPage{"findings-hazards", "Findings: hazards"},
    HelpPage{"findings-pinning", "Findings: pinning"},
    HelpPage{"findings-streams", "Findings: streams"},
    HelpPage{"findings-link", "Findings: the link"},
    HelpPage{"findings-transfers", "Findings: other transfers"},
    HelpPage{"findings-loader", "Findings: loader and memory"},
    HelpPage{"findings-host", "Findings: host"},
    HelpPage{"findings-gpu", "Findings: GPU"},
    HelpPage{"pinned", "Pin the memory"},
    HelpPage{"streams", "Use a side stream"},
    HelpPage{"memory", "Watch memory pressure"},
    HelpPage{"calculator", "Calculate pinned memory"},
    HelpPage{"pressure", "Try memory pressure"},
    HelpPage{"numa", "Bind to the GPU's NUMA node"},
    HelpPage{"whatif", "Predict a change with what-if"},
    HelpPage{"whatif-changes", "Choose a change to predict"},
    HelpPage{"whatif-trust", "Judge a prediction"},
    HelpPage{"trying", "Try settings on the program"},
    HelpPage{"compare", "Compare two traces"},
    HelpPage{"jobs", "Compare the ranks of a job"},
    HelpPage{"fleets", "Many runs as one table"},
    HelpPage{"checks", "Check in CI"},
    HelpPage{"checks-rules", "Write rules for CI"},
    HelpPage{"report", "Write a report"},
    HelpPage{"python", "Use Overlane from Python"},
    HelpPage{"sweeps", "Run a sweep"},
    HelpPage{"sweep-metrics", "Choose a metric for a sweep"},
    HelpPage{"advisor", "Ask the advisor"},
    HelpPage{"advisor-certainty", "Judge an advice"},
    HelpPage{"calibrate", "Calibrate a machine"},
    HelpPage{"calibrate-figures", "Read the figures of a profile"},
    HelpPage{"fidelity", "Check the simulation accuracy"},
    HelpPage{"lessons", "Run lessons"},
    HelpPage{"lesson-files", "Write a lesson"},
    HelpPage{"lesson-blocks", "Write the blocks of a lesson"},
    HelpPage{"lesson-expressions", "Write expressions in lessons"},
    HelpPage{"keys", "Keyboard and mouse"},
    HelpPage{"format", "Keep traces in .overlane files"},
};

QUrl urlOf(const QString& page)
{
    return QUrl(u"qrc:/help/%1.md"_s.arg(page));
}

QString pageOf(const QUrl& url)
{
    return QFileInfo(url.path()).completeBaseName();
}

// The rows of the causes of idle time, where a page asks for them.
QByteArray withCauses(QByteArray page)
{
    QByteArray table = "| id | shown as | meaning |\n|---|---|---|\n";
    for (const LostCauseRow& row : lostCauses())
        table += fmt::format("| `{}` | `{}` | {} |\n", row.id, row.name, row.explanation);
    return page.replace("<!-- causes: core/analysis/cause_table.cpp -->\n", table);
}

// Qt's Markdown sets paragraphs and tables without a space between them.
void spread(QTextDocument& page)
{
    constexpr qreal kBetweenPx = 8;
    constexpr qreal kAboveHeadingPx = 14;
    QTextCursor whole(&page);
    whole.beginEditBlock();  // laid out once, not with every block
    for (QTextBlock block = page.begin(); block.isValid(); block = block.next()) {
        QTextCursor cursor(block);
        QTextBlockFormat format = block.blockFormat();
        if (QTextTable* table = cursor.currentTable()) {
            QTextTableFormat look = table->format();
            if (look.cellPadding() == kCellPx)
                continue;
            look.setTopMargin(kBetweenPx / 2);
            look.setBottomMargin(kBetweenPx);
            look.setCellPadding(kCellPx);
            look.setCellSpacing(0);
            look.setBorderCollapse(true);
            table->setFormat(look);
            continue;
        }
        // The lines of a list and of code stand close, but for the last one.
        const bool isCode = format.nonBreakableLines();
        const QTextBlock next = block.next();
        if ((isCode || block.textList() != nullptr) && next.isValid() && next.textList() == block.textList() &&
            next.blockFormat().nonBreakableLines() == isCode)
            continue;
        if (format.headingLevel() > 0 && block.blockNumber() > 0)
            format.setTopMargin(kAboveHeadingPx);
        format.setBottomMargin(kBetweenPx);
        cursor.setBlockFormat(format);
    }
    whole.endEditBlock();
}

}  // namespace

// Reads pages from the program, what is made of them included; the page of keys from a function.
class HelpBrowser : public QTextBrowser
{
public:
    HelpBrowser(std::function<QString()> keys, QWidget* parent) : QTextBrowser(parent), m_keys(std::move(keys)) {}
    QString page() const { return pageOf(source()); }
    // A page, whichever is shown, without the look of its blocks.
    void read(const QString& name, QTextDocument& page)
    {
        const QVariant resource = loadResource(QTextDocument::MarkdownResource, urlOf(name));
        if (name == QLatin1String(HelpWindow::kKeys))
            page.setHtml(resource.toString());
        else
            page.setMarkdown(QString::fromUtf8(resource.toByteArray()));
    }

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        const int mostPx = kMostCharacters * fontMetrics().averageCharWidth() + 2 * kMarginPx;
        setLineWrapMode(QTextEdit::FixedPixelWidth);
        setLineWrapColumnOrWidth(std::min(mostPx, viewport()->width()));
        QTextBrowser::resizeEvent(event);
    }
    void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override
    {
        const bool keys = pageOf(url) == QLatin1String(HelpWindow::kKeys);
        QTextCursor whole(document());
        whole.beginEditBlock();  // laid out once, not with every word; HelpWindow scrolls to a section later
        QTextBrowser::doSetSource(url, keys ? QTextDocument::HtmlResource : type);
        whole.endEditBlock();
        if (!keys)
            spread(*document());
    }
    QVariant loadResource(int type, const QUrl& name) override
    {
        if (pageOf(name) == QLatin1String(HelpWindow::kKeys))
            return m_keys();
        const QVariant resource = QTextBrowser::loadResource(type, name);
        return type == QTextDocument::MarkdownResource ? withCauses(resource.toByteArray()) : resource;
    }

private:
    std::function<QString()> m_keys;
};

HelpWindow::HelpWindow(std::function<QString()> keys, QWidget* parent)
    : QDialog(parent), m_list(new QListWidget(this)), m_browser(new HelpBrowser(std::move(keys), this))
{
    setWindowTitle(u"Overlane help"_s);
    setObjectName("helpWindow");
    m_list->setObjectName("helpPages");
    m_list->setAccessibleName(u"Pages"_s);
    for (const HelpPage& page : kPages)
        m_list->addItem(overlane::text(page.title));
    m_browser->setObjectName("helpText");
    m_browser->setAccessibleName(u"Help"_s);
    m_browser->setOpenExternalLinks(true);
    m_browser->document()->setDocumentMargin(kMarginPx);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* across = new QHBoxLayout;
    std::vector<HelpSearch::Page> searched;
    searched.reserve(kPages.size());
    for (const HelpPage& page : kPages)
        searched.push_back({QString::fromLatin1(page.name), overlane::text(page.title),
                            [this, name = page.name](QTextDocument& document) { m_browser->read(name, document); }});
    m_search = new HelpSearch(std::move(searched), m_list, this);
    m_search->setFixedWidth(kListPx);
    across->addWidget(m_search);
    across->addWidget(m_browser, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(across, 1);
    layout->addWidget(buttons);
    resize(withinScreen(*this, {1000, 680}));

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(m_list, &QListWidget::currentRowChanged, this, [this](int row) {
        const QString wanted = pages().value(row);
        if (!wanted.isEmpty() && wanted != page())
            m_browser->setSource(urlOf(wanted));
    });
    connect(m_search, &HelpSearch::lineChosen, this, &HelpWindow::showLine);
    connect(m_search, &HelpSearch::wordsChanged, this, &HelpWindow::markWords);
    const auto key = [this](const QKeySequence& pressed, auto run) {
        connect(new QShortcut(pressed, this), &QShortcut::activated, this, run);
    };
    key(QKeySequence::Find, [this] { m_search->begin(); });
    key(QKeySequence(Qt::Key_F3), [this] { m_search->next(); });
    key(QKeySequence(Qt::SHIFT | Qt::Key_F3), [this] { m_search->previous(); });
    key(QKeySequence(Qt::ALT | Qt::Key_Left), [this] { m_browser->backward(); });
    key(QKeySequence(Qt::ALT | Qt::Key_Right), [this] { m_browser->forward(); });
    connect(m_browser, &QTextBrowser::sourceChanged, this, &HelpWindow::follow);
}

QStringList HelpWindow::pages()
{
    QStringList names;
    for (const HelpPage& page : kPages)
        names << QString::fromLatin1(page.name);
    return names;
}

void HelpWindow::open(const QString& page, const QString& section)
{
    m_search->clear();
    m_search->forget();  // the keys of the menus may be others now
    m_browser->setSource(urlOf(page));
    show();
    scrollTo(section);
    raise();
    activateWindow();
    m_browser->setFocus();
}

// Markdown makes no anchors of headings.
void HelpWindow::scrollTo(const QString& section)
{
    m_section.clear();
    if (section.isEmpty())
        return;
    for (QTextBlock block = m_browser->document()->begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || !block.text().startsWith(section))
            continue;
        m_browser->setTextCursor(QTextCursor(block));
        const QRectF at = m_browser->document()->documentLayout()->blockBoundingRect(block);
        m_browser->verticalScrollBar()->setValue(static_cast<int>(at.top()));
        m_section = section;
        return;
    }
}

void HelpWindow::showLine(const QString& page, int block)
{
    if (page != this->page())
        m_browser->setSource(urlOf(page));
    markWords();
    QTextCursor cursor =
        m_browser->document()->find(m_search->words(), m_browser->document()->findBlockByNumber(block).position());
    if (cursor.isNull())
        return;
    const QRectF at = m_browser->document()->documentLayout()->blockBoundingRect(cursor.block());
    m_browser->verticalScrollBar()->setValue(static_cast<int>(at.top()) - m_browser->viewport()->height() / 3);
    m_browser->setTextCursor(cursor);
}

void HelpWindow::markWords()
{
    QList<QTextEdit::ExtraSelection> marked;
    QTextEdit::ExtraSelection one;
    QColor ground = Palette::current(palette()).accent;
    ground.setAlphaF(kMarkOpacity);
    one.format.setBackground(ground);
    if (const QString words = m_search->words(); !words.isEmpty())
        for (one.cursor = m_browser->document()->find(words); !one.cursor.isNull();
             one.cursor = m_browser->document()->find(words, one.cursor))
            marked << one;
    m_browser->setExtraSelections(marked);
}

QString HelpWindow::page() const
{
    return m_browser->page();
}

QString HelpWindow::text() const
{
    return m_browser->toPlainText();
}

void HelpWindow::follow(const QUrl& url)
{
    // The browser says where it goes before it is there.
    const QSignalBlocker quiet(m_list);
    m_list->setCurrentRow(static_cast<int>(pages().indexOf(pageOf(url))));
    QTimer::singleShot(0, this, &HelpWindow::markWords);
    if (url.hasFragment())
        QTimer::singleShot(0, this, [this, section = url.fragment()] { scrollTo(section); });
}

}  // namespace overlane
