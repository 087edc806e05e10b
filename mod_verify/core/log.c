/* SPDX-License-Identifier: Apache-2.0 */
#include "core/log.h"

#include <stdarg.h>
#include <stdio.h>

#include <apr_strings.h>

#define LINE_SIZE 1024

void idv_log(const idv_log_t *log, idv_log_level_t level, const char *tag,
             const char *format, ...)
{
    char line[LINE_SIZE];
    va_list arguments;
    int length;

    if (!log)
        return;
    length = apr_snprintf(line, sizeof(line), "%s: ", tag);
    va_start(arguments, format);
    apr_vsnprintf(line + length, sizeof(line) - (apr_size_t)length, format,
                  arguments);
    va_end(arguments);
    log->write(log->baton, level, line);
}

static void write_to_stderr(void *baton, idv_log_level_t level,
                            const char *message)
{
    (void)baton;
    if (level <= IDV_LOG_NOTICE)
        fprintf(stderr, "%s\n", message);
}

const idv_log_t idv_log_to_stderr = {write_to_stderr, NULL};
