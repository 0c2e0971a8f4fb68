# The system's compiler, linking with the stubs of an older glibc (stubs.sh) and with its own runtime inside.
# The stubs' folder comes as the environment's OVERLANE_GLIBC_STUBS, since CMake reads this file once more for each test.
set(CMAKE_C_COMPILER gcc)
set(CMAKE_CXX_COMPILER g++)
set(overlane_stubs $ENV{OVERLANE_GLIBC_STUBS})
if(NOT EXISTS ${overlane_stubs}/libc.so.6)
  message(FATAL_ERROR "OVERLANE_GLIBC_STUBS names no folder of tools/portable/stubs.sh")
endif()
set(overlane_link "-B${overlane_stubs} -L${overlane_stubs} -static-libstdc++ -static-libgcc")
# Other people's shared libraries may need a newer glibc here than where they will run.
string(APPEND overlane_link " -Wl,--allow-shlib-undefined -Wl,--gc-sections -Wl,--as-needed -Wl,-z,relro,-z,now,-z,noexecstack")
set(CMAKE_EXE_LINKER_FLAGS_INIT "${overlane_link}")
# What a library has of these inside is its own: the process that loads it may have others.
set(CMAKE_SHARED_LINKER_FLAGS_INIT "${overlane_link} -Wl,--exclude-libs,ALL -Wl,-z,defs")
set(CMAKE_MODULE_LINKER_FLAGS_INIT "${overlane_link} -Wl,--exclude-libs,ALL -Wl,-z,defs")
set(CMAKE_C_FLAGS_INIT "-ffunction-sections -fdata-sections")
set(CMAKE_CXX_FLAGS_INIT "-ffunction-sections -fdata-sections")
# The compiler's own archives come last and need these two, whatever the program itself needs.
set(overlane_system "-Wl,--whole-archive -lnewer_glibc -Wl,--no-whole-archive -Wl,--push-state,--no-as-needed -lpthread -ldl -Wl,--pop-state")
set(CMAKE_C_STANDARD_LIBRARIES "${overlane_system}")
set(CMAKE_CXX_STANDARD_LIBRARIES "${overlane_system}")
