/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_USE_CASE_H
#define IDV_DOMAIN_USE_CASE_H

/*
 * Product types: what a workflow verifies for, and what compliance rules are
 * about. Constant data.
 */
#define IDV_USE_CASES(X)                                                       \
    X(ALCOHOL_DELIVERY, "alcohol_delivery")                                    \
    X(ALCOHOL_IN_PERSON, "alcohol_in_person")                                  \
    X(CANNABIS_DISPENSARY, "cannabis_dispensary")                              \
    X(CANNABIS_DELIVERY, "cannabis_delivery")                                  \
    X(GAMBLING_ONLINE, "gambling_online")                                      \
    X(GAMBLING_IN_PERSON, "gambling_in_person")                                \
    X(TOBACCO_NICOTINE, "tobacco_nicotine")                                    \
    X(ADULT_CONTENT, "adult_content")                                          \
    X(SOCIAL_MEDIA, "social_media")                                            \
    X(FIREARMS, "firearms")

typedef enum {
    IDV_USE_CASE_NONE,
#define X(name, value) IDV_USE_CASE_##name,
    IDV_USE_CASES(X)
#undef X
    IDV_USE_CASE_COUNT
} idv_use_case_t;

/* The value in the interface; NULL for none. */
const char *idv_use_case_value(idv_use_case_t use_case);

/* The use case named VALUE; IDV_USE_CASE_NONE for anything else. */
idv_use_case_t idv_use_case_parse(const char *value);

#endif
