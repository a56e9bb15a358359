/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/*
 * The git commit that this program was built from, abbreviated to 7 digits; "unknown" where the
 * sources are no git checkout. (The version is TRACER_VERSION, a definition of the build.)
 *
 * The build gives each program its own definition (tracer_commit in cmake/Tracer.cmake), so that a
 * new commit relinks the programs and nothing else. Other executables, as unit tests, get the
 * "unknown" of version.c.
 */
extern const char version_commit[];
