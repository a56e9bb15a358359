# SPDX-License-Identifier: Apache-2.0
# How this project builds: flags, one library a folder, generated sources, embedded files, tests.

option(TRACER_STATIC "link the tracer program fully static" OFF)
option(TRACER_LAKE "build the server" ON)
option(TRACER_TESTS "build the tests" ON)
set(TRACER_SANITIZE "" CACHE STRING "sanitizers, as -fsanitize takes them")

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
# Builds of the same source, in this clone or another one, share their objects where ccache is installed.
find_program(CCACHE ccache)
if(CCACHE)
	# env(1): `cmake -E env` takes longer to start than ccache to find an object.
	set(CMAKE_C_COMPILER_LAUNCHER env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${CCACHE})
endif()
# Programs find libduckdb.so beside them, wherever the build folder is moved to.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})

add_compile_options(-Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla -Werror
	-Wno-unused-parameter -fno-strict-aliasing -g)
add_compile_definitions(_GNU_SOURCE TRACER_VERSION="${PROJECT_VERSION}")
if(TRACER_SANITIZE)
	add_compile_options(-fsanitize=${TRACER_SANITIZE} -fno-omit-frame-pointer)
	add_link_options(-fsanitize=${TRACER_SANITIZE})
	# The tests are some 260 programs: lld links them in 35 s of CPU time, gold in 51 s.
	find_program(LLD ld.lld)
	if(LLD AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
		add_link_options(-fuse-ld=lld)
	endif()
	if(TRACER_SANITIZE MATCHES "undefined")
		add_compile_options(-fno-sanitize-recover=undefined)
	endif()
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Release")
	add_compile_options(-fstack-protector-strong -D_FORTIFY_SOURCE=2)
endif()

find_package(PkgConfig REQUIRED)
set(TRACER_INCLUDE_ROOT ${CMAKE_BINARY_DIR}/include)

# tracer_library(NAME USES library... SYSTEM pkg-config-module... PRIVATE_SYSTEM module...)
# A folder of src/ with its sub-folders as the static library tracer_NAME. Headers are included by their path,
# "NAME/folder/noun.h", through a directory that holds one link: only what links the library can include them.
function(tracer_library name)
	cmake_parse_arguments(LIBRARY "" "" "USES;SYSTEM;EXCLUDE;SOURCES" ${ARGN})
	file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
	list(FILTER sources EXCLUDE REGEX "\\.bpf\\.c$|/main\\.c$")
	foreach(pattern ${LIBRARY_EXCLUDE})
		list(FILTER sources EXCLUDE REGEX ${pattern})
	endforeach()
	list(APPEND sources ${LIBRARY_SOURCES})
	set(face ${TRACER_INCLUDE_ROOT}/${name})
	file(MAKE_DIRECTORY ${face})
	file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${face}/${name} SYMBOLIC)
	if(sources)
		add_library(tracer_${name} STATIC ${sources})
		set_target_properties(tracer_${name} PROPERTIES LINKER_LANGUAGE C) # also of generated sources only
		set(scope PUBLIC)
	else()
		add_library(tracer_${name} INTERFACE)
		set(scope INTERFACE)
	endif()
	target_include_directories(tracer_${name} ${scope} ${face})
	foreach(library ${LIBRARY_USES})
		target_link_libraries(tracer_${name} ${scope} tracer_${library})
	endforeach()
	foreach(module ${LIBRARY_SYSTEM})
		tracer_system(tracer_${name} ${scope} ${module})
	endforeach()
endfunction()

# Links a pkg-config module; with TRACER_STATIC its static closure, by archives.
function(tracer_system target scope module)
	string(MAKE_C_IDENTIFIER ${module} id)
	pkg_check_modules(${id} REQUIRED QUIET ${module})
	target_include_directories(${target} SYSTEM ${scope} ${${id}_INCLUDE_DIRS})
	if(TRACER_STATIC)
		target_link_libraries(${target} ${scope} ${${id}_STATIC_LIBRARIES})
	else()
		target_link_libraries(${target} ${scope} ${${id}_LIBRARIES})
	endif()
endfunction()

# tracer_embed(TARGET SYMBOL FILE): FILE's bytes as `const unsigned char SYMBOL[]`, `const size_t SYMBOL_size`,
# with a NUL behind them, so that a text may be used as a string.
function(tracer_embed target symbol file)
	get_filename_component(path ${file} ABSOLUTE)
	set(out ${CMAKE_CURRENT_BINARY_DIR}/embed_${symbol}.c)
	file(WRITE ${out}.in "#include <stddef.h>
__asm__(\".section .rodata\\n.global ${symbol}\\n.balign 16\\n${symbol}:\\n.incbin \\\"${path}\\\"\\n\"
	\"${symbol}_end:\\n.byte 0\\n.balign 8\\n.global ${symbol}_size\\n${symbol}_size:\\n\"
	\".quad ${symbol}_end - ${symbol}\\n.previous\\n\");
extern const size_t ${symbol}_size;
")
	configure_file(${out}.in ${out} COPYONLY)
	set_source_files_properties(${out} PROPERTIES OBJECT_DEPENDS ${path})
	target_sources(${target} PRIVATE ${out})
endfunction()

# tracer_commit(TARGET): defines version_commit (src/base/version.h) in a program. Each build asks git; only a new commit
# changes the generated file.
function(tracer_commit target)
	set(source ${CMAKE_BINARY_DIR}/commit.c)
	if(NOT TARGET commit)
		add_custom_target(commit BYPRODUCTS ${source}
			COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUT=${source} -P ${CMAKE_SOURCE_DIR}/cmake/commit.cmake
			COMMENT "Looking up the commit" VERBATIM)
	endif()
	set_source_files_properties(${source} PROPERTIES GENERATED ON)
	target_sources(${target} PRIVATE ${source})
	add_dependencies(${target} commit)
endfunction()

# tracer_test_target(TARGET FOLDER LIBRARIES...): how code of tests/unit/FOLDER is compiled and linked.
function(tracer_test_target name folder)
	target_compile_options(${name} PRIVATE -Wno-missing-prototypes)
	target_include_directories(${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
	target_compile_definitions(${name} PRIVATE TESTS_DIR="${CMAKE_SOURCE_DIR}/tests")
	target_link_libraries(${name} PRIVATE ${cmocka_LIBRARIES} ${ARGN})
endfunction()

# tracer_tests(FOLDER LIBRARIES...): every test_*.c below tests/unit/FOLDER is a cmocka program and a ctest of that name;
# fixture_*.c there is compiled once, as fixtures_FOLDER, and linked into each of them.
function(tracer_tests folder)
	file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/test_*.c)
	file(GLOB fixtures CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/fixture_*.c)
	pkg_check_modules(cmocka REQUIRED QUIET cmocka)
	list(TRANSFORM ARGN PREPEND tracer_ OUTPUT_VARIABLE libraries)
	if(fixtures)
		add_library(fixtures_${folder} OBJECT ${fixtures})
		tracer_test_target(fixtures_${folder} ${folder} ${libraries})
		list(PREPEND libraries fixtures_${folder})
	endif()
	foreach(source ${sources})
		get_filename_component(noun ${source} NAME_WE)
		set(name unit_${folder}_${noun})
		add_executable(${name} ${source})
		set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
		tracer_test_target(${name} ${folder} ${libraries})
		add_dependencies(${name} guard)
		add_test(NAME ${name} COMMAND guard $<TARGET_FILE:${name}>)
		set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 300)
	endforeach()
endfunction()
