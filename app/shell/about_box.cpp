#include "app/shell/about_box.h"

#include <algorithm>

#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QIcon>
#include <QLabel>
#include <QVBoxLayout>

#include "app/session/driver_question.h"
#include "app/widgets/text.h"

namespace overlane
{

namespace
{

constexpr int kIconPx = 64;
constexpr int kWordsPx = 420;

}  // namespace

void showAbout(QWidget* parent, std::function<GpuSupport()> detect)
{
    auto* dialog = new QDialog(parent);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName("aboutBox");
    dialog->setWindowTitle(u"About Overlane"_s);
    auto* icon = new QLabel(dialog);
    icon->setPixmap(QIcon(u":/icons/overlane.svg"_s).pixmap(kIconPx));
    auto* about = new QLabel(
        u"<h3>Overlane %1</h3><p>Do the copies to the GPU hide behind the compute, and if not, why, what does "
        "it cost, and what would change it?</p><p>Free software under the GNU General Public License, "
        "version 3 or later. Uses Qt %2, QCustomPlot, SQLite, simdjson, zstd, zlib, fmt, CLI11 and "
        "nlohmann-json.</p>"_s.arg(QCoreApplication::applicationVersion(), QString::fromLatin1(qVersion())),
        dialog);
    auto* machine = new QLabel(u"This machine: asking the GPU driver …"_s, dialog);
    machine->setObjectName("aboutMachine");
    for (QLabel* label : {about, machine}) {
        label->setWordWrap(true);
        label->setMinimumWidth(kWordsPx);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    QObject::connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    auto* words = new QVBoxLayout;
    words->addWidget(about);
    words->addWidget(machine);
    auto* across = new QHBoxLayout;
    across->setSpacing(16);
    across->addWidget(icon, 0, Qt::AlignTop);
    across->addLayout(words, 1);
    auto* layout = new QVBoxLayout(dialog);
    layout->addLayout(across);
    layout->addWidget(buttons);
    // As high as its words at its width; the layouts in one another know it only once it is shown.
    const auto fit = [dialog, about, machine] {
        for (QLabel* label : {about, machine})
            label->setMinimumHeight(label->heightForWidth(std::max(kWordsPx, label->width())));
        dialog->adjustSize();
    };

    askDriver(machine, std::move(detect), [machine, fit](const GpuSupport& support) {
        machine->setText(u"This machine: %1"_s.arg(text(support.sentence)));
        fit();
    });
    fit();
    dialog->show();
}

}  // namespace overlane
