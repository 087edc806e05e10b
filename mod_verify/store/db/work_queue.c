/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db/work_queue.h"

#include <string.h>

#include <apr_strings.h>

#include "store/db/master_key.h"

/* The row and its lease: a process that has lost the lease changes nothing. */
#define LEASE_PARAMS(entry)                                                    \
    idv_db_text((entry)->organization_id), idv_db_text((entry)->session_id),   \
        idv_db_text((entry)->id), idv_db_int((entry)->leased_until),           \
        idv_db_text((entry)->node)

/* --- analysis jobs --- */

idv_analysis_job_t idv_analysis_job_copy(const idv_analysis_job_t *job,
                                         apr_pool_t *pool)
{
    idv_analysis_job_t copy = *job;
    const char **parts;
    apr_size_t count = 0;

    while (job->parts[count])
        count++;
    parts = apr_pcalloc(pool, (count + 1) * sizeof(*parts));
    for (apr_size_t i = 0; i < count; i++)
        parts[i] = apr_pstrdup(pool, job->parts[i]);
    copy.organization_id = apr_pstrdup(pool, job->organization_id);
    copy.session_id = apr_pstrdup(pool, job->session_id);
    copy.id = apr_pstrdup(pool, job->id);
    copy.method = apr_pstrdup(pool, job->method);
    copy.parts = parts;
    copy.node = apr_pstrdup(pool, job->node);
    if (job->trace)
        copy.trace = apr_pmemdup(pool, job->trace, sizeof(*job->trace));
    return copy;
}

idv_error_t *idv_analysis_job_claim(idv_db_t *db,
                                    const idv_analysis_claim_t *claim,
                                    apr_array_header_t **jobs,
                                    apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *jobs = apr_array_make(pool, claim->limit, sizeof(idv_analysis_job_t));
    IDV_TRY(idv_db_query(db, IDV_SQL_ANALYSIS_JOB_CLAIM,
                         IDV_DB_PARAMS(idv_db_int(idv_time_now()),
                                       idv_db_int(claim->until),
                                       idv_db_text(claim->node),
                                       idv_db_int(claim->limit),
                                       idv_db_int(claim->share),
                                       idv_db_texts(claim->served,
                                                    claim->served_count,
                                                    pool)),
                         &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_analysis_job_t *job = apr_array_push(*jobs);

        job->organization_id = idv_db_get_text(rows, row, 0);
        job->session_id = idv_db_get_text(rows, row, 1);
        job->id = idv_db_get_text(rows, row, 2);
        job->method = idv_db_get_text(rows, row, 3);
        job->submission = (int)idv_db_get_int(rows, row, 4);
        job->parts = idv_db_get_texts(rows, row, 5, pool);
        job->attempts = (int)idv_db_get_int(rows, row, 6);
        job->leased_until = claim->until;
        job->node = claim->node;
        job->trace = idv_db_get_trace(rows, row, 7, pool);
    }
    return NULL;
}

idv_error_t *idv_analysis_job_remove(idv_db_t *db,
                                     const idv_analysis_job_t *job,
                                     apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_ANALYSIS_JOB_REMOVE,
                          IDV_DB_PARAMS(LEASE_PARAMS(job)), NULL, pool);
}

idv_error_t *idv_analysis_job_postpone(idv_db_t *db,
                                       const idv_analysis_job_t *job,
                                       idv_time_t due, int untried,
                                       apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_ANALYSIS_JOB_POSTPONE,
                          IDV_DB_PARAMS(LEASE_PARAMS(job), idv_db_int(due),
                                        idv_db_bool(untried)),
                          NULL, pool);
}

idv_error_t *idv_analysis_job_release(idv_db_t *db, const char *node,
                                      apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_ANALYSIS_JOB_RELEASE,
                          IDV_DB_PARAMS(idv_db_text(node),
                                        idv_db_int(idv_time_now())),
                          NULL, pool);
}

/* --- outgoing mail --- */

static const char *mail_context(const char *id, apr_pool_t *pool)
{
    return apr_pstrcat(pool, "mail:", id, NULL);
}

/* Seals recipient and message as one text, with a line end between them, under
 * a key that is new for each e-mail. */
static idv_error_t *seal(const idv_outgoing_mail_draft_t *draft,
                         const idv_keyring_t *keyring, idv_bytes_t *wrapped,
                         idv_bytes_t *sealed, apr_pool_t *pool)
{
    unsigned char *key = apr_palloc(pool, IDV_KEY_SIZE);
    char *plain =
        apr_pstrcat(pool, draft->recipient, "\n", draft->message, NULL);
    apr_size_t length = strlen(plain);

    idv_wipe_with_pool(key, IDV_KEY_SIZE, pool);
    idv_wipe_with_pool(plain, length, pool);
    idv_random_bytes(key, IDV_KEY_SIZE);
    IDV_TRY(idv_keyring_seal(
        keyring, idv_sealed_place(IDV_SEALED_MAIL_KEY, draft->id, pool),
        (idv_bytes_t){key, IDV_KEY_SIZE}, wrapped, pool));
    return idv_seal(key, mail_context(draft->id, pool),
                    (idv_bytes_t){(const unsigned char *)plain, length}, sealed,
                    pool);
}

