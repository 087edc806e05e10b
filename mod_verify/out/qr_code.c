/* SPDX-License-Identifier: Apache-2.0 */
#include "out/qr_code.h"

#include <string.h>

#include <apr_strings.h>
#include <qrencode.h>

#define DARK 1       /* the bit of a module in libqrencode's matrix */
#define RUN_BYTES 40 /* of a run of dark modules in the path, at most */

/* The dark modules as a path: a rectangle for each run of a row. */
static const char *draw(const QRcode *code, apr_pool_t *pool)
{
    apr_size_t width = (apr_size_t)code->width;
    /* Every second module of a row can begin a run. */
    apr_size_t size = width * (width / 2 + 1) * RUN_BYTES + 1;
    char *path = apr_palloc(pool, size), *end = path;

    *end = '\0';
    for (apr_size_t y = 0; y < width; y++)
        for (apr_size_t x = 0; x < width; x++) {
            const unsigned char *row = code->data + y * width;
            apr_size_t from = x;

            while (x < width && (row[x] & DARK))
                x++;
            if (x > from)
                end += apr_snprintf(
                    end, size - (apr_size_t)(end - path),
                    "M%d %dh%dv1h-%dz", (int)from + IDV_QR_QUIET_ZONE,
                    (int)y + IDV_QR_QUIET_ZONE, (int)(x - from),
                    (int)(x - from));
        }
    return path;
}

idv_error_t *idv_qr_code_svg(const char *text, const char **svg,
                             apr_pool_t *pool)
{
    QRcode *code =
        QRcode_encodeString(text, 0, QR_ECLEVEL_M, QR_MODE_8, 1);
    int size;

    if (!code)
        return idv_error_internal(pool, "a QR code could not be made");
    size = code->width + 2 * IDV_QR_QUIET_ZONE;
    *svg = apr_psprintf(
        pool,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
        " shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h%dv%dH0z\"/>"
        "<path d=\"%s\"/></svg>",
        size, size, size, size, draw(code, pool));
    QRcode_free(code);
    return NULL;
}
