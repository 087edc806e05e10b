/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CORE_YAML_WRITER_H
#define IDV_CORE_YAML_WRITER_H

/*
 * Writes JSON values as YAML that core/yaml_document.h reads as the same
 * values, on libyaml. Texts that any reader of YAML could take for something
 * else (`yes`, `null`, `007`, an empty text) are quoted; members keep their
 * order. If a character could control a terminal (core/terminal_text.h), the
 * whole document is ASCII.
 *
 * Memory: the given pool. Threads: pure. Failures: an internal error if there
 * is no memory.
 */
#include "core/json.h"

/* VALUE as one YAML document in *TEXT. */
idv_error_t *idv_yaml_write(const json_t *value, const char **text,
                            apr_pool_t *pool) IDV_CHECKED;

#endif
