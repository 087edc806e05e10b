/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_PHONE_TYPE_H
#define IDV_DOMAIN_VALUE_PHONE_TYPE_H

/*
 * The type of a phone number in its country's numbering plan: mobile, internet
 * telephony, a service. This is the type for which the number's range was
 * assigned, not the actual line: a number ported to another kind of line keeps
 * its range.
 *
 * The plans are those of libphonenumber, generated at build time by
 * apxs/phone_numbers.py from the machine's python3-phonenumbers. In North
 * America and some other places fixed and mobile numbers share ranges.
 *
 * Memory: none. Threads: pure. Failures: none; a number in no plan is unknown.
 */

/* Type, value. */
#define IDV_PHONE_TYPES(X)                                                     \
    X(UNKNOWN, "unknown")                                                      \
    X(MOBILE, "mobile")                                                        \
    X(FIXED, "fixed")                                                          \
    X(FIXED_OR_MOBILE, "fixed_or_mobile")                                      \
    X(VOIP, "voip")                                                            \
    X(PERSONAL, "personal") /* follows its owner (UK 070) */                   \
    X(PREMIUM, "premium")                                                      \
    X(SERVICE, "service") /* free, shared cost, company, pager, voicemail */

typedef enum {
#define X(name, value) IDV_PHONE_TYPE_##name,
    IDV_PHONE_TYPES(X)
#undef X
} idv_phone_type_t;

/* The type of NUMBER, which is E.164 (domain/value/identifier.h). */
idv_phone_type_t idv_phone_type(const char *number);

/* The API value, for example "mobile". */
const char *idv_phone_type_value(idv_phone_type_t type);

#endif
