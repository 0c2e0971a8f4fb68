// HelpSearch: a field that searches the pages of help as one types, and the lines that hold the words, by page.
//
// Lives on the GUI thread. The texts of the pages are read when the first search begins, and again by forget(). Without
// words the list of pages stands in the place of the lines.
#pragma once

#include <functional>
#include <vector>

#include <QString>
#include <QStringList>
#include <QWidget>

class QLabel;
class QLineEdit;
class QListWidget;
class QTextDocument;

namespace overlane
{

class HelpSearch : public QWidget
{
    Q_OBJECT

public:
    struct Page {
        QString name;
        QString title;
        std::function<void(QTextDocument& document)> read;  // as the page is shown
    };

    // Takes `list`, of all pages.
    HelpSearch(std::vector<Page> pages, QListWidget* list, QWidget* parent = nullptr);

    // The field has the focus, its words are selected.
    void begin();
    void clear();
    void forget() { m_lines.clear(); }
    QString words() const;
    void next() { step(1); }
    void previous() { step(-1); }

signals:
    // A line was chosen: the block of this number in the page.
    void lineChosen(const QString& page, int block);
    void wordsChanged(const QString& words);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Line {
        std::size_t page;
        int block;
        QString text;
    };
    void readPages();
    void search();
    void step(int by);
    void choose(int row);

    std::vector<Page> m_pages;
    std::vector<Line> m_lines;  // of all pages, in their order; empty until they are read
    QLineEdit* m_field;
    QLabel* m_count;
    QListWidget* m_list;
    QListWidget* m_hits;
};

}  // namespace overlane
