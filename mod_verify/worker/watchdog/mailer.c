/* SPDX-License-Identifier: Apache-2.0 */
#include "worker/watchdog/mailer.h"

#include <stdint.h>
#include <string.h>

#include <apr_strings.h>
#include <apr_tables.h>

#include "out/mail_client.h"
#include "store/db/work_queue.h"

APLOG_USE_MODULE(verify);

#define MAX_ATTEMPTS 5
#define SHORT_DELAY (15 * IDV_SECOND) /* a failed attempt, for each so far */

/* Between the end of an attempt and the next: attempts 2, 3, 4, 5. */
static const idv_time_t delays[MAX_ATTEMPTS - 1] = {
    15 * IDV_MINUTE, IDV_HOUR, 4 * IDV_HOUR, 16 * IDV_HOUR};

/* One e-mail, in its own pool, from its claim until it is settled. */
typedef struct {
    idv_mailer_t *mailer;
    apr_pool_t *pool;
    idv_outgoing_mail_t mail;
    idv_time_t due; /* of the next attempt; 0: there is none */
} task_t;

struct idv_mailer_t {
    idv_worker_t *worker;
    apr_pool_t *pool;
    idv_mail_client_t *client;
    apr_array_header_t *ended; /* of task_t *, not yet settled */
    int in_flight;
    int stopping;
    idv_event_timer_t claim_timer;
};

static apr_pool_t *scratch_of(const idv_mailer_t *mailer)
{
    return idv_event_loop_scratch(mailer->worker->loop);
}

/* --- settling --- */

static idv_error_t *settle_one(const task_t *task, idv_db_t *db)
{
    apr_pool_t *scratch = scratch_of(task->mailer);

    return task->due
             ? idv_outgoing_mail_postpone(db, &task->mail, task->due, scratch)
             : idv_outgoing_mail_remove(db, &task->mail, scratch);
}

/* Records the ends of attempts; what the database does not take now stays for
 * the next poll. */
static void settle(idv_mailer_t *mailer)
{
    idv_db_t *db = idv_worker_database(mailer->worker);
    apr_array_header_t *ended = mailer->ended;
    int done = 0;

    for (; db && done < ended->nelts; done++) {
        task_t *task = APR_ARRAY_IDX(ended, done, task_t *);
        idv_error_t *error = settle_one(task, db);

        if (error) {
            idv_worker_database_failed(mailer->worker, error);
            break;
        }
        apr_pool_destroy(task->pool);
    }
    memmove(ended->elts, ended->elts + (size_t)done * sizeof(task_t *),
            (size_t)(ended->nelts - done) * sizeof(task_t *));
    ended->nelts -= done;
}

static void plan_claim(idv_mailer_t *mailer, idv_time_t delay)
{
    if (!mailer->stopping)
        idv_event_loop_schedule(mailer->worker->loop, &mailer->claim_timer,
                                delay);
}

/* --- one e-mail --- */

/* An e-mail that somebody waits for is retried soon, or not at all. */
static idv_time_t delay_after(const idv_outgoing_mail_t *mail)
{
    return mail->useless_at ? mail->attempts * SHORT_DELAY
                            : delays[mail->attempts - 1];
}

static idv_time_t next_attempt(const task_t *task)
{
    int attempt = task->mail.attempts;
    idv_time_t delay, due;
    uint32_t random;

    if (attempt < 1 || attempt >= MAX_ATTEMPTS)
        return 0;
    idv_random_bytes((unsigned char *)&random, sizeof(random));
    delay = delay_after(&task->mail);
    due = idv_time_now() + delay + idv_time_jitter(delay, random);
    return task->mail.useless_at && due >= task->mail.useless_at ? 0 : due;
}

static void end_task(task_t *task, idv_mail_result_t result)
{
    idv_statistics_t *statistics = task->mailer->worker->statistics;

    if (result == IDV_MAIL_FAILED)
        task->due = next_attempt(task);
    if (result == IDV_MAIL_SENT)
        idv_statistics_count(statistics, mails_sent);
    else if (task->due)
        idv_statistics_count(statistics, mails_retried);
    else
        idv_statistics_count(statistics, mails_given_up);
    APR_ARRAY_PUSH(task->mailer->ended, task_t *) = task;
}

static void on_done(void *baton, const idv_mail_outcome_t *outcome)
{
    task_t *task = baton;
    idv_mailer_t *mailer = task->mailer;

    mailer->in_flight--;
    end_task(task, outcome->result);
    if (outcome->result != IDV_MAIL_SENT)
        idv_worker_log(mailer->worker, APLOG_WARNING, "IDV0370",
                       "e-mail %s, attempt %d: %s, status %d; %s",
                       task->mail.id, task->mail.attempts, outcome->cause,
                       outcome->status,
                       task->due ? "will be tried again" : "given up");
}

