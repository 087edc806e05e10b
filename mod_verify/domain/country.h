/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_COUNTRY_H
#define IDV_DOMAIN_COUNTRY_H

/*
 * Countries: ISO 3166-1 codes, and where their calendar day begins last.
 *
 * The table is countries.def (how it was made stands there). It holds every
 * officially assigned code of ISO 3166-1 and the user-assigned XK (Kosovo),
 * which documents and registries use. Constant data, thread-safe.
 */
#include "domain/civil_date.h"

typedef struct {
    char alpha2[3];
    char alpha3[4];
    int utc_offset; /* minutes; the westernmost zone, standard time */
} idv_country_t;

/* The entry of an upper-case code of two or three letters; NULL: unknown. */
const idv_country_t *idv_country_by_alpha2(const char *code);
const idv_country_t *idv_country_by_alpha3(const char *code);

/* The calendar date at NOW in JURISDICTION, a country ("DE") or a country with
 * a region ("US-HI"): where it has several, the earliest, so that a day counts
 * only once it has begun in all of the jurisdiction. Daylight saving time is
 * left out, which moves the change of date one hour later at most. A region
 * without an entry of its own counts as its whole country; NULL or an unknown
 * country as the last place on earth, UTC-12. */
idv_date_t idv_jurisdiction_date(const char *jurisdiction, idv_time_t now);

#endif
