/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/trust/etsi_list.h"

#include <string.h>

#include <apr_strings.h>
#include <apr_strmatch.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <openssl/err.h>
#include <xmlsec/xmlsec.h>
#include <xmlsec/errors.h>
#include <xmlsec/openssl/crypto.h>
#include <xmlsec/openssl/evp.h>
#include <xmlsec/xmldsig.h>
#include <xmlsec/xmltree.h>

#include "methods/trust/etsi_service.h"

#define LIST_SPACE "http://uri.etsi.org/02231/v2#"
#define SIGNATURE_SPACE "http://www.w3.org/2000/09/xmldsig#"
#define CHAIN_MAX 8

static idv_error_t *refuse(const char *why, apr_pool_t *pool)
{
    return idv_error_param(pool, NULL, "The trusted list %s.", why);
}

/* --- the tree --- */

static int is_named(const xmlNode *node, const char *name, const char *space)
{
    return node && node->type == XML_ELEMENT_NODE && node->ns
        && strcmp((const char *)node->name, name) == 0
        && strcmp((const char *)node->ns->href, space) == 0;
}

/* The first node with this name among NODE and its following siblings. */
static xmlNode *next_named(xmlNode *node, const char *name, const char *space)
{
    while (node && !is_named(node, name, space))
        node = node->next;
    return node;
}

static xmlNode *child(const xmlNode *parent, const char *name)
{
    return parent ? next_named(parent->children, name, LIST_SPACE) : NULL;
}

/* The text in NODE without leading and trailing blanks; NULL if there is
 * none. */
static const char *text_of(xmlNode *node, apr_pool_t *pool)
{
    xmlChar *content = node ? xmlNodeGetContent(node) : NULL;
    char *text = content ? apr_pstrdup(pool, (const char *)content) : NULL;

    xmlFree(content);
    if (!text)
        return NULL;
    apr_collapse_spaces(text, text);
    return *text ? text : NULL;
}

static apr_status_t free_document(void *document)
{
    xmlFreeDoc(document);
    return APR_SUCCESS;
}

static int has_good_encoding(const xmlDoc *document)
{
    return !document->encoding
        || xmlStrcasecmp(document->encoding, BAD_CAST "UTF-8") == 0;
}

static idv_error_t *parse(idv_bytes_t file, xmlDoc **document, apr_pool_t *pool)
{
    const int options =
        XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING;
    const char *text = (const char *)file.data;

    if (file.length > IDV_TRUST_FILE_MAX)
        return refuse("is too long", pool);
    if (memchr(text, '\0', file.length))
        return refuse("is not UTF-8", pool);
    if (apr_strmatch(apr_strmatch_precompile(pool, "<!DOCTYPE", 1), text,
                     file.length))
        return refuse("has a document type declaration, which is not "
                      "allowed", pool);
    *document =
        xmlReadMemory(text, (int)file.length, NULL, NULL, options);
    if (!*document)
        return refuse("is not well-formed XML", pool);
    apr_pool_cleanup_register(pool, *document, free_document,
                              apr_pool_cleanup_null);
    if ((*document)->intSubset || !has_good_encoding(*document))
        return refuse("is not plain XML in UTF-8", pool);
    if (!is_named(xmlDocGetRootElement(*document), "TrustServiceStatusList",
                  LIST_SPACE))
        return refuse("is not a list of ETSI TS 119 612", pool);
    return NULL;
}

/* --- the signature --- */

/* Messages of xmlsec contain parts of the file. */
static void say_nothing(const char *file, int line, const char *function,
                        const char *object, const char *subject, int reason,
                        const char *message)
{
    (void)file;
    (void)line;
    (void)function;
    (void)object;
    (void)subject;
    (void)reason;
    (void)message;
}

static int initialize(void)
{
    static int is_initialized;

    if (!is_initialized) {
        is_initialized = xmlSecInit() == 0 && xmlSecOpenSSLInit() == 0;
        xmlSecErrorsSetCallback(say_nothing);
    }
    return is_initialized;
}

static apr_status_t destroy_context(void *context)
{
    xmlSecDSigCtxDestroy(context);
    return APR_SUCCESS;
}

