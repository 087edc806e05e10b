/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_SESSION_TYPE_H
#define IDV_DOMAIN_VALUE_SESSION_TYPE_H

/*
 * The subject of a session: `type` in the API.
 *
 * Memory: constants. Threads: pure.
 */

#define IDV_SESSION_TYPES(X)                                                   \
    X(IDENTITY, "identity")                                                    \
    X(AGE, "age")                                                              \
    X(STUDENT, "student")

typedef enum {
#define X(name, value) IDV_SESSION_TYPE_##name,
    IDV_SESSION_TYPES(X)
#undef X
        IDV_SESSION_TYPE_COUNT,
    IDV_SESSION_TYPE_NONE = -1
} idv_session_type_t;

/* The API value; NULL for none. */
const char *idv_session_type_value(idv_session_type_t type);

/* The type named VALUE; IDV_SESSION_TYPE_NONE for anything else. */
idv_session_type_t idv_session_type_parse(const char *value);

#endif
