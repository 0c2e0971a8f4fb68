#include "app/ui/help_dialogs.h"

#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLabel>
#include <QMessageBox>
#include <QVBoxLayout>

#include "app/ui/text.h"
#include "core/host/gpu_support.h"

namespace overlane
{

namespace
{

struct Shortcut {
    const char* keys;
    const char* meaning;
};

constexpr Shortcut kShortcuts[] = {
    {"W  S", "zoom in, zoom out"},
    {"A  D  ←  →", "move left, move right"},
    {"Ctrl + wheel", "zoom at the cursor"},
    {"Shift + wheel", "move sideways"},
    {"F", "zoom to the selected event or range"},
    {"M", "select the range of the selected event"},
    {"drag over the lanes or the ruler", "select a range; every figure follows it"},
    {"Esc", "drop the selection"},
    {"Backspace, Alt+←   Alt+→", "zoom history back, forward"},
    {"Ctrl+0", "the whole trace"},
    {"/  Ctrl+F", "find events by name"},
    {"F3  Shift+F3", "next hit, previous hit"},
    {"Ctrl+Z  Ctrl+Shift+Z", "undo, redo a change of the laboratory"},
    {"Ctrl+K", "keep the present run as A, or drop it"},
    {"Ctrl+J", "show the worst exposed copy"},
    {"Ctrl+O  Ctrl+S  Ctrl+Shift+S", "open, save, save as"},
    {"?  F1", "this page"},
};

}  // namespace

void showShortcuts(QWidget* parent)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(QObject::tr("Keyboard and mouse"));
    QString rows;
    for (const Shortcut& shortcut : kShortcuts)
        rows += QStringLiteral("<tr><td style='padding:2px 24px 2px 0'><b>%1</b></td><td>%2</td></tr>")
                    .arg(QString::fromUtf8(shortcut.keys), QObject::tr(shortcut.meaning));
    auto* table = new QLabel(QStringLiteral("<table>%1</table>").arg(rows), dialog);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(table);
    layout->addWidget(buttons);
    dialog->show();
}

void showAbout(QWidget* parent)
{
    QMessageBox::about(
        parent, QObject::tr("About Overlane"),
        QObject::tr(
            "<h3>Overlane %1</h3><p>Do the copies to the GPU hide behind the compute, and if not, why, what does "
            "it cost, and what would change it?</p><p>Free software under the GNU General Public License, "
            "version 3 or later. Uses Qt %2 and QCustomPlot.</p><p>This window simulates and reads traces; "
            "recording and runs on a real GPU are not in this version.</p><p>This machine: %3</p>")
            .arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion()),
                 text(detectGpuSupport().sentence)));
}

}  // namespace overlane
