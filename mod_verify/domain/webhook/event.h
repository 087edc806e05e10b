/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_WEBHOOK_EVENT_H
#define IDV_DOMAIN_WEBHOOK_EVENT_H

/*
 * Events: the object that is sent, what an endpoint may subscribe to, and what a
 * test event carries.
 *
 * A test event has a complete object such as a real event of its type would
 * have, that cannot be taken for one: it has the additional member `test`, which
 * is true, `livemode` false where the object has that, and ids that never exist,
 * all zeros behind the prefix.
 *
 * Memory: results live in the given pool. Threads: pure.
 */
#include "core/clock.h"
#include "core/json.h"
#include "domain/value/event_type.h"

/* The text of the event {id, object, type, created, data: {object}}; OBJECT is
 * the text of the snapshot. */
const char *idv_event_body(const char *id, idv_event_type_t type,
                           idv_time_t created, const char *object,
                           apr_pool_t *pool);

/* Checks `enabled_events` at PARAM: a non-empty array of known types without
 * repetition, or the single value `*`. */
idv_error_t *idv_event_subscription_check(const json_t *value,
                                          const char *param,
                                          apr_pool_t *pool) IDV_CHECKED;

/* For whom and when a test event is made. */
typedef struct {
    const char *organization_id; /* of the endpoint that is tested */
    idv_time_t now;
} idv_event_sample_t;

/* `data.object` of a test event of TYPE, owned by POOL. */
json_t *idv_event_sample_json(const idv_event_sample_t *sample,
                              idv_event_type_t type, apr_pool_t *pool);

/* The id of that object: `id`, or `session_id` or `verified_person_id` where it
 * has none. */
const char *idv_event_sample_object_id(const json_t *object);

#endif
