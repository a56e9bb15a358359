# SPDX-License-Identifier: Apache-2.0
# Cross build for arm64: Debian's compiler (gcc-aarch64-linux-gnu, libc6-dev-arm64-cross) and the static libraries that
# scripts/fetch-sysroot.sh unpacks. What runs while it builds (protoc-c, bpftool, clang) is this machine's own.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)

set(sysroot ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot/arm64/usr)
file(REAL_PATH ${sysroot} sysroot)
if(NOT EXISTS ${sysroot}/lib/aarch64-linux-gnu/libbpf.a)
	message(FATAL_ERROR "The arm64 libraries are not there. Run: scripts/fetch-sysroot.sh")
endif()
set(ENV{PKG_CONFIG_LIBDIR} ${sysroot}/lib/aarch64-linux-gnu/pkgconfig)
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${sysroot}/..)
set(CMAKE_C_FLAGS_INIT "-isystem ${sysroot}/include -isystem ${sysroot}/include/aarch64-linux-gnu")
set(CMAKE_EXE_LINKER_FLAGS_INIT -L${sysroot}/lib/aarch64-linux-gnu)
# The folder of <asm/…> of this architecture.
set(TRACER_ASM_INCLUDE /usr/aarch64-linux-gnu/include)
