#include <iostream>

#include "core/cli/cli.h"

int main(int argc, char** argv)
{
    return overlane::runCli({argv + 1, argv + argc}, std::cout, std::cerr);
}