/* The only algorithms of XML Signature that are allowed. */
static int allow_algorithms(xmlSecDSigCtx *context)
{
    const xmlSecTransformId transforms[] = {
        xmlSecTransformEnvelopedId,    xmlSecTransformInclC14NId,
        xmlSecTransformInclC14N11Id,   xmlSecTransformExclC14NId,
        xmlSecOpenSSLTransformSha256Id, xmlSecOpenSSLTransformSha384Id,
        xmlSecOpenSSLTransformSha512Id};
    const xmlSecTransformId signatures[] = {
        xmlSecTransformInclC14NId,
        xmlSecTransformInclC14N11Id,
        xmlSecTransformExclC14NId,
        xmlSecOpenSSLTransformRsaSha256Id,
        xmlSecOpenSSLTransformRsaSha384Id,
        xmlSecOpenSSLTransformRsaSha512Id,
        xmlSecOpenSSLTransformEcdsaSha256Id,
        xmlSecOpenSSLTransformEcdsaSha384Id,
        xmlSecOpenSSLTransformEcdsaSha512Id};
    int failed = 0;

    for (size_t i = 0; i < sizeof(transforms) / sizeof(*transforms); i++)
        failed |=
            xmlSecDSigCtxEnableReferenceTransform(context, transforms[i]) < 0;
    for (size_t i = 0; i < sizeof(signatures) / sizeof(*signatures); i++)
        failed |=
            xmlSecDSigCtxEnableSignatureTransform(context, signatures[i]) < 0;
    context->enabledReferenceUris =
        xmlSecTransformUriTypeEmpty | xmlSecTransformUriTypeSameDocument;
    return !failed;
}

/* Makes xmlsec use KEY, whatever the signature says about its key. */
static int set_key(xmlSecDSigCtx *context, EVP_PKEY *key)
{
    xmlSecKeyData *data;

    context->signKey = xmlSecKeyCreate();
    if (!context->signKey || !EVP_PKEY_up_ref(key))
        return 0;
    data = xmlSecOpenSSLEvpKeyAdopt(key);
    if (!data) {
        EVP_PKEY_free(key);
        return 0;
    }
    if (xmlSecKeySetValue(context->signKey, data) < 0) {
        xmlSecKeyDataDestroy(data);
        return 0;
    }
    return 1;
}

/* Non-zero if ADDRESS refers to the whole document: it is empty, or the root's
 * own identifier. */
static int is_whole(xmlDoc *document, const char *address)
{
    const xmlAttr *attribute;

    if (!*address)
        return 1;
    attribute = *address == '#'
                  ? xmlGetID(document, BAD_CAST(address + 1))
                  : NULL;
    return attribute && attribute->parent == xmlDocGetRootElement(document);
}

/* Non-zero if one of the references of SIGNATURE covers the document. With the
 * allowed transforms, it then covers everything except the signature. */
static int covers_document(xmlDoc *document, xmlNode *signature)
{
    xmlNode *info =
        next_named(signature->children, "SignedInfo", SIGNATURE_SPACE);
    xmlNode *reference =
        info ? next_named(info->children, "Reference", SIGNATURE_SPACE) : NULL;
    int found = 0;

    while (reference && !found) {
        xmlChar *address = xmlGetNoNsProp(reference, BAD_CAST "URI");

        found = address && is_whole(document, (const char *)address);
        xmlFree(address);
        reference =
            next_named(reference->next, "Reference", SIGNATURE_SPACE);
    }
    return found;
}

/* The certificates in KeyInfo, the signer's first (TS 119 612, 5.7.1). */
static int read_chain(xmlNode *signature, idv_bytes_t chain[CHAIN_MAX],
                      apr_pool_t *pool)
{
    xmlNode *node =
        next_named(signature->children, "KeyInfo", SIGNATURE_SPACE);
    int count = 0;

    node = node ? next_named(node->children, "X509Data", SIGNATURE_SPACE)
                : NULL;
    node = node ? next_named(node->children, "X509Certificate",
                             SIGNATURE_SPACE)
                : NULL;
    for (; node && count < CHAIN_MAX;
         node = next_named(node->next, "X509Certificate", SIGNATURE_SPACE)) {
        const char *text = text_of(node, pool);

        chain[count++] =
            idv_trust_base64(text ? text : "", IDV_X509_MAX, pool);
    }
    return count;
}

static idv_error_t *verify(xmlDoc *document, xmlNode *signature, EVP_PKEY *key,
                           apr_pool_t *pool)
{
    static const xmlChar *const identifiers[] = {BAD_CAST "Id", NULL};
    xmlSecDSigCtx *context;
    int is_right;

    if (!initialize() || !(context = xmlSecDSigCtxCreate(NULL)))
        return idv_error_internal(pool, "xmlsec does not start");
    apr_pool_cleanup_register(pool, context, destroy_context,
                              apr_pool_cleanup_null);
    if (!allow_algorithms(context) || !set_key(context, key))
        return idv_error_internal(pool, "xmlsec does not take the key");
    xmlSecAddIDs(document, xmlDocGetRootElement(document),
                 (const xmlChar **)identifiers);
    if (!covers_document(document, signature))
        return refuse("has a signature that does not cover it", pool);
    is_right = xmlSecDSigCtxVerify(context, signature) == 0
            && context->status == xmlSecDSigStatusSucceeded;
    ERR_clear_error();
    return is_right ? NULL
                    : refuse("has a wrong signature, or one of an algorithm "
                             "that is not allowed",
                             pool);
}

