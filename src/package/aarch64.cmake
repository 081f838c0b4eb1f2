# Cross-compiles for aarch64 on another Debian: cmake --toolchain src/package/aarch64.cmake ... or src/package/wheel.sh dist aarch64. Needs
# gcc-aarch64-linux-gnu, qemu-user-static, and the libraries of examples/packages.sh as NAME:arm64, after dpkg --add-architecture arm64.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
# Runs the new program, which writes its man pages itself.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
set(ENV{PKG_CONFIG_LIBDIR} /usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig)
