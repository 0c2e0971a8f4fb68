# Two commands front CMake: `make run` and `make test`. Each first installs what is missing.
# Another preset of CMakePresets.json: `make test PRESET=no-app`, for a server without Qt.
PRESET ?= release
JOBS ?= $(shell nproc)
# Many tests wait for programs more than they compute.
TEST_JOBS ?= $(shell expr 2 \* $(JOBS))
BUILD := build/$(PRESET)

.PHONY: run test build package install-packages clean

run: $(BUILD)/build.ninja
	cmake --build $(BUILD) --target programs
	@tools="$(BUILD)" bash cmake/run.sh

test: build
	ctest --preset $(PRESET) --parallel $(TEST_JOBS)

build: $(BUILD)/build.ninja
	cmake --build $(BUILD)

# A .deb of the command line, one of the window, and an archive that runs where it is unpacked, in $(BUILD)/packages.
# Without these two a .deb would name no package that it depends on.
package: PACKAGES := dpkg-dev file
package: $(BUILD)/build.ninja
	cmake --build $(BUILD) --target programs manual
	cd $(BUILD) && cpack

$(BUILD)/build.ninja: CMakePresets.json | install-packages
	cmake --preset $(PRESET)

install-packages:
	@bash cmake/install_packages.sh $(if $(filter no-app,$(PRESET)),--no-app) $(PACKAGES)

clean:
	rm -rf build
