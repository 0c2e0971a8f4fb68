// WindowSoak: one window after another that does what a seeded chance says, as fast as it can.
//
// Lives on the GUI thread, offscreen. Every action goes through what a person has too: menus, keys, the
// document's and the panels' own calls. Questions are answered by chance. Files go to a folder of its own.
#pragma once

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <QStringList>
#include <QTemporaryDir>
#include <QTimer>

#include "app/shell/main_window.h"

namespace overlane
{

class WindowSoak
{
public:
    explicit WindowSoak(std::uint32_t seed);
    ~WindowSoak();

    // Does one action; its name.
    std::string act();
    // Waits until nothing runs. False where that takes more than a minute.
    bool settle();
    // What is wrong with the window now; empty where nothing is. `settled`: nothing ran before it was asked.
    std::string check(bool settled);
    // Another window in the place of this one, with the run of a first start.
    void startAnew();
    std::uint32_t chance(std::uint32_t below);

private:
    struct Action {
        const char* name;
        int weight;
        std::function<void()> run;
    };
    void add(const char* name, int weight, std::function<void()> run);
    void addFileActions();
    void addLaboratoryActions();
    void addViewActions();
    void addPanelActions();
    void answerQuestions();
    void trigger(const char* label);
    void key(QWidget* widget, int key, Qt::KeyboardModifiers modifiers = {});
    QString anyFile();
    void turnAnySetting();
    Interval anyRange();
    void runAndReturn();

    std::mt19937 m_random;
    QTemporaryDir m_folder;
    QStringList m_files;
    std::vector<Action> m_actions;
    std::vector<int> m_weights;
    bool m_runIsFollowed = true;  // the run shown must be of the laboratory's settings
    std::string m_found;          // by an action that checks something itself
    QTimer m_answers;
    std::unique_ptr<MainWindow> m_window;
};

}  // namespace overlane
