/* SPDX-License-Identifier: Apache-2.0 */
#include "analyze/document/pdf417_scan.h"

#include <algorithm>

/* Selects the interface of 1.4 without deprecated names; later versions have
 * no other. */
#define ZX_USE_UTF8 1
#include <ZXing/ReadBarcode.h>

/* Version 2.2 renamed the options, and a later one the result, whose type
 * is therefore not named here. */
#if __has_include(<ZXing/ReaderOptions.h>)
using Options = ZXing::ReaderOptions;
#else
using Options = ZXing::DecodeHints;
#endif

template <class Result>
static bool take(const Result &result, idv_pdf417_symbol_t *symbol)
{
    const auto &bytes = result.bytes(); /* text() would guess a charset */
    const auto position = result.position();

    if (!result.isValid() || bytes.empty() ||
        bytes.size() > sizeof(symbol->payload))
        return false;
    symbol->length = static_cast<unsigned>(bytes.size());
    std::copy(bytes.begin(), bytes.end(), symbol->payload);
    for (int i = 0; i < 4; i++) {
        symbol->x[i] = position[i].x;
        symbol->y[i] = position[i].y;
    }
    return true;
}

int idv_pdf417_scan(const unsigned char *pixels, int width, int height,
                    int stride, int how, idv_pdf417_symbol_t *symbols)
{
    int count = 0;

    try {
        Options options;

        options.setFormats(ZXing::BarcodeFormat::PDF417)
            .setTryHarder(true)
            .setTryRotate((how & IDV_PDF417_SCAN_TURNED) != 0)
            .setTryDownscale(false)
            .setMaxNumberOfSymbols(IDV_PDF417_SYMBOLS_MAX)
            .setBinarizer((how & IDV_PDF417_SCAN_GLOBAL) != 0
                              ? ZXing::Binarizer::GlobalHistogram
                              : ZXing::Binarizer::LocalAverage);
        for (const auto &result : ZXing::ReadBarcodes(
                 ZXing::ImageView(pixels, width, height,
                                  ZXing::ImageFormat::Lum, stride),
                 options))
            if (count < IDV_PDF417_SYMBOLS_MAX && take(result, &symbols[count]))
                count++;
        return count;
    } catch (...) {
        return -1;
    }
}
