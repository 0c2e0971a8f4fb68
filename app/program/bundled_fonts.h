// Fonts for a system that has none, a bare server above all: those that a portable package carries in
// share/overlane/fonts next to its programs. GUI thread, before the first widget.
#pragma once

class QApplication;

namespace overlane
{

// While it lives, a system without files of fontconfig has those of the program, and Qt finds the fonts there. The
// variable that says so is gone again before a program is started that would inherit it. GUI thread.
class BundledFontconfig
{
public:
    BundledFontconfig();
    ~BundledFontconfig();
    BundledFontconfig(const BundledFontconfig&) = delete;
    BundledFontconfig& operator=(const BundledFontconfig&) = delete;

private:
    bool m_named = false;
};

// True if text can be read: with a font of the system or, where that has none, one that came with the program and is
// the application's font from then on. GUI thread.
bool ensureFont(QApplication& application);

}  // namespace overlane
