/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db/db_connection.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <apr_strings.h>
#include <libpq-events.h>

#include "store/db/db_state.h"

#define RETRY_AFTER_SECONDS 2

/* The settings that statements or their results depend on. As startup options
 * they override those of the role, of the database and of the server's
 * configuration. Settings of the connection string follow, so an administrator
 * can still choose a schema there. lc_messages is not among them: only
 * superusers may set it, and nothing here reads a message of the server. */
#define PINNED_OPTIONS                                                         \
    "-c search_path=\"$user\",public -c bytea_output=hex "                     \
    "-c standard_conforming_strings=on -c DateStyle=ISO "                      \
    "-c IntervalStyle=postgres -c TimeZone=UTC "                               \
    "-c default_transaction_read_only=off"
#define PINNED_ENCODING "UTF8"

/* --- connection strings --- */

static const char *preset_of(const idv_conninfo_preset_t *presets,
                             const char *keyword)
{
    for (; presets->keyword; presets++)
        if (strcmp(presets->keyword, keyword) == 0)
            return presets->value;
    return NULL;
}

static const char *add_pair(const char *text, const char *keyword,
                            const char *value, apr_pool_t *pool)
{
    char *quoted = apr_palloc(pool, 2 * strlen(value) + 1), *end = quoted;

    for (; *value; value++) {
        if (*value == '\'' || *value == '\\')
            *end++ = '\\';
        *end++ = *value;
    }
    *end = '\0';
    return apr_pstrcat(pool, text, *text ? " " : "", keyword, "='", quoted, "'",
                       NULL);
}

/* The value of KEYWORD in the completed string; VALUE is what the string or its
 * presets say, or NULL. */
static const char *pinned(const char *keyword, const char *value,
                          apr_pool_t *pool)
{
    if (strcmp(keyword, "client_encoding") == 0)
        return PINNED_ENCODING;
    if (strcmp(keyword, "options") == 0)
        return apr_pstrcat(pool, PINNED_OPTIONS, value ? " " : "",
                           value ? value : "", NULL);
    return value;
}

const char *idv_conninfo_complete(const char *conninfo,
                                  const idv_conninfo_preset_t *presets,
                                  apr_pool_t *pool)
{
    PQconninfoOption *options = PQconninfoParse(conninfo, NULL);
    const char *text = "";

    if (!options)
        return conninfo;
    for (const PQconninfoOption *option = options; option->keyword; option++) {
        const char *value =
            option->val ? option->val : preset_of(presets, option->keyword);

        value = pinned(option->keyword, value, pool);
        if (value)
            text = add_pair(text, option->keyword, value, pool);
    }
    PQconninfoFree(options);
    return text;
}

const char *idv_conninfo_message(const char *message, apr_pool_t *pool)
{
    char *lines = apr_pstrdup(pool, message), *last = NULL;
    const char *text = "";

    for (char *line = apr_strtok(lines, "\n\t", &last); line;
         line = apr_strtok(NULL, "\n\t", &last))
        text = apr_pstrcat(pool, text, *text ? " " : "", line, NULL);
    return text;
}

/* The fault of the password file named in OPTIONS, or NULL. Its owner is the
 * connecting user, which is unknown here. */
static const char *passfile_fault(const PQconninfoOption *options,
                                  apr_pool_t *pool)
{
    struct stat status;

    for (const PQconninfoOption *option = options; option->keyword; option++)
        if (strcmp(option->keyword, "passfile") == 0 && option->val
            && stat(option->val, &status) == 0
            && (status.st_mode & (S_IRWXG | S_IRWXO)))
            return apr_psprintf(pool,
                                "passfile %s: must be accessible to its owner "
                                "only",
                                option->val);
    return NULL;
}

const char *idv_conninfo_fault(const char *conninfo, apr_pool_t *pool)
{
    char *said = NULL;
    PQconninfoOption *options = PQconninfoParse(conninfo, &said);
    int is_secret = strstr(conninfo, "pass") || strstr(conninfo, "://");
    const char *fault = NULL;

    if (!options && said && !is_secret)
        fault = apr_pstrcat(pool, "not a connection string: ",
                            idv_conninfo_message(said, pool), NULL);
    else if (!options)
        fault = "not a connection string: expected libpq's keyword=value pairs "
                "(in single quotes where a value has spaces) or a "
                "postgresql:// URI with special characters percent-encoded";
    else
        fault = passfile_fault(options, pool);
    PQconninfoFree(options);
    PQfreemem(said);
    return fault;
}

