# CUDA is optional: with its headers the collector is built, without them everything else is.
#
# Defines overlane_cuda_headers (cuda.h, cupti.h) where they are found; nothing of CUDA is linked.
# The programs find the driver and CUPTI at run time.
set(OVERLANE_CUDA AUTO CACHE STRING "Recording of CUDA programs: AUTO (if CUDA's headers are here), ON or OFF")
set_property(CACHE OVERLANE_CUDA PROPERTY STRINGS AUTO ON OFF)

if(NOT OVERLANE_CUDA STREQUAL "OFF")
  find_package(CUDAToolkit 12 QUIET)
  set(places ${CUDAToolkit_INCLUDE_DIRS} $ENV{CUDA_HOME}/include /usr/local/cuda/include)
  foreach(place IN LISTS CUDAToolkit_INCLUDE_DIRS)
    list(APPEND places ${place}/../extras/CUPTI/include)
  endforeach()
  find_path(OVERLANE_CUDA_INCLUDE_DIR cuda.h HINTS ${places} NO_DEFAULT_PATH)
  find_path(OVERLANE_CUPTI_INCLUDE_DIR cupti.h HINTS ${places} /usr/local/cuda/extras/CUPTI/include NO_DEFAULT_PATH)
  if(OVERLANE_CUDA_INCLUDE_DIR AND OVERLANE_CUPTI_INCLUDE_DIR)
    add_library(overlane_cuda_headers INTERFACE)
    target_include_directories(overlane_cuda_headers SYSTEM INTERFACE
      ${OVERLANE_CUDA_INCLUDE_DIR} ${OVERLANE_CUPTI_INCLUDE_DIR})
    message(STATUS "CUDA: recording is built with ${OVERLANE_CUPTI_INCLUDE_DIR}/cupti.h")
  elseif(OVERLANE_CUDA STREQUAL "ON")
    message(FATAL_ERROR "OVERLANE_CUDA is ON but cuda.h or cupti.h was not found; set CUDAToolkit_ROOT")
  else()
    message(STATUS "CUDA: headers not found, recording is not built")
  endif()
endif()

# The CUDA engine has kernels, so it needs nvcc as well.
set(OVERLANE_CUDA_ARCHITECTURES "75-real;80-real;86-real;89-real;90" CACHE STRING "GPUs that the kernels are compiled for")
if(TARGET overlane_cuda_headers AND CUDAToolkit_FOUND)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX} AND CUDAToolkit_NVCC_EXECUTABLE)
    set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE})
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    message(STATUS "CUDA: the engine is built with ${CMAKE_CUDA_COMPILER}")
  else()
    message(STATUS "CUDA: no nvcc, runs on a real GPU are not built")
  endif()
endif()
