/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/passport/passport_reader.h"

#include <string.h>

#include "methods/passport/chip_relay.h"
#include "methods/passport/passport_reading.h"

static const idv_bytes_t *find_part(const idv_analysis_request_t *request,
                                    const char *name)
{
    for (int i = 0; i < request->part_count; i++)
        if (strcmp(request->parts[i].name, name) == 0)
            return &request->parts[i].bytes;
    return NULL;
}

static idv_error_t *check_names(const idv_analysis_request_t *request,
                                apr_pool_t *pool)
{
    static const char *const names[] = {"chip", "anchors", "challenge",
                                        "relay"};

    for (int i = 0; i < request->part_count; i++) {
        int known = 0;

        for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
            known |= strcmp(request->parts[i].name, names[k]) == 0;
        if (!known)
            return idv_error_internal(pool, "a part that does not belong to a "
                                            "passport");
    }
    return NULL;
}

/* The relay with DG14 of the dump; RECORD may be NULL. */
static idv_error_t *load_relay(const idv_bytes_t *record,
                               const idv_chip_dump_t *dump,
                               idv_chip_relay_t **relay, apr_pool_t *pool)
{
    *relay = NULL;
    if (!record)
        return NULL;
    IDV_TRY(idv_chip_relay_read(*record, relay, pool));
    (*relay)->dg14 = dump->files[IDV_CHIP_DG14];
    return NULL;
}

/* If DG14 cannot be read, it offers no protocol, and responses that fit no step
 * end the relay. The app sees no difference. */
static idv_error_t *take_step(const idv_chip_relay_t *relay,
                              idv_bytes_t *findings, apr_pool_t *pool)
{
    idv_chip_relay_step_t step = {.status = IDV_CHIP_RELAY_UNSUPPORTED};
    idv_error_t *error = NULL;

    if (relay->dg14.length > 0)
        error = idv_chip_relay_step(relay, &step, pool);
    if (error && error->code != IDV_E_PARAMETER_INVALID)
        return error;
    if (error)
        step = (idv_chip_relay_step_t){
            .status = relay->answer_count > 0 ? IDV_CHIP_RELAY_REFUSED
                                              : IDV_CHIP_RELAY_UNSUPPORTED};
    return idv_chip_relay_step_write(&step, findings, pool);
}

static idv_error_t *judge(const idv_analysis_request_t *request,
                          idv_passport_evidence_t *evidence,
                          idv_bytes_t *findings, apr_pool_t *pool)
{
    const idv_bytes_t *challenge = find_part(request, "challenge");
    idv_csca_list_t *list = idv_csca_list_create(pool);
    idv_time_t begin = idv_processor_time_used();
    idv_passport_findings_t *found;
    const char *text;

    IDV_TRY(idv_csca_list_unpack(list, *find_part(request, "anchors")));
    evidence->list = list;
    evidence->now = request->now;
    if (challenge)
        evidence->challenge = *challenge;
    IDV_TRY(idv_passport_read(evidence, &found, pool));
    found->milliseconds = (double)(idv_processor_time_used() - begin);
    IDV_TRY(idv_passport_findings_write(found, &text, &findings->length, pool));
    findings->data = (const unsigned char *)text;
    return NULL;
}

idv_error_t *idv_passport_reader_open(const char *models_directory,
                                      void **reader, apr_pool_t *pool)
{
    (void)models_directory;
    (void)pool;
    *reader = NULL;
    return NULL;
}

idv_error_t *idv_passport_reader_read(void *reader,
                                      const idv_analysis_request_t *request,
                                      idv_bytes_t *findings, apr_pool_t *pool)
{
    const idv_bytes_t *chip = find_part(request, "chip");
    idv_passport_evidence_t evidence = {.dump = NULL};
    idv_chip_relay_t *relay;
    idv_chip_dump_t *dump;

    (void)reader;
    IDV_TRY(check_names(request, pool));
    if (!chip)
        return idv_error_internal(pool, "a submission without a chip");
    IDV_TRY(idv_chip_dump_read((const char *)chip->data, chip->length, &dump,
                               pool));
    IDV_TRY(load_relay(find_part(request, "relay"), dump, &relay, pool));
    if (!find_part(request, "anchors"))
        return relay ? take_step(relay, findings, pool)
                     : idv_error_internal(pool, "a submission without a relay "
                                                "and trusted issuers");
    evidence.dump = dump;
    evidence.relay = relay;
    return judge(request, &evidence, findings, pool);
}