/* --- connections --- */

static int on_connection_event(PGEventId id, void *info, void *unused)
{
    (void)unused;
    if (id == PGEVT_REGISTER) {
        PGEventRegister *event = info;
        idv_db_connection_state_t *state = calloc(1, sizeof(*state));

        if (!state)
            return 0;
        PQsetInstanceData(event->conn, on_connection_event, state);
    } else if (id == PGEVT_CONNRESET) {
        PGEventConnReset *event = info;
        idv_db_connection_state_t *state =
            PQinstanceData(event->conn, on_connection_event);

        memset(state, 0, sizeof(*state));
    } else if (id == PGEVT_CONNDESTROY) {
        PGEventConnDestroy *event = info;

        free(PQinstanceData(event->conn, on_connection_event));
    }
    return 1;
}

static void ignore_notice(void *baton, const PGresult *notice)
{
    (void)baton;
    (void)notice;
}

idv_error_t *idv_db_attach(PGconn *connection, idv_db_t **out, apr_pool_t *pool)
{
    idv_db_t *db = apr_pcalloc(pool, sizeof(*db));

    if (!PQinstanceData(connection, on_connection_event)) {
        if (!PQregisterEventProc(connection, on_connection_event, "mod_verify",
                                 NULL))
            return idv_error_internal(pool, "libpq refused an event procedure");
        PQsetErrorVerbosity(connection, PQERRORS_SQLSTATE);
        PQsetNoticeReceiver(connection, ignore_notice, NULL);
    }
    db->connection = connection;
    db->state = PQinstanceData(connection, on_connection_event);
    *out = db;
    return NULL;
}

static apr_status_t close_connection(void *connection)
{
    PQfinish(connection);
    return APR_SUCCESS;
}

idv_error_t *idv_db_connect(const char *conninfo, idv_db_t **db,
                            apr_pool_t *pool)
{
    const char *fault = idv_conninfo_fault(conninfo, pool);
    PGconn *connection;

    if (fault)
        return idv_error_internal(pool, "%s", fault);
    connection = PQconnectdb(conninfo);
    if (!connection)
        return idv_error_internal(pool, "out of memory");
    apr_pool_cleanup_register(pool, connection, close_connection,
                              apr_pool_cleanup_null);
    if (PQstatus(connection) != CONNECTION_OK)
        return idv_error_unavailable(pool, RETRY_AFTER_SECONDS,
                                     "connecting to PostgreSQL: %s",
                                     idv_conninfo_message(
                                         PQerrorMessage(connection), pool));
    return idv_db_attach(connection, db, pool);
}

void idv_db_set_lease(idv_db_t *db, void *lease)
{
    db->lease = lease;
}

void *idv_db_lease(const idv_db_t *db)
{
    return db->lease;
}

PGconn *idv_db_native(idv_db_t *db)
{
    return db->connection;
}

int idv_db_is_lost(idv_db_t *db)
{
    struct pollfd descriptor = {PQsocket(db->connection), POLLIN, 0};

    if (PQstatus(db->connection) != CONNECTION_OK
        || PQpipelineStatus(db->connection) != PQ_PIPELINE_OFF)
        return 1;
    if (poll(&descriptor, 1, 0) <= 0)
        return 0;
    /* Between statements the server only announces that it closes the connection or
     * that settings have changed; a round trip distinguishes the two. */
    return !idv_db_answers(db);
}

int idv_db_answers(idv_db_t *db)
{
    PGresult *answer = PQexec(db->connection, "");
    int answered = PQresultStatus(answer) == PGRES_EMPTY_QUERY;

    PQclear(answer);
    return answered;
}

int idv_db_takes_changes(idv_db_t *db)
{
    PGresult *answer = PQexec(db->connection, "SHOW transaction_read_only");
    int takes_changes = PQresultStatus(answer) == PGRES_TUPLES_OK
                     && strcmp(PQgetvalue(answer, 0, 0), "off") == 0;

    PQclear(answer);
    return takes_changes;
}
