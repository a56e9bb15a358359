# SPDX-License-Identifier: Apache-2.0
# The dashboard's own tests: cmake -DWEB=folder -DBUILT=folder -DWORK=folder -P unit.cmake
# They run on a copy, with the packages that the build of the dashboard installed.
if(NOT EXISTS ${BUILT}/node_modules/.bin/vitest)
	message(FATAL_ERROR "${BUILT}/node_modules is not there: build the target tracer-lake first")
endif()
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
foreach(entry package.json tsconfig.json vite.config.ts src test)
	file(COPY ${WEB}/${entry} DESTINATION ${WORK})
endforeach()
file(CREATE_LINK ${BUILT}/node_modules ${WORK}/node_modules SYMBOLIC)
execute_process(COMMAND npm test WORKING_DIRECTORY ${WORK} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
	message(FATAL_ERROR "the dashboard's tests failed: ${status}")
endif()
