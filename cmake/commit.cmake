# SPDX-License-Identifier: Apache-2.0
# cmake -DSOURCE=folder -DOUT=file.c -P commit.cmake
# Writes the definition of version_commit (src/base/version.h); leaves an up-to-date file alone, so that nothing is rebuilt.
set(commit unknown)
if(EXISTS ${SOURCE}/.git)
	execute_process(COMMAND git -C ${SOURCE} rev-parse --short=7 HEAD OUTPUT_VARIABLE answer RESULT_VARIABLE status
		OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
	if(status EQUAL 0)
		set(commit ${answer})
	endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#include \"base/version.h\"

const char version_commit[] = \"@commit@\";
" @ONLY)
