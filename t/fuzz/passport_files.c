/* SPDX-License-Identifier: Apache-2.0 */
/* The files of a chip, each reader on the same bytes. */
#include "fuzz/fuzz.h"

#include "methods/passport/data_groups.h"
#include "methods/passport/portrait.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    idv_bytes_t file = { data, size };
    idv_data_groups_t groups;
    idv_mrz_text_t zone;
    idv_personal_details_t details;
    idv_security_infos_t infos;
    idv_portrait_t portrait;
    idv_bytes_t key;

    if (!idv_ef_com_read(file, &groups, pool))
        promise((groups & ~0x1fffeu) == 0);
    if (!idv_dg1_read(file, &zone, pool))
        for (int row = 0; row < idv_mrz_layout_rows(zone.layout); row++)
            promise((int)strlen(zone.rows[row])
                    == idv_mrz_layout_columns(zone.layout));
    if (!idv_dg11_read(file, &details, pool))
        promise(details.date_of_birth.year == 0
                || idv_date_is_complete(details.date_of_birth));
    if (!idv_dg14_read(file, &infos, pool))
        promise(infos.key_count <= IDV_CHIP_KEYS_MAX);
    if (!idv_dg15_read(file, &key, pool))
        promise(key.data >= data && key.data + key.length <= data + size);
    if (!idv_portrait_find(file, &portrait, pool))
        promise(portrait.length > 0
                && (size_t)portrait.offset + (size_t)portrait.length <= size);
    apr_pool_destroy(pool);
    return 0;
}
