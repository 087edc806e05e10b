/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A trusted list in XML: whole, which ends at the signature, and its content, as
 * if the signature were right.
 */
#include "fuzz/fuzz.h"

#include <xmlsec/xmlsec.h>

#include "methods/trust/etsi_list.c"

static void read_unsigned(xmlDoc *document, apr_pool_t *pool)
{
    idv_trust_content_t *content =
        idv_trust_content_create(IDV_TRUST_ETSI, pool);

    if (read_list(xmlDocGetRootElement(document), content, pool))
        return;
    promise(content->certificates->nelts > 0 && content->sequence > 0
            && content->issued > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    apr_pool_t *pool = fuzz_pool();
    apr_array_header_t *signers = apr_array_make(pool, 1, sizeof(idv_bytes_t));
    idv_bytes_t file = {data, size};
    idv_trust_content_t *content;
    xmlDoc *document;

    promise(idv_etsi_list_read(file, signers, IDV_DAY, &content, pool));
    if (!parse(file, &document, pool)) {
        xmlNode *signature =
            next_named(xmlDocGetRootElement(document)->children, "Signature",
                       SIGNATURE_SPACE);
        idv_bytes_t chain[CHAIN_MAX];

        read_unsigned(document, pool);
        if (signature && covers_document(document, signature))
            promise(read_chain(signature, chain, pool) <= CHAIN_MAX);
    }
    apr_pool_destroy(pool);
    return 0;
}
