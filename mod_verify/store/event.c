/* SPDX-License-Identifier: Apache-2.0 */
#include "store/event.h"

#include <string.h>

#include <apr_strings.h>

#include "core/id.h"

#define TIME_PART_LENGTH 10

idv_error_t *idv_event_write(const idv_event_draft_t *draft,
                             idv_event_text_t *text, apr_pool_t *pool)
{
    json_t *event;

    text->id = idv_id_new(IDV_ID_EVENT, draft->created, pool);
    text->time_part = apr_pstrmemdup(
        pool, text->id + strlen(idv_id_prefix(IDV_ID_EVENT)), TIME_PART_LENGTH);
    event = idv_json_own(idv_event_json(text->id, draft->type, draft->created,
                                        draft->object),
                         pool);
    return idv_json_dump(event, &text->body, NULL, pool);
}

idv_error_t *idv_event_insert(idv_db_t *db, const idv_event_draft_t *draft,
                              apr_int64_t *deliveries, apr_pool_t *pool)
{
    idv_event_text_t text;
    apr_int64_t queued;

    IDV_TRY(idv_event_write(draft, &text, pool));
    IDV_TRY(idv_db_execute(
        db, IDV_SQL_EVENT_INSERT,
        IDV_DB_PARAMS(idv_db_text(draft->organization_id),
                      idv_db_text(text.id), idv_db_text(draft->application_id),
                      idv_db_text(idv_event_type_value(draft->type)),
                      idv_db_text(draft->object_id), idv_db_text(text.body),
                      idv_db_time(draft->created),
                      idv_db_text(text.time_part)),
        &queued, pool));
    *deliveries += queued;
    return NULL;
}
