/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/risk/risk.h"

#include <string.h>

static const struct {
    const char *level, *recommendation;
    idv_risk_tier_t tier;
} levels[] = {
    [IDV_RISK_LOW] = {"low", "allow", IDV_RISK_TIER_CLEAR},
    [IDV_RISK_MEDIUM] = {"medium", "review", IDV_RISK_TIER_REVIEW},
    [IDV_RISK_HIGH] = {"high", "block", IDV_RISK_TIER_BLOCK},
};

static const char *const tiers[] = {
#define X(name, value) value,
    IDV_RISK_TIERS(X)
#undef X
};

const char *idv_risk_level_value(idv_risk_level_t level)
{
    return levels[level].level;
}

const char *idv_risk_recommendation(idv_risk_level_t level)
{
    return levels[level].recommendation;
}

idv_risk_level_t
idv_risk_effective_level(const idv_risk_assessment_t *assessment)
{
    return assessment->is_shadow ? IDV_RISK_LOW : assessment->level;
}

const char *idv_risk_tier(const idv_risk_assessment_t *assessment)
{
    if (assessment->is_shadow)
        return tiers[IDV_RISK_TIER_CLEAR];
    return tiers[assessment->automation ? IDV_RISK_TIER_BOT
                                        : levels[assessment->level].tier];
}

static const char *const keys[] = {
#define X(name, key, points, check, subject, reason) key,
    IDV_RISK_SIGNALS(X)
#undef X
};

int idv_risk_signal_parse(const char *key)
{
    for (int i = 0; i < IDV_RISK_SIGNAL_COUNT; i++)
        if (strcmp(keys[i], key) == 0)
            return i;
    return -1;
}

void idv_risk_facts_init(idv_risk_facts_t *facts)
{
    memset(facts, 0, sizeof(*facts));
    facts->ip_reserved = facts->ip_hosting = -1;
    facts->ip_anonymizer = facts->ip_tor = -1;
    facts->email_disposable = facts->email_free = -1;
    facts->email_tagged = facts->email_random = -1;
    facts->ip_failed_age = facts->device_failed_age = -1;
    facts->automated = facts->webdriver = facts->document_reused = -1;
    facts->virtual_camera = -1;
    facts->document_recaptured = facts->document_pasted = -1;
    facts->device_persons = facts->document_persons = -1;
    facts->vp_token_other_person = -1;
    facts->vp_token_sessions = -1;
    for (int i = 0; i < IDV_RISK_KIND_COUNT; i++)
        facts->seen[i] = -1;
}
