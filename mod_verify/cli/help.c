/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/help.h"

#include <string.h>

static const char introduction[] =
    "usage: verifyctl [SETTING...] COMMAND\n"
    "       verifyctl COMMAND --help\n"
    "\n"
    "Prints one JSON value; errors go to standard error, with exit\n"
    "status 1, or 2 for a wrong command line. A check that finds faults\n"
    "prints them as its value, and has status 1, too. Settings, with what\n"
    "holds without them:\n"
    "\n"
    "  --database CONNINFO  VERIFY_DATABASE of the environment: the\n"
    "                       string of the directive VerifyDatabase\n"
    "  --master-key FILE    VERIFY_MASTER_KEY_FILE; for review decide only\n"
    "  --migrations DIR     VERIFY_MIGRATIONS, or where make install puts\n"
    "                       them\n"
    "\n"
    "All users of a machine can see command lines: a password belongs into\n"
    "the environment or a file (passfile=FILE in CONNINFO).\n"
    "\n"
    "A change holds as soon as its command ends. The webhooks, e-mails and\n"
    "recoveries that follow from it are begun by a running server within a\n"
    "second.\n"
    "\n";

idv_option_form_t idv_option_form(const char *option)
{
    idv_option_form_t form = {.length = strcspn(option, "!? ")};

    form.kind = option[form.length];
    form.value = strchr(option, ' ');
    form.value = form.value ? form.value + 1 : "";
    return form;
}

static void print_command(FILE *out, const idv_command_t *command)
{
    fprintf(out, "  %s%s%s%s%s", command->noun, command->verb ? " " : "",
            command->verb ? command->verb : "", command->arguments ? " " : "",
            command->arguments ? command->arguments : "");
    for (int i = 0; i < IDV_COMMAND_MAX_OPTIONS && command->options[i]; i++) {
        idv_option_form_t form = idv_option_form(command->options[i]);
        const char *format = form.kind == '!' ? " --%.*s %s"
                           : form.kind == '?' ? " [--%.*s%s]"
                                              : " [--%.*s %s]";

        fprintf(out, format, (int)form.length, command->options[i], form.value);
    }
    fprintf(out, "\n      %s\n", command->help);
}

int idv_help_commands(FILE *out, const char *noun, const char *verb)
{
    int count = 0;

    for (const idv_command_t *c = idv_commands; c->noun; c++) {
        if ((noun && strcmp(c->noun, noun) != 0)
            || (verb && strcmp(c->verb ? c->verb : "", verb) != 0))
            continue;
        print_command(out, c);
        count++;
    }
    return count;
}

void idv_help_print(FILE *out)
{
    fputs(introduction, out);
    idv_help_commands(out, NULL, NULL);
}
