/* SPDX-License-Identifier: Apache-2.0 */
#ifndef IDV_DOMAIN_LAW_COMPLIANCE_CALENDAR_H
#define IDV_DOMAIN_LAW_COMPLIANCE_CALENDAR_H

/*
 * The law for one product in one jurisdiction, over time and by article.
 *
 * A file contains rules with a time span, for all of a product or for some of
 * its articles, on up to two levels (a country, a region). The calendar layers
 * them for each interval between two changes and for each article that a rule
 * names:
 *
 *     country: all < the product < the article < the channel of sale
 *            < region: all < the product < the article < the channel
 *
 * so that the complete rule of a day is found by scanning a few spans. An
 * enjoined rule contributes nothing. An enacted rule applies from its day;
 * without a day it is kept as pending, outside the timelines.
 *
 * Only for compliance_rules.c. Memory: the calendar lives in the pool of the
 * rule set. Threads: immutable once made. Failures: faults are added to those
 * of the place; the calendar is made regardless.
 */
#include "domain/law/compliance_rule_reader.h"

/* Rules of one product, or of all products, on one level, as written in the
 * document: an object, or an array of up to this many. */
#define IDV_COMPLIANCE_ENTRIES_MAX 16

/* A rule of the document and its scope. */
typedef struct {
    const json_t *rule;
    idv_compliance_term_t term;
    const char *basis; /* its source, in the form of idv_compliance_basis_t */
    idv_compliance_remark_t remark;
} idv_compliance_entry_t;

/* One level: its rules for all products and for this one. */
typedef struct {
    const apr_array_header_t *all;     /* idv_compliance_entry_t */
    const apr_array_header_t *product; /* idv_compliance_entry_t */
} idv_compliance_layer_t;

#define IDV_COMPLIANCE_LAYERS_MAX 2

/* An interval without changes. */
typedef struct {
    idv_compliance_day_t from; /* ALWAYS: since before all known law */
    idv_compliance_rule_t rule;
} idv_compliance_span_t;

typedef struct {
    int count;
    idv_compliance_span_t *spans; /* by day; the first starts at ALWAYS */
} idv_compliance_timeline_t;

typedef struct {
    /* One timeline for each channel that a rule names and for in person; within
     * it, one for the product (IDV_ARTICLE_NONE) and one for each article that
     * a rule names. NULL: use the product's timeline, and if that is NULL too,
     * in person. */
    const idv_compliance_timeline_t
        *timelines[IDV_CHANNEL_COUNT][IDV_ARTICLE_COUNT];
    /* The rule enacted without a day, as it would apply; NULL: none. */
    const idv_compliance_rule_t *pending[IDV_CHANNEL_COUNT][IDV_ARTICLE_COUNT];
} idv_compliance_calendar_t;

/* Reads and checks the rules VALUE at PLACE, for USE_CASE or
 * (IDV_USE_CASE_NONE) for all products. *ENTRIES is empty if VALUE is NULL. */
void idv_compliance_entries_read(const idv_compliance_place_t *place,
                                 const json_t *value, idv_use_case_t use_case,
                                 apr_array_header_t **entries);

/* The calendar of USE_CASE from COUNT LAYERS, the wider first. PLACE is where
 * the product's rules are, or would be. */
const idv_compliance_calendar_t *
idv_compliance_calendar_make(const idv_compliance_place_t *place,
                             const idv_compliance_layer_t *layers, int count,
                             idv_use_case_t use_case);

/* The rule on DAY for ARTICLE by CHANNEL; for IDV_ARTICLE_NONE the product's
 * rule without regard to articles. Never NULL. */
const idv_compliance_rule_t *
idv_compliance_calendar_find(const idv_compliance_calendar_t *calendar,
                             idv_article_t article, idv_channel_t channel,
                             idv_compliance_day_t day);

#endif
