// Words for a shell that this program did not choose.
//
// A login shell may be any: sh, bash, zsh, csh, fish. What `ssh` hands it is therefore one short line that all of these
// read alike (loginCommand()); the script itself comes over standard input and is read by /bin/sh. Pure functions, any
// thread; bytes are kept, whatever their encoding.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace overlane
{

// One word of a POSIX shell: 'text', with its own quotes written as '\''.
std::string shellWord(std::string_view text);
// Words with a space between.
std::string shellWords(std::span<const std::string> words);
// As a person would type it: quoted only where it must be.
std::string typedWord(std::string_view text);

// Reads a script of so many bytes from standard input and runs it with /bin/sh, which has what follows as its input.
std::string loginCommand(std::size_t scriptBytes);

// "srun -n 8" as words, by the rules of a shell for spaces and quotes; without its variables and patterns.
std::vector<std::string> wordsOfLine(std::string_view line);

}  // namespace overlane
