/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* 1 in a build with a sanitizer, which needs more of the kernel than the lake: its leak check at
 * the end starts a process that reads this one (clone, ptrace, /proc/self). */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define CONFINE_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CONFINE_SANITIZED 1
#endif
#endif
#ifndef CONFINE_SANITIZED
#define CONFINE_SANITIZED 0
#endif
