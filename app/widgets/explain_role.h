// How a thing in the window says what explains it: the key of an explanation (core/lessons/explanations.h), as
// a property of a widget or as the data of a cell or header.
//
// GUI thread.
#pragma once

#include <string>

#include <QString>
#include <QWidget>

namespace overlane
{

constexpr int kExplainRole = Qt::UserRole + 40;
constexpr const char* kExplainProperty = "explain";

inline void explainAs(QWidget* widget, const std::string& key)
{
    widget->setProperty(kExplainProperty, QString::fromStdString(key));
}

}  // namespace overlane
