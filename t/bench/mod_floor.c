/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The floor of requests: a module that executes one statement through mod_dbd
 * and prints what came back, as users of mod_dbd write it. No key, no limit,
 * no validation, no escaping, no reconnection.
 *
 *     DBDPrepareSQL "SELECT ... WHERE id = %s" select_row
 *     FloorStatement select_row @last
 *     <Location "/floor"> SetHandler floor </Location>
 *
 * /floor/select_row/<id> executes the statement `select_row`. Its parameters are
 * texts, or: @last, the last segment of the path; and @id, a UUID for what one
 * request inserts, in the order of time.
 */
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include <apr_dbd.h>
#include <apr_optional.h>
#include <apr_strings.h>
#include <httpd.h>
#include <http_config.h>
#include <http_protocol.h>
#include <mod_dbd.h>

module AP_MODULE_DECLARE_DATA floor_module;

typedef struct {
    const char *label;
    const char *const *parameters;
    int count;
} floor_statement_t;

static APR_OPTIONAL_FN_TYPE(ap_dbd_acquire) *acquire;
static atomic_uint inserted;

static void *create_conf(apr_pool_t *pool, server_rec *server)
{
    (void)server;
    return apr_array_make(pool, 4, sizeof(floor_statement_t));
}

static const char *set_statement(cmd_parms *command, void *unused, int count,
                                 char *const values[])
{
    apr_array_header_t *statements =
        ap_get_module_config(command->server->module_config, &floor_module);
    floor_statement_t *statement = apr_array_push(statements);

    (void)unused;
    if (count < 1)
        return "FloorStatement needs the label of a statement";
    statement->label = values[0];
    statement->count = count - 1;
    statement->parameters =
        apr_pmemdup(command->pool, values + 1,
                    (apr_size_t)statement->count * sizeof(*values));
    return NULL;
}

static const floor_statement_t *find_statement(request_rec *r,
                                               const char *label)
{
    const apr_array_header_t *statements =
        ap_get_module_config(r->server->module_config, &floor_module);

    for (int i = 0; i < statements->nelts; i++) {
        const floor_statement_t *statement =
            &APR_ARRAY_IDX(statements, i, floor_statement_t);

        if (strcmp(statement->label, label) == 0)
            return statement;
    }
    return NULL;
}

static const char **fill(request_rec *r, const floor_statement_t *statement,
                         const char *last)
{
    const char **values = apr_palloc(
        r->pool, ((apr_size_t)statement->count + 1) * sizeof(*values));
    unsigned long millisecond = (unsigned long)apr_time_as_msec(r->request_time);
    const char *id = apr_psprintf(
        r->pool, "%08lx-%04lx-7000-8000-%04x%08x", millisecond >> 16,
        millisecond & 0xffff, (unsigned)getpid() & 0xffff,
        atomic_fetch_add(&inserted, 1));

    for (int i = 0; i < statement->count; i++) {
        const char *value = statement->parameters[i];

        if (strcmp(value, "@last") == 0)
            value = last;
        else if (strcmp(value, "@id") == 0)
            value = id;
        values[i] = value;
    }
    return values;
}

static void print_rows(request_rec *r, const apr_dbd_driver_t *driver,
                       apr_dbd_results_t *results)
{
    int columns = apr_dbd_num_cols(driver, results);
    int rows = apr_dbd_num_tuples(driver, results);

    ap_set_content_type(r, "application/json");
    for (int i = 0; i < rows; i++) {
        apr_dbd_row_t *row = NULL;

        if (apr_dbd_get_row(driver, r->pool, results, &row, i + 1))
            return;
        for (int column = 0; column < columns; column++)
            ap_rvputs(r, column ? ",\"" : "{\"",
                      apr_dbd_get_name(driver, results, column), "\":\"",
                      apr_dbd_get_entry(driver, row, column), "\"", NULL);
        ap_rputs("}\n", r);
    }
}

static int handle(request_rec *r)
{
    const floor_statement_t *statement;
    apr_dbd_results_t *results = NULL;
    apr_dbd_prepared_t *prepared;
    ap_dbd_t *dbd;
    char *label, *last;

    if (!r->handler || strcmp(r->handler, "floor") != 0)
        return DECLINED;
    label = apr_pstrdup(r->pool, r->uri + strlen("/floor/"));
    last = strchr(label, '/');
    if (last)
        *last++ = '\0';
    statement = find_statement(r, label);
    if (!statement)
        return HTTP_NOT_FOUND;
    dbd = acquire(r);
    prepared = dbd ? apr_hash_get(dbd->prepared, label, APR_HASH_KEY_STRING)
                   : NULL;
    if (!prepared
        || apr_dbd_pselect(dbd->driver, r->pool, dbd->handle, &results,
                           prepared, 1, statement->count,
                           fill(r, statement, last)) != 0)
        return HTTP_INTERNAL_SERVER_ERROR;
    if (apr_dbd_num_tuples(dbd->driver, results) == 0)
        return HTTP_NOT_FOUND;
    print_rows(r, dbd->driver, results);
    return OK;
}

static void find_mod_dbd(void)
{
    acquire = APR_RETRIEVE_OPTIONAL_FN(ap_dbd_acquire);
}

static const command_rec commands[] = {
    AP_INIT_TAKE_ARGV("FloorStatement", set_statement, NULL, RSRC_CONF,
                      "label of a prepared statement, its parameters"),
    {.name = NULL}};

static void register_hooks(apr_pool_t *pool)
{
    (void)pool;
    ap_hook_optional_fn_retrieve(find_mod_dbd, NULL, NULL, APR_HOOK_MIDDLE);
    ap_hook_handler(handle, NULL, NULL, APR_HOOK_MIDDLE);
}

AP_DECLARE_MODULE(floor) = {
    STANDARD20_MODULE_STUFF,
    NULL,
    NULL,
    create_conf,
    NULL,
    commands,
    register_hooks,
#if defined(AP_MODULE_FLAG_NONE)
    AP_MODULE_FLAG_NONE,
#endif
};
