/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/setup/setup_run.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <apr_strings.h>

#include "cli/command/command_record.h"
#include "cli/setup/setup_kinds.h"

static int takes_organization(const idv_command_t *command)
{
    for (int i = 0; i < IDV_COMMAND_MAX_OPTIONS && command->options[i]; i++)
        if (strncmp(command->options[i], "org", 3) == 0
            && strchr("! ", command->options[i][3]))
            return 1;
    return 0;
}

/* The command line checks this before a command runs. */
static idv_error_t *check_required(const idv_call_t *inner)
{
    const idv_command_t *command = inner->command;

    for (int i = 0; i < IDV_COMMAND_MAX_OPTIONS && command->options[i]; i++) {
        const char *option = command->options[i];
        size_t length = strcspn(option, "!? ");
        const char *name = apr_pstrmemdup(inner->pool, option, length);

        if (option[length] == '!' && !idv_call_option(inner, name))
            return idv_error_param(inner->pool, name, "is missing.");
    }
    if (command->arguments && command->arguments[0] != '['
        && !inner->arguments[0])
        return idv_error_param(inner->pool, command->arguments, "is missing.");
    return NULL;
}

static idv_error_t *prepare(const idv_call_t *call, const idv_setup_call_t *of,
                            idv_call_t *inner)
{
    *inner = *call;
    inner->command = idv_setup_command(of->words);
    if (!inner->command)
        return idv_error_internal(call->pool, "no command %s", of->words);
    memset(inner->arguments, 0, sizeof(inner->arguments));
    inner->arguments[0] = of->argument;
    inner->options = of->options ? apr_table_copy(call->pool, of->options)
                                 : apr_table_make(call->pool, 2);
    if (of->organization_id && *of->organization_id) {
        if (takes_organization(inner->command))
            apr_table_setn(inner->options, "org", of->organization_id);
        inner->organization_id = of->organization_id;
    }
    return check_required(inner);
}

idv_error_t *idv_setup_run(const idv_call_t *call, const idv_setup_call_t *of,
                           json_t **answer)
{
    idv_call_t inner;
    idv_error_t *error;

    IDV_TRY(prepare(call, of, &inner));
    *answer = NULL;
    error = inner.command->run(&inner, answer);
    if (*answer)
        idv_json_own(*answer, call->pool);
    if (error || !inner.command->changes || inner.changed_nothing
        || of->unrecorded)
        return error;
    return idv_call_record(&inner, *answer);
}

idv_error_t *idv_setup_record(const idv_call_t *call,
                              const idv_setup_call_t *of, const json_t *answer)
{
    idv_call_t inner;

    IDV_TRY(prepare(call, of, &inner));
    return idv_call_record(&inner, answer);
}

static apr_status_t close_file(void *descriptor)
{
    close((int)(intptr_t)descriptor);
    return APR_SUCCESS;
}

idv_error_t *idv_setup_as_file(const idv_call_t *call, const char *content,
                               const char **path)
{
    int descriptor = memfd_create("setup", MFD_CLOEXEC);
    size_t length = strlen(content), done = 0;

    if (descriptor < 0)
        return idv_error_internal(call->pool, "memfd_create: %s",
                                  strerror(errno));
    apr_pool_cleanup_register(call->pool, (void *)(intptr_t)descriptor,
                              close_file, apr_pool_cleanup_null);
    while (done < length) {
        ssize_t count = write(descriptor, content + done, length - done);

        if (count <= 0)
            return idv_error_internal(call->pool, "memfd: %s",
                                      strerror(errno));
        done += (size_t)count;
    }
    *path = apr_psprintf(call->pool, "/proc/self/fd/%d", descriptor);
    return NULL;
}
