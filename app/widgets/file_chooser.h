// FileChooser: how the window asks a person for the name of a file or folder. Functions, so that a
// test, which drives the window without a person, answers instead. An empty answer means "cancelled". GUI thread.
#pragma once

#include <functional>

#include <QFileDialog>

namespace overlane
{

struct FileChooser {
    using Ask =
        std::function<QString(QWidget* parent, const QString& title, const QString& suggested, const QString& filters)>;
    Ask toOpen = [](QWidget* parent, const QString& title, const QString& suggested, const QString& filters) {
        return QFileDialog::getOpenFileName(parent, title, suggested, filters);
    };
    Ask toSave = [](QWidget* parent, const QString& title, const QString& suggested, const QString& filters) {
        return QFileDialog::getSaveFileName(parent, title, suggested, filters);
    };
    using AskFolder = std::function<QString(QWidget* parent, const QString& title, const QString& suggested)>;
    AskFolder toFolder = [](QWidget* parent, const QString& title, const QString& suggested) {
        return QFileDialog::getExistingDirectory(parent, title, suggested);
    };
};

}  // namespace overlane
