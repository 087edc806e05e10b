/* SPDX-License-Identifier: Apache-2.0 */
#include "domain/value/proportion.h"

#include <math.h>

#define Z 1.959964 /* of the normal distribution, two-sided, 95 % */

idv_proportion_t idv_proportion(apr_int64_t count, apr_int64_t total)
{
    idv_proportion_t proportion = {
        .high = 1, .is_few = total < IDV_PROPORTION_CASES_MIN};
    double n = (double)total, share, middle, half;

    if (total <= 0)
        return proportion;
    share = (double)count / n;
    middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n);
    half = Z / (1 + Z * Z / n)
         * sqrt(share * (1 - share) / n + Z * Z / (4 * n * n));
    proportion.share = share;
    proportion.low = count == 0 ? 0 : middle - half;
    proportion.high = count == total ? 1 : middle + half;
    return proportion;
}
