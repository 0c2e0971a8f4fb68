# Two commands front CMake: `make run` and `make test`. Each first installs what is missing.
PRESET ?= release
BUILD := build/$(PRESET)

.PHONY: run test build install-packages screenshots clean

run: build
	@tools="$(BUILD)" bash cmake/run.sh

test: build
	ctest --preset $(PRESET)

build: $(BUILD)/build.ninja
	cmake --build $(BUILD)

$(BUILD)/build.ninja: CMakePresets.json | install-packages
	cmake --preset $(PRESET)

install-packages:
	@bash cmake/install_packages.sh

clean:
	rm -rf build
