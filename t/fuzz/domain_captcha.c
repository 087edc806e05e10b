/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of a captcha provider. */
#include <stdint.h>
#include <stdlib.h>

#include <apr_general.h>

#include "domain/account/captcha.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static apr_pool_t *root;
    apr_pool_t *pool;
    idv_captcha_verdict_t verdict;

    if (!root
        && (apr_initialize() != APR_SUCCESS
            || apr_pool_create(&root, NULL) != APR_SUCCESS))
        abort();
    if (apr_pool_create(&pool, root) != APR_SUCCESS)
        abort();
    verdict = idv_captcha_judge((idv_bytes_t){data, size}, pool);
    if (verdict != IDV_CAPTCHA_PASSED && verdict != IDV_CAPTCHA_REFUSED
        && verdict != IDV_CAPTCHA_FAILED)
        abort();
    apr_pool_destroy(pool);
    return 0;
}
