// A program without CUDA that does what the driver would do: loads the injection library and calls
// it. Prints what it would print anyway and exits with its own code.
// Usage: injected_program LIBRARY [fork]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv)
{
    constexpr int kOwnExitCode = 7;
    constexpr int kChildExitCode = 3;
    void* library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;
    auto* initialize =
        library != nullptr ? reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection")) : nullptr;
    if (initialize == nullptr || initialize() != 1 || initialize() != 1)
        return 1;
    if (argc > 2 && std::strcmp(argv[2], "fork") == 0) {
        const pid_t child = fork();
        if (child == 0)
            std::exit(kChildExitCode);
        int status = 0;
        waitpid(child, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != kChildExitCode)
            return 2;
    }
    std::puts("own output");
    return kOwnExitCode;
}
