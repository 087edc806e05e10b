/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_TIME_ZONE_H
#define IDV_DOMAIN_VALUE_TIME_ZONE_H

/*
 * Time zones as named by browsers, and the countries that use them.
 *
 * Memory: results are constant. Threads: pure. Failures: none.
 */
#define IDV_TIME_ZONE_MAX 64 /* bytes of a name */

/* The countries (alpha-2, separated by spaces) that use the tz database zone
 * NAME or its older name; NULL for an unknown zone and one without a country
 * (Etc/UTC). */
const char *idv_time_zone_countries(const char *name);

#endif