static idv_error_t *check_signature(xmlDoc *document,
                                    const apr_array_header_t *signers,
                                    idv_time_t now,
                                    idv_trust_content_t *content,
                                    apr_pool_t *pool)
{
    xmlNode *signature =
        next_named(xmlDocGetRootElement(document)->children, "Signature",
                   SIGNATURE_SPACE);
    idv_bytes_t chain[CHAIN_MAX];
    idv_trust_signer_t signer = {
        .chain = chain, .purpose = IDV_ETSI_SIGNER_PURPOSE, .now = now};
    EVP_PKEY *key;

    if (!signature)
        return refuse("is not signed", pool);
    if (next_named(signature->next, "Signature", SIGNATURE_SPACE))
        return refuse("has several signatures", pool);
    signer.count = read_chain(signature, chain, pool);
    IDV_TRY(idv_trust_signer_key(&signer, signers, &key, &content->signer,
                                 pool));
    return verify(document, signature, key, pool);
}

/* --- the content --- */

static idv_error_t *read_scheme(const xmlNode *scheme,
                                idv_trust_content_t *content, apr_pool_t *pool)
{
    const char *number = text_of(child(scheme, "TSLSequenceNumber"), pool);
    const char *issued = text_of(child(scheme, "ListIssueDateTime"), pool);
    const char *next = text_of(
        child(child(scheme, "NextUpdate"), "dateTime"), pool);
    xmlNode *name = child(child(scheme, "SchemeOperatorName"), "Name");
    xmlChar *text = name ? xmlNodeGetContent(name) : NULL;
    char *end;

    if (text)
        content->name = idv_trust_name((const char *)text, pool);
    xmlFree(text);
    content->sequence = number ? apr_strtoi64(number, &end, 10) : 0;
    if (!number || *end || content->sequence <= 0 || !issued
        || !idv_trust_time(issued, &content->issued, pool)
        || (next && !idv_trust_time(next, &content->next_update, pool)))
        return refuse("has no number, or no dates", pool);
    return NULL;
}

static idv_error_t *read_service(xmlNode *information,
                                 idv_trust_content_t *content, apr_pool_t *pool)
{
    const idv_etsi_service_t service = {
        .type = text_of(child(information, "ServiceTypeIdentifier"), pool),
        .status = text_of(child(information, "ServiceStatus"), pool),
        .needs_status = 1};
    const char *const *doc_types = idv_etsi_service_doc_types(&service);
    xmlNode *identity =
        child(child(information, "ServiceDigitalIdentity"), "DigitalId");

    if (!doc_types) {
        content->passed_over++;
        return NULL;
    }
    for (; identity; identity = next_named(identity->next, "DigitalId",
                                           LIST_SPACE)) {
        const char *text = text_of(child(identity, "X509Certificate"), pool);

        if (text)
            IDV_TRY(idv_etsi_service_add(content, text, doc_types, pool));
    }
    return NULL;
}

static idv_error_t *read_provider(const xmlNode *provider,
                                  idv_trust_content_t *content,
                                  apr_pool_t *pool)
{
    xmlNode *service = child(child(provider, "TSPServices"), "TSPService");

    for (; service;
         service = next_named(service->next, "TSPService", LIST_SPACE))
        IDV_TRY(read_service(child(service, "ServiceInformation"), content,
                             pool));
    return NULL;
}

static idv_error_t *read_list(const xmlNode *root, idv_trust_content_t *content,
                              apr_pool_t *pool)
{
    xmlNode *provider = child(child(root, "TrustServiceProviderList"),
                              "TrustServiceProvider");

    IDV_TRY(read_scheme(child(root, "SchemeInformation"), content, pool));
    for (; provider; provider = next_named(provider->next,
                                           "TrustServiceProvider", LIST_SPACE))
        IDV_TRY(read_provider(provider, content, pool));
    return content->certificates->nelts
             ? NULL
             : refuse("contains no service that issues documents", pool);
}

idv_error_t *idv_etsi_list_read(idv_bytes_t file,
                                const apr_array_header_t *signers,
                                idv_time_t now, idv_trust_content_t **content,
                                apr_pool_t *pool)
{
    xmlDoc *document;

    *content = idv_trust_content_create(IDV_TRUST_ETSI, pool);
    IDV_TRY(parse(file, &document, pool));
    IDV_TRY(check_signature(document, signers, now, *content, pool));
    return read_list(xmlDocGetRootElement(document), *content, pool);
}
