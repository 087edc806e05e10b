/* SPDX-License-Identifier: Apache-2.0 */
/* Trusted lists in XML (ETSI TS 119 612). */
#include "unit/trust_publisher.h"

#include <xmlsec/xmlsec.h>
#include <xmlsec/templates.h>

#include "methods/trust/etsi_list.c"

#define PAA "http://ec.europa.eu/tools/lotl/av/TrstSvc/Svctype/PAA"
#define GRANTED                                                                \
    "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted"

/* What is put into a list; NULL: what is good. */
typedef struct {
    const char *number, *issued, *next_update, *type, *status;
    const char *before, *root_attributes, *inside;
    idv_bytes_t certificate;
} wish_t;

static const char *base64(idv_bytes_t bytes, apr_pool_t *pool)
{
    return apr_pencode_base64_binary(pool, bytes.data,
                                     (apr_ssize_t)bytes.length,
                                     APR_ENCODE_NONE, NULL);
}

static const char *or(const char *text, const char *preset)
{
    return text ? text : preset;
}

static const char *xml_of(const wish_t *wish, apr_pool_t *pool)
{
    idv_bytes_t certificate =
        wish->certificate.length ? wish->certificate : new_authority(pool);
    const char *text = base64(certificate, pool);

    return apr_pstrcat(
        pool, or(wish->before, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"),
        "<TrustServiceStatusList xmlns=\"" LIST_SPACE "\" ",
        or(wish->root_attributes, ""),
        "><SchemeInformation><TSLSequenceNumber>", or(wish->number, "7"),
        "</TSLSequenceNumber><SchemeOperatorName><Name xml:lang=\"en\"> J\xc3"
        "\xb6rg &amp; List </Name></SchemeOperatorName><ListIssueDateTime>",
        or(wish->issued, "2026-05-30T10:00:00Z"),
        "</ListIssueDateTime><NextUpdate><dateTime>",
        or(wish->next_update, "2026-11-30T10:00:00Z"),
        "</dateTime></NextUpdate></SchemeInformation>\n"
        "<TrustServiceProviderList><TrustServiceProvider><TSPServices>\n"
        "<TSPService><ServiceInformation><ServiceTypeIdentifier>\n  ",
        or(wish->type, PAA), "\n</ServiceTypeIdentifier><ServiceStatus>",
        or(wish->status, GRANTED),
        "</ServiceStatus><ServiceDigitalIdentity><DigitalId><X509Certificate>"
        "\n",
        apr_pstrmemdup(pool, text, 64), "\n", text + 64,
        "\n</X509Certificate></DigitalId><DigitalId><X509SubjectName>CN=x"
        "</X509SubjectName></DigitalId></ServiceDigitalIdentity>"
        "</ServiceInformation></TSPService>\n"
        "<TSPService><ServiceInformation><ServiceTypeIdentifier>"
        "http://uri.etsi.org/TrstSvc/Svctype/CA/QC</ServiceTypeIdentifier>"
        "<ServiceStatus>" GRANTED "</ServiceStatus></ServiceInformation>"
        "</TSPService></TSPServices></TrustServiceProvider>"
        "</TrustServiceProviderList>",
        or(wish->inside, ""), "</TrustServiceStatusList>", NULL);
}

/* How a list is signed. */
typedef struct {
    xmlSecTransformId method; /* of the digest of the document */
    const char *address;      /* of what is signed */
    const char *extra;        /* a transform of XPath, or NULL */
} signing_t;

static xmlNode *add_template(xmlDoc *document, const publisher_t *publisher,
                             const signing_t *how, apr_pool_t *pool)
{
    xmlNode *root = xmlDocGetRootElement(document), *reference, *data;
    xmlNode *signature = xmlSecTmplSignatureCreate(
        document, xmlSecTransformExclC14NId,
        xmlSecOpenSSLTransformEcdsaSha256Id, NULL);

    xmlAddChild(root, signature);
    reference = xmlSecTmplSignatureAddReference(
        signature, how->method, NULL, BAD_CAST how->address, NULL);
    xmlSecTmplReferenceAddTransform(reference, xmlSecTransformEnvelopedId);
    if (how->extra)
        xmlSecTmplTransformAddXPath(
            xmlSecTmplReferenceAddTransform(reference, xmlSecTransformXPathId),
            BAD_CAST how->extra, NULL);
    xmlSecTmplReferenceAddTransform(reference, xmlSecTransformExclC14NId);
    data = xmlSecTmplKeyInfoAddX509Data(
        xmlSecTmplSignatureEnsureKeyInfo(signature, NULL));
    xmlNodeSetContent(xmlSecAddChild(data, BAD_CAST "X509Certificate",
                                     BAD_CAST SIGNATURE_SPACE),
                      BAD_CAST base64(publisher->signer, pool));
    return signature;
}

static idv_bytes_t sign(const char *xml, const publisher_t *publisher,
                        const signing_t *how, apr_pool_t *pool)
{
    static const xmlChar *const identifiers[] = {BAD_CAST "Id", NULL};
    xmlDoc *document = xmlReadMemory(xml, (int)strlen(xml), NULL, NULL, 0);
    xmlSecDSigCtx *context;
    idv_bytes_t file;
    xmlNode *signature;
    xmlChar *text;
    int length;

    assert_true(initialize());
    assert_non_null(document);
    xmlSecAddIDs(document, xmlDocGetRootElement(document),
                 (const xmlChar **)identifiers);
    signature = add_template(document, publisher, how, pool);
    context = xmlSecDSigCtxCreate(NULL);
    assert_true(set_key(context, publisher->key));
    assert_int_equal(xmlSecDSigCtxSign(context, signature), 0);
    xmlSecDSigCtxDestroy(context);
    xmlDocDumpMemoryEnc(document, &text, &length, "UTF-8");
    file = (idv_bytes_t){apr_pmemdup(pool, text, (apr_size_t)length),
                         (apr_size_t)length};
    xmlFree(text);
    xmlFreeDoc(document);
    return file;
}

static signing_t good_signing(void)
{
    return (signing_t){.method = xmlSecOpenSSLTransformSha256Id,
                       .address = ""};
}

static idv_bytes_t published(const wish_t *wish, const publisher_t *publisher,
                             apr_pool_t *pool)
{
    const signing_t how = good_signing();

    return sign(xml_of(wish, pool), publisher, &how, pool);
}

static publisher_t good_publisher(apr_pool_t *pool)
{
    certificate_t wish = good_signer;

    wish.purposes = IDV_ETSI_SIGNER_PURPOSE;
    return new_publisher(&wish, pool);
}

static idv_error_t *reads(idv_bytes_t file, const publisher_t *publisher,
                              idv_trust_content_t **content, apr_pool_t *pool)
{
    return idv_etsi_list_read(file, publisher->knows_root, ISSUER_NOW, content,
                              pool);
}

static void a_list_is_read(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    wish_t wish = {.certificate = new_authority(*state)};
    const idv_trust_certificate_t *item;
    idv_trust_content_t *content;

    accepts(reads(published(&wish, &publisher, *state), &publisher,
                      &content, *state));
    assert_string_equal(content->name, "J\xc3\xb6rg & List");
    assert_int_equal(content->sequence, 7);
    assert_int_equal(content->issued, (idv_time_t)1780135200 * IDV_SECOND);
    assert_true(content->next_update > content->issued);
    assert_int_equal(content->passed_over, 1);
    assert_int_equal(content->certificates->nelts, 1);
    item = &APR_ARRAY_IDX(content->certificates, 0, idv_trust_certificate_t);
    assert_memory_equal(item->certificate.data, wish.certificate.data,
                        item->certificate.length);
    assert_int_equal(item->doc_type_count, 1);
    assert_string_equal(item->doc_types[0], "eu.europa.ec.av.1");
    assert_false(item->is_signer);
}

static void signers_of_documents_may_be_listed_themselves(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    const wish_t wish = {.certificate = new_signer(*state)};
    idv_trust_content_t *content;

    accepts(reads(published(&wish, &publisher, *state), &publisher,
                      &content, *state));
    assert_true(
        APR_ARRAY_IDX(content->certificates, 0, idv_trust_certificate_t)
            .is_signer);
}

static void the_root_may_be_signed_by_its_identifier(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    const wish_t wish = {.root_attributes = "Id=\"list\""};
    signing_t how = good_signing();
    idv_trust_content_t *content;

    how.address = "#list";
    accepts(reads(sign(xml_of(&wish, *state), &publisher, &how, *state),
                      &publisher, &content, *state));
}

static void others_are_not_believed(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    const publisher_t other = good_publisher(*state);
    publisher_t forger = publisher;
    const wish_t wish = {0};
    idv_bytes_t file = published(&wish, &publisher, *state);
    const char *bare = xml_of(&wish, *state);
    idv_trust_content_t *content;

    forger.key = other.key;
    refuses(reads(file, &other, &content, *state),
            "not signed under a certificate");
    refuses(reads(published(&wish, &forger, *state), &publisher, &content,
                      *state),
            "wrong signature");
    refuses(reads((idv_bytes_t){(const unsigned char *)bare, strlen(bare)},
                      &publisher, &content, *state),
            "not signed");
    refuses(idv_etsi_list_read(file, publisher.knows_root,
                               ISSUER_NOW + 301 * IDV_DAY, &content, *state),
            "not valid at this time");
}

static idv_bytes_t replaced(idv_bytes_t file, const char *from, const char *to,
                            apr_pool_t *pool)
{
    const char *text = apr_pstrmemdup(pool, (const char *)file.data,
                                      file.length);
    const char *at = strstr(text, from);

    assert_non_null(at);
    text = apr_pstrcat(pool, apr_pstrmemdup(pool, text, (size_t)(at - text)),
                       to, at + strlen(from), NULL);
    return (idv_bytes_t){(const unsigned char *)text, strlen(text)};
}

static void what_was_changed_is_refused(void **state)
{
    static const char *const changes[][2] = {
        {">7<", ">8<"},
        {"2026-11-30", "2027-11-30"},
        {"Svcstatus/granted", "Svcstatus/granted "},
        {"<TSPServices>", "<TSPServices><X509Certificate/>"},
    };
    const publisher_t publisher = good_publisher(*state);
    const wish_t wish = {0};
    idv_bytes_t file = published(&wish, &publisher, *state);
    idv_trust_content_t *content;

    for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++)
        refuses(reads(replaced(file, changes[i][0], changes[i][1], *state),
                          &publisher, &content, *state),
                "wrong signature");
}

