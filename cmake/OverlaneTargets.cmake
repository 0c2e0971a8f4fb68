# How Overlane's targets are made: one static library per folder, one test program per folder.

find_package(Threads REQUIRED)
include(OverlanePrecompiled)

add_library(overlane_options INTERFACE)
target_include_directories(overlane_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(overlane_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Known false positives of GCC 12 on inlined std::string and std::variant.
  target_compile_options(overlane_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized -Wno-missing-field-initializers)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
    # Suspects every reference that a function with a temporary argument returns, statics too; and every source that
    # OVERLANE_UNITY includes in another, as if it were a header.
    target_compile_options(overlane_options INTERFACE -Wno-dangling-reference -Wno-subobject-linkage)
  endif()
else()
  target_compile_options(overlane_options INTERFACE -Wno-missing-field-initializers)
endif()
if(OVERLANE_SANITIZE)
  target_compile_options(overlane_options INTERFACE -fsanitize=${OVERLANE_SANITIZE} -fno-omit-frame-pointer
                                                    -fno-sanitize-recover=all)
  target_link_options(overlane_options INTERFACE -fsanitize=${OVERLANE_SANITIZE})
endif()
set(OVERLANE_LIBFUZZER OFF)
if(OVERLANE_FUZZ AND CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND OVERLANE_SANITIZE MATCHES "address")
  set(OVERLANE_LIBFUZZER ON)
  # libFuzzer steers by the coverage of the readers themselves.
  target_compile_options(overlane_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# overlane_library(NAME [DEPENDS targets...]): all sources of the current folder as overlane_NAME.
# The dependencies are the only Overlane headers' libraries it may see (see tests/layers.py).
function(overlane_library name)
  cmake_parse_arguments(arg "" "" "DEPENDS;PRIVATE" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp *.h)
  file(GLOB implementation CONFIGURE_DEPENDS *.cpp)
  if(implementation)
    add_library(overlane_${name} STATIC ${sources})
    target_link_libraries(overlane_${name} PUBLIC overlane_options ${arg_DEPENDS} PRIVATE ${arg_PRIVATE})
    if("Qt6::Widgets" IN_LIST arg_DEPENDS)
      overlane_precompile(overlane_${name} window_library)
    elseif("fmt::fmt" IN_LIST arg_PRIVATE)
      overlane_precompile(overlane_${name} library)
    endif()
    set_target_properties(overlane_${name} PROPERTIES UNITY_BUILD ${OVERLANE_UNITY})
  else()
    add_library(overlane_${name} INTERFACE)
    target_link_libraries(overlane_${name} INTERFACE overlane_options ${arg_DEPENDS} ${arg_PRIVATE})
  endif()
endfunction()

# overlane_apart(GLOB...): sources of the current folder that are compiled one by one, since a test replaces them.
function(overlane_apart)
  file(GLOB sources CONFIGURE_DEPENDS ${ARGN})
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# overlane_add_test(NAME [PARTS n] [ENVIRONMENT ...]): a GoogleTest program as one test or, where it is long, as n tests
# (NAME.1 to NAME.n) that run beside each other and begin before the others.
function(overlane_add_test name)
  cmake_parse_arguments(arg "" "PARTS" "ENVIRONMENT" ${ARGN})
  if(NOT arg_PARTS)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES ENVIRONMENT "${arg_ENVIRONMENT}")
    return()
  endif()
  foreach(part RANGE 1 ${arg_PARTS})
    math(EXPR index "${part} - 1")
    add_test(NAME ${name}.${part} COMMAND ${name})
    set_tests_properties(${name}.${part} PROPERTIES COST 30
      ENVIRONMENT "${arg_ENVIRONMENT};GTEST_TOTAL_SHARDS=${arg_PARTS};GTEST_SHARD_INDEX=${index}")
  endforeach()
endfunction()

# overlane_test(NAME [PARTS n] [DEPENDS targets...]): all sources of the current folder as one GoogleTest program.
function(overlane_test name)
  cmake_parse_arguments(arg "" "PARTS" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE overlane_options overlane_test_support ${arg_DEPENDS} GTest::gtest GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE OVERLANE_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  overlane_precompile(${name} test)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${OVERLANE_UNITY})
  overlane_add_test(${name} PARTS ${arg_PARTS})
endfunction()

# overlane_window_program(NAME [DEPENDS targets...] [DEFINITIONS ...]): all sources of the current folder as one
# GoogleTest program with widgets; without a main.cpp of its own it takes that of tests/widget.
function(overlane_window_program name)
  cmake_parse_arguments(arg "" "" "DEPENDS;DEFINITIONS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.cpp)
  if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/main.cpp)
    list(APPEND sources ${PROJECT_SOURCE_DIR}/tests/widget/main.cpp)
  endif()
  if(OVERLANE_SANITIZE MATCHES "thread")
    set(clone ${PROJECT_SOURCE_DIR}/tests/support/clone_past_sanitizer.cpp)
    set_source_files_properties(${clone} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
    list(APPEND sources ${clone})
  endif()
  add_executable(${name} ${sources})
  target_link_libraries(${name} PRIVATE overlane_options overlane_test_support ${arg_DEPENDS} Qt6::Test GTest::gtest
                                         GTest::gmock)
  target_compile_definitions(${name} PRIVATE OVERLANE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" ${arg_DEFINITIONS}
                             OVERLANE_PICTURES="${CMAKE_CURRENT_BINARY_DIR}/pictures")
  overlane_precompile(${name} window_test)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${OVERLANE_UNITY})
endfunction()

# overlane_window_test(NAME [PARTS n] ...): the same as a test without a display.
function(overlane_window_test name)
  cmake_parse_arguments(arg "" "PARTS" "" ${ARGN})
  overlane_window_program(${name} ${arg_UNPARSED_ARGUMENTS})
  overlane_add_test(${name} PARTS ${arg_PARTS} ENVIRONMENT QT_QPA_PLATFORM=offscreen)
endfunction()

# overlane_commit(TARGET): the program's own sources may include "build_commit.h" (cmake/build_commit.cmake).
add_custom_target(build_commit
  COMMAND ${CMAKE_COMMAND} -DSOURCES=${PROJECT_SOURCE_DIR} -DHEADER=${PROJECT_BINARY_DIR}/generated/build_commit.h
          -P ${PROJECT_SOURCE_DIR}/cmake/build_commit.cmake
  BYPRODUCTS ${PROJECT_BINARY_DIR}/generated/build_commit.h)
function(overlane_commit target)
  add_dependencies(${target} build_commit)
  target_include_directories(${target} PRIVATE ${PROJECT_BINARY_DIR}/generated)
endfunction()
