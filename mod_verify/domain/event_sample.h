/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_EVENT_SAMPLE_H
#define IDV_DOMAIN_EVENT_SAMPLE_H

/*
 * What a test event carries: a complete object such as a real event of the
 * type would have, that cannot be taken for one. It has the additional member
 * `test`, which is true, `livemode` false where the object has that, and ids
 * that never exist: all zeros behind the prefix.
 *
 * Memory: what is not in the result lives in the pool. Threads: pure.
 */
#include "domain/event.h"

typedef struct {
    const char *organization_id; /* of the endpoint that is tested */
    idv_time_t now;
} idv_event_sample_t;

/* `data.object` of a test event of TYPE. New reference. */
json_t *idv_event_sample_json(const idv_event_sample_t *sample,
                              idv_event_type_t type, apr_pool_t *pool);

/* The id of that object: `id`, or `session_id` or `verified_person_id` where it
 * has none. */
const char *idv_event_sample_object_id(const json_t *object);

#endif
