/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_VALUE_TIME_ZONE_H
#define IDV_DOMAIN_VALUE_TIME_ZONE_H

/*
 * Time zones as browsers name them, and the countries that keep them.
 *
 * Memory: results are constant. Threads: pure. Failures: none.
 */
#define IDV_TIME_ZONE_MAX 64 /* bytes of a name */

/* The countries (alpha-2, between spaces) that keep the zone called NAME in the
 * tz database, an older name included; NULL for a name of no zone, and of one
 * that is no country's (Etc/UTC). */
const char *idv_time_zone_countries(const char *name);

#endif