/* A signature over a part of the list, with another part beside it. */
static void a_signed_part_is_no_signed_list(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    wish_t wish = {.inside = "<Extension Id=\"part\">signed</Extension>"};
    signing_t how = good_signing();
    idv_trust_content_t *content;

    how.address = "#part";
    refuses(reads(sign(xml_of(&wish, *state), &publisher, &how, *state),
                      &publisher, &content, *state),
            "does not cover it");
    how.address = "";
    how.extra = "ancestor-or-self::*[local-name() = 'Extension']";
    refuses(reads(sign(xml_of(&wish, *state), &publisher, &how, *state),
                      &publisher, &content, *state),
            "wrong signature");
}

static void weak_digests_are_refused(void **state)
{
    const publisher_t publisher = good_publisher(*state);
    const wish_t wish = {0};
    signing_t how = good_signing();
    idv_trust_content_t *content;

    how.method = xmlSecOpenSSLTransformSha1Id;
    refuses(reads(sign(xml_of(&wish, *state), &publisher, &how, *state),
                      &publisher, &content, *state),
            "not allowed");
}

static void only_plain_xml_is_read(void **state)
{
    static const char *const files[][2] = {
        {"", "well-formed"},
        {"<a", "well-formed"},
        {"<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "document type"},
        {"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a/>", "UTF-8"},
        {"<TrustServiceStatusList/>", "not a list"},
        {"<TrustServiceStatusList xmlns=\"urn:other\"/>", "not a list"},
        {"<TrustServiceStatusList xmlns=\"" LIST_SPACE "\"/>", "not signed"},
    };
    const publisher_t publisher = good_publisher(*state);
    idv_trust_content_t *content;

    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
        refuses(reads((idv_bytes_t){(const unsigned char *)files[i][0],
                                        strlen(files[i][0])},
                          &publisher, &content, *state),
                files[i][1]);
    refuses(reads((idv_bytes_t){(const unsigned char *)"<\0a\0", 4},
                      &publisher, &content, *state),
            "UTF-8");
}

static void lists_of_no_use_are_refused(void **state)
{
    static const struct {
        wish_t wish;
        const char *why;
    } cases[] = {
        {{.type = "http://uri.etsi.org/TrstSvc/Svctype/CA/QC"}, "no service"},
        {{.status = "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/"
                    "withdrawn"},
         "no service"},
        {{.status = "granted-not"}, "no service"},
        {{.status = " "}, "no service"},
        {{.number = "x"}, "no number"},
        {{.number = "0"}, "no number"},
        {{.issued = "yesterday"}, "no dates"},
        {{.next_update = "2026-13-01T00:00:00Z"}, "no dates"},
        {{.certificate = {(const unsigned char *)"no certificate, but a text "
                                                 "that is as long as one line "
                                                 "of the file at least",
                          78}},
         "not a certificate"},
    };
    const publisher_t publisher = good_publisher(*state);
    idv_trust_content_t *content;

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        refuses(reads(published(&cases[i].wish, &publisher, *state),
                          &publisher, &content, *state),
                cases[i].why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        pooled_test(a_list_is_read),
        pooled_test(signers_of_documents_may_be_listed_themselves),
        pooled_test(the_root_may_be_signed_by_its_identifier),
        pooled_test(others_are_not_believed),
        pooled_test(what_was_changed_is_refused),
        pooled_test(a_signed_part_is_no_signed_list),
        pooled_test(weak_digests_are_refused),
        pooled_test(only_plain_xml_is_read),
        pooled_test(lists_of_no_use_are_refused),
    };

    return unit_run("trust_etsi_list", tests);
}
