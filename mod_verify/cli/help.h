/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_CLI_HELP_H
#define IDV_CLI_HELP_H

/*
 * What verifyctl says of its commands, made from their table (command.h).
 */
#include <stddef.h>
#include <stdio.h>

#include "cli/command.h"

/* Where an option of the table says what it is. */
typedef struct {
    size_t length;     /* of the name that the text begins with */
    char kind;         /* '!': must be given, '?': a flag, else optional */
    const char *value; /* what the help calls its value */
} idv_option_form_t;

/* Reads OPTION, one of a command's `options`. */
idv_option_form_t idv_option_form(const char *option);

/* The commands whose noun is NOUN (NULL: all) and whose verb is VERB (NULL:
 * all), one by one. Returns how many there are. */
int idv_help_commands(FILE *out, const char *noun, const char *verb);

/* All there is to say. */
void idv_help_print(FILE *out);

#endif