static task_t *create_task(idv_mailer_t *mailer,
                           const idv_outgoing_mail_t *mail)
{
    apr_pool_t *pool;
    task_t *task;

    apr_pool_create(&pool, mailer->pool);
    task = apr_pcalloc(pool, sizeof(*task));
    task->mailer = mailer;
    task->pool = pool;
    task->mail = *mail;
    task->mail.organization_id = apr_pstrdup(pool, mail->organization_id);
    task->mail.session_id = apr_pstrdup(pool, mail->session_id);
    task->mail.id = apr_pstrdup(pool, mail->id);
    return task;
}

static void begin(idv_mailer_t *mailer, const idv_outgoing_mail_t *mail)
{
    task_t *task = create_task(mailer, mail);
    apr_pool_t *opened;
    const char *recipient, *message;
    idv_error_t *error;

    /* All attempts have begun and the last one never ended: its process
     * crashed, perhaps because of this e-mail. Or it is too late to be of
     * use. */
    if (mail->attempts > MAX_ATTEMPTS
        || (mail->useless_at && idv_time_now() >= mail->useless_at)) {
        end_task(task, IDV_MAIL_REFUSED);
        return;
    }
    apr_pool_create(&opened, task->pool);
    error = idv_outgoing_mail_open(mail, mailer->worker->config->keys,
                                   &recipient, &message, opened);
    if (error) {
        idv_worker_log_failure(mailer->worker, "IDV0371", error,
                               "e-mail %s cannot be opened", mail->id);
        end_task(task, IDV_MAIL_FAILED);
    } else {
        mailer->in_flight++;
        idv_mail_client_send(mailer->client, recipient, message, on_done, task);
    }
    apr_pool_destroy(opened);
}

/* --- claiming --- */

static void claim(idv_mailer_t *mailer)
{
    idv_worker_t *worker = mailer->worker;
    idv_db_t *db = idv_worker_database(worker);
    int room = IDV_MAIL_IN_FLIGHT - mailer->in_flight;
    idv_time_t until =
        idv_time_now() + worker->config->mail->timeout + IDV_LEASE_SLACK;
    apr_array_header_t *mails;
    idv_error_t *error;

    if (!db || room <= 0)
        return;
    error = idv_outgoing_mail_claim(
        db,
        &(const idv_outgoing_mail_claim_t){
            .node = worker->node, .until = until, .limit = room},
        &mails, scratch_of(mailer));
    if (error) {
        idv_worker_database_failed(worker, error);
        return;
    }
    for (int i = 0; i < mails->nelts; i++)
        begin(mailer, &APR_ARRAY_IDX(mails, i, idv_outgoing_mail_t));
}

static void on_claim_due(void *baton)
{
    idv_mailer_t *mailer = baton;

    if (mailer->ended->nelts)
        settle(mailer);
    claim(mailer);
    plan_claim(mailer, IDV_POLL_INTERVAL);
}

static void on_results(void *baton, int fd, unsigned events)
{
    idv_mailer_t *mailer = baton;

    (void)fd;
    (void)events;
    idv_mail_client_collect(mailer->client);
    settle(mailer);
    plan_claim(mailer, 0);
}

/* --- life --- */

idv_error_t *idv_mailer_create(idv_worker_t *worker, idv_mailer_t **out,
                               apr_pool_t *pool)
{
    idv_mailer_t *mailer = apr_pcalloc(pool, sizeof(*mailer));

    mailer->worker = worker;
    mailer->pool = pool;
    mailer->ended = apr_array_make(pool, IDV_MAIL_IN_FLIGHT, sizeof(task_t *));
    mailer->claim_timer.callback = on_claim_due;
    mailer->claim_timer.baton = mailer;
    IDV_TRY(idv_mail_client_create(worker->config->mail, &mailer->client,
                                   pool));
    IDV_TRY(idv_event_loop_watch(worker->loop,
                                 idv_mail_client_descriptor(mailer->client),
                                 IDV_EVENT_READABLE, on_results, mailer));
    idv_event_loop_schedule(worker->loop, &mailer->claim_timer, 0);
    *out = mailer;
    return NULL;
}

void idv_mailer_wake(idv_mailer_t *mailer)
{
    plan_claim(mailer, 0);
}

void idv_mailer_stop(idv_mailer_t *mailer)
{
    mailer->stopping = 1;
    idv_event_loop_cancel(mailer->worker->loop, &mailer->claim_timer);
}

int idv_mailer_in_flight(const idv_mailer_t *mailer)
{
    return mailer->in_flight;
}

void idv_mailer_release(idv_mailer_t *mailer)
{
    idv_worker_t *worker = mailer->worker;
    idv_error_t *error;

    settle(mailer);
    if (!worker->db || worker->is_departing)
        return;
    error = idv_outgoing_mail_release(worker->db, worker->node,
                                      scratch_of(mailer));
    if (error)
        idv_worker_database_failed(worker, error);
}