idv_error_t *idv_outgoing_mail_queue(idv_db_t *db,
                                     const idv_outgoing_mail_draft_t *draft,
                                     const idv_keyring_t *keyring,
                                     apr_pool_t *pool)
{
    idv_bytes_t wrapped, sealed;

    IDV_TRY(seal(draft, keyring, &wrapped, &sealed, pool));
    return idv_db_execute(
        db, IDV_SQL_OUTGOING_MAIL_INSERT,
        IDV_DB_PARAMS(idv_db_text(draft->organization_id),
                      idv_db_text(draft->session_id), idv_db_text(draft->id),
                      idv_db_text(draft->grant_id), idv_db_bytes(wrapped),
                      idv_db_bytes(sealed), idv_db_time(draft->now),
                      idv_db_time(draft->useless_at)),
        NULL, pool);
}

idv_error_t *idv_outgoing_mail_claim(idv_db_t *db,
                                     const idv_outgoing_mail_claim_t *claim,
                                     apr_array_header_t **mails,
                                     apr_pool_t *pool)
{
    idv_db_result_t *rows;

    *mails = apr_array_make(pool, claim->limit, sizeof(idv_outgoing_mail_t));
    IDV_TRY(idv_db_query(
        db, IDV_SQL_OUTGOING_MAIL_CLAIM,
        IDV_DB_PARAMS(idv_db_int(idv_time_now()), idv_db_int(claim->until),
                      idv_db_text(claim->node), idv_db_int(claim->limit)),
        &rows, pool));
    for (int row = 0; row < idv_db_rows(rows); row++) {
        idv_outgoing_mail_t *mail = apr_array_push(*mails);

        mail->organization_id = idv_db_get_text(rows, row, 0);
        mail->session_id = idv_db_get_text(rows, row, 1);
        mail->id = idv_db_get_text(rows, row, 2);
        mail->attempts = (int)idv_db_get_int(rows, row, 3);
        mail->wrapped_key = idv_db_get_bytes(rows, row, 4, pool);
        mail->sealed = idv_db_get_bytes(rows, row, 5, pool);
        mail->useless_at = idv_db_get_int(rows, row, 6);
        mail->leased_until = claim->until;
        mail->node = claim->node;
    }
    return NULL;
}

idv_error_t *idv_outgoing_mail_open(const idv_outgoing_mail_t *mail,
                                    const idv_keyring_t *keyring,
                                    const char **recipient,
                                    const char **message, apr_pool_t *pool)
{
    idv_bytes_t key, plain;
    char *text, *end;

    IDV_TRY(idv_keyring_open(
        keyring, idv_sealed_place(IDV_SEALED_MAIL_KEY, mail->id, pool),
        mail->wrapped_key, &key, pool));
    if (key.length != IDV_KEY_SIZE)
        return idv_error_internal(pool, "%s: malformed data key", mail->id);
    IDV_TRY(idv_open(key.data, mail_context(mail->id, pool), mail->sealed,
                     &plain, pool));
    text = apr_pstrmemdup(pool, (const char *)plain.data, plain.length);
    idv_wipe_with_pool(text, plain.length, pool);
    end = strchr(text, '\n');
    if (!end)
        return idv_error_internal(pool, "%s: malformed e-mail", mail->id);
    *end = '\0';
    *recipient = text;
    *message = end + 1;
    return NULL;
}

idv_error_t *idv_outgoing_mail_remove(idv_db_t *db,
                                      const idv_outgoing_mail_t *mail,
                                      apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_OUTGOING_MAIL_REMOVE,
                          IDV_DB_PARAMS(LEASE_PARAMS(mail)), NULL, pool);
}

idv_error_t *idv_outgoing_mail_postpone(idv_db_t *db,
                                        const idv_outgoing_mail_t *mail,
                                        idv_time_t due, apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_OUTGOING_MAIL_POSTPONE,
                          IDV_DB_PARAMS(LEASE_PARAMS(mail), idv_db_int(due)),
                          NULL, pool);
}

idv_error_t *idv_outgoing_mail_release(idv_db_t *db, const char *node,
                                       apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_OUTGOING_MAIL_RELEASE,
                          IDV_DB_PARAMS(idv_db_text(node),
                                        idv_db_int(idv_time_now())),
                          NULL, pool);
}

idv_error_t *idv_outgoing_mail_erase_person(idv_db_t *db,
                                            const char *organization_id,
                                            const char *person_id,
                                            apr_pool_t *pool)
{
    return idv_db_execute(db, IDV_SQL_OUTGOING_MAIL_ERASE_PERSON,
                          IDV_DB_PARAMS(idv_db_text(organization_id),
                                        idv_db_text(person_id)),
                          NULL, pool);
}

/* --- the backlog --- */

idv_error_t *idv_backlog_count(idv_db_t *db, int most, idv_backlog_t *backlog,
                               apr_pool_t *pool)
{
    idv_db_result_t *rows;

    IDV_TRY(idv_db_query(db, IDV_SQL_STATISTICS_BACKLOG,
                         IDV_DB_PARAMS(idv_db_int(most)), &rows, pool));
    backlog->deliveries_new = idv_db_get_int(rows, 0, 0);
    backlog->deliveries_repeated = idv_db_get_int(rows, 0, 1);
    backlog->analyses = idv_db_get_int(rows, 0, 2);
    backlog->mails = idv_db_get_int(rows, 0, 3);
    return NULL;
}
