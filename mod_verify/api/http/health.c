/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GET /v1/health/live is answered by any child that serves requests. GET
 * /v1/health/ready also checks that httpd's parent process exists, that the
 * database responds, is usable and accepts writes, and that the watchdog's loop
 * runs. If one of these fails, the response is a 503 whose message names it.
 *
 * A read-only database reports this itself at once. Writes that fail for
 * another reason, such as a full disk, show in the row that the watchdog writes
 * every few seconds.
 *
 * The state of the document reader is reported but does not affect the status:
 * without a reader the node still answers all requests, and documents wait or
 * are read by other nodes.
 */
#include "api/http/response.h"
#include "worker/process/statistics.h"

#define RETRY_AFTER_SECONDS 2
#define EXPECTED_LENGTH 100

/* READER is the state of the document reader; NULL: it is not reported. */
static idv_error_t *respond(idv_request_t *request, const char *reader)
{
    idv_json_writer_t object;

    idv_json_writer_init(&object, EXPECTED_LENGTH, request->pool);
    idv_json_open_object(&object, NULL);
    idv_json_put_text(&object, "object", "health");
    idv_json_put_text(&object, "status", "ok");
    if (reader)
        idv_json_put_text(&object, "reader", reader);
    idv_json_close_object(&object);
    return idv_respond_text(request, HTTP_OK,
                            idv_json_writer_text(&object, NULL));
}

idv_error_t *idv_health_live(idv_request_t *request)
{
    IDV_TRY(idv_request_no_parameters(request));
    return respond(request, NULL);
}

static const char *reader_state(const idv_request_t *request,
                                const idv_processes_t *processes)
{
    if (!request->services->settings->analyzer)
        return "none";
    return idv_statistics_get(processes->watchdog, reader_up) ? "ready"
                                                              : "not_ready";
}

static idv_error_t *ask_database(idv_db_t *db, void *baton, apr_pool_t *pool)
{
    (void)baton;
    return idv_db_takes_changes(db)
             ? NULL
             : idv_error_unavailable(pool, RETRY_AFTER_SECONDS,
                                     "the database does not answer or is "
                                     "read-only");
}

static idv_error_t *not_ready(idv_request_t *request, const char *detail,
                              const char *message)
{
    idv_error_t *error = idv_error_unavailable(
        request->pool, RETRY_AFTER_SECONDS, "%s", detail);

    error->message = message;
    return error;
}

idv_error_t *idv_health_ready(idv_request_t *request)
{
    idv_processes_t processes;
    idv_error_t *error;

    IDV_TRY(idv_request_no_parameters(request));
    request->services->look_at_processes(request->services, &processes);
    if (processes.parent_is_gone)
        return not_ready(request, "httpd's parent process has gone",
                         "This server is shutting down.");
    error = idv_request_with_database(request, ask_database, NULL);
    if (error) {
        error->message = "The database does not respond, refuses changes or "
                         "does not admit this server. The server's error log "
                         "names the cause.";
        return error;
    }
    if (!idv_processes_have_watchdog(&processes, request->now))
        return not_ready(request, "the watchdog does not run",
                         "The watchdog is not ready.");
    if (idv_statistics_get(processes.watchdog, database_refuses))
        return not_ready(request, "the watchdog's writes are refused",
                         "The database refuses changes.");
    return respond(request, reader_state(request, &processes));
}
