// HelpWindow: the pages of help beside a list of them and a search over them: the keys, what the figures mean, why
// memory is pinned, why copies want a stream of their own, the file format.
//
// Lives on the GUI thread, beside the main window, without stopping it. The pages are Markdown built
// into the program (resources/help); that of the keys is made when asked for. Links between pages work.
#pragma once

#include <functional>

#include <QDialog>

class QListWidget;

namespace overlane
{

class HelpBrowser;
class HelpSearch;

class HelpWindow : public QDialog
{
    Q_OBJECT

public:
    // `keys` makes the page of shortcuts, as rich text.
    HelpWindow(std::function<QString()> keys, QWidget* parent);

    // Names of pages, as in resources/help, without ".md"; kKeys is the page of shortcuts.
    static constexpr const char* kKeys = "keys";
    static QStringList pages();
    // `section`: scrolls to the heading that begins with it.
    void open(const QString& page, const QString& section = {});
    QString page() const;
    // The section scrolled to; empty where there is none of that name.
    QString section() const { return m_section; }
    QString text() const;
    HelpSearch* search() const { return m_search; }

private:
    void follow(const QUrl& url);
    void scrollTo(const QString& section);
    void showLine(const QString& page, int block);
    // All places of the words searched for.
    void markWords();

    QString m_section;
    QListWidget* m_list;
    HelpBrowser* m_browser;
    HelpSearch* m_search;
};

}  // namespace overlane
