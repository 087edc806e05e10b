// SPDX-License-Identifier: Apache-2.0
// Generated from the description of the API by scripts/api-clients.
package modverify;

import java.util.List;
import java.util.Map;

/**
 * The parameters and results of operations, and the codes in them. A member that the
 * service did not send is null.
 */
public final class Types {
    private Types() {
    }

    /** The parameters of checkCompliance. */
    public static final class CheckComplianceParams extends Parameters {
        /** Up to 10 product types ({@code UseCase}), separated by commas. */
        public CheckComplianceParams useCases(String value) {
            put("use_cases", value);
            return this;
        }

        /**
         * A kind of the product ({@code Article}) that the law may treat differently. It
         * must belong to one of the product types, and applies to those that it belongs
         * to. Without it, the response contains the strictest rule, and {@code articles}
         * shows what differs by article.
         */
        public CheckComplianceParams article(String value) {
            put("article", value);
            return this;
        }

        /** The law of this day, from 2020-01-01 to 2099-12-31. The default is today. */
        public CheckComplianceParams asOf(String value) {
            put("as_of", value);
            return this;
        }

        /**
         * How the product is sold: {@code in_person} or {@code remote}. Only {@code
         * tobacco_nicotine} has channels. Without it, the response contains the rule for
         * sale in person, and {@code channels} shows what differs for remote sale.
         */
        public CheckComplianceParams channel(String value) {
            put("channel", value);
            return this;
        }

        /**
         * The jurisdiction. Without it, that of the caller. For a country without a
         * region, the response contains the highest age of its regions.
         */
        public CheckComplianceParams jurisdiction(String value) {
            put("jurisdiction", value);
            return this;
        }
    }

    /** The parameters of listEvents. */
    public static final class ListEventsParams extends Parameters {
        /** Unix seconds: created at this time or later. */
        public ListEventsParams createdGte(long value) {
            put("created_gte", value);
            return this;
        }

        /** Unix seconds: created before this time. */
        public ListEventsParams createdLt(long value) {
            put("created_lt", value);
            return this;
        }

        /**
         * An id; returns the newer objects that precede it. Excludes {@code
         * starting_after}.
         */
        public ListEventsParams endingBefore(String value) {
            put("ending_before", value);
            return this;
        }

        /** The size of the page. */
        public ListEventsParams limit(long value) {
            put("limit", value);
            return this;
        }

        /** Events about this object. */
        public ListEventsParams objectId(String value) {
            put("object_id", value);
            return this;
        }

        /** An id; returns the older objects that follow it. Excludes {@code ending_before}. */
        public ListEventsParams startingAfter(String value) {
            put("starting_after", value);
            return this;
        }

        public ListEventsParams type(String value) {
            put("type", value);
            return this;
        }
    }

    /** The parameters of listTrustReuseGrants. */
    public static final class ListTrustReuseGrantsParams extends Parameters {
        /**
         * An id; returns the newer objects that precede it. Excludes {@code
         * starting_after}.
         */
        public ListTrustReuseGrantsParams endingBefore(String value) {
            put("ending_before", value);
            return this;
        }

        /** The size of the page. */
        public ListTrustReuseGrantsParams limit(long value) {
            put("limit", value);
            return this;
        }

        /** An id; returns the older objects that follow it. Excludes {@code ending_before}. */
        public ListTrustReuseGrantsParams startingAfter(String value) {
            put("starting_after", value);
            return this;
        }
    }

    /** The parameters of listVerificationSessions. */
    public static final class ListVerificationSessionsParams extends Parameters {
        /** The exact client reference id. */
        public ListVerificationSessionsParams clientReferenceId(String value) {
            put("client_reference_id", value);
            return this;
        }

        /** Only sessions created at or after this time, in Unix seconds. */
        public ListVerificationSessionsParams createdGte(long value) {
            put("created_gte", value);
            return this;
        }

        /** Only sessions created before this time. */
        public ListVerificationSessionsParams createdLt(long value) {
            put("created_lt", value);
            return this;
        }

        /**
         * An id; returns the newer objects that precede it. Excludes {@code
         * starting_after}.
         */
        public ListVerificationSessionsParams endingBefore(String value) {
            put("ending_before", value);
            return this;
        }

        /** Members to include in each session. */
        public ListVerificationSessionsParams expand(List<String> value) {
            put("expand", value);
            return this;
        }

        /** The size of the page. */
        public ListVerificationSessionsParams limit(long value) {
            put("limit", value);
            return this;
        }

        public ListVerificationSessionsParams riskTier(String value) {
            put("risk_tier", value);
            return this;
        }

        /**
         * Case-insensitive. Finds sessions by their id or its beginning, with or without
         * {@code vks_}, and by any part of the client reference id. A text of fewer than
         * three characters must be the beginning of the client reference id. The response
         * is a complete page or the error {@code search_too_broad}. The error occurs if
         * more than 5,000 client reference ids match the text. It also occurs if more than
         * 5,000 session ids begin with the text and the 5,000 sessions next to the cursor
         * do not fill the page. In that case, search for a longer text or add a filter.
         */
        public ListVerificationSessionsParams search(String value) {
            put("search", value);
            return this;
        }

        /** An id; returns the older objects that follow it. Excludes {@code ending_before}. */
        public ListVerificationSessionsParams startingAfter(String value) {
            put("starting_after", value);
            return this;
        }

        public ListVerificationSessionsParams status(String value) {
            put("status", value);
            return this;
        }

        /** Only sessions of this workflow. */
        public ListVerificationSessionsParams workflowId(String value) {
            put("workflow_id", value);
            return this;
        }
    }

    /** The parameters of listWebhookDeliveries. */
    public static final class ListWebhookDeliveriesParams extends Parameters {
        /**
         * An id; returns the newer objects that precede it. Excludes {@code
         * starting_after}.
         */
        public ListWebhookDeliveriesParams endingBefore(String value) {
            put("ending_before", value);
            return this;
        }

        public ListWebhookDeliveriesParams eventType(String value) {
            put("event_type", value);
            return this;
        }

        /** The size of the page. */
        public ListWebhookDeliveriesParams limit(long value) {
            put("limit", value);
            return this;
        }

        /** An id; returns the older objects that follow it. Excludes {@code ending_before}. */
        public ListWebhookDeliveriesParams startingAfter(String value) {
            put("starting_after", value);
            return this;
        }

        public ListWebhookDeliveriesParams status(String value) {
            put("status", value);
            return this;
        }
    }

    /** The parameters of listWebhookEndpoints. */
    public static final class ListWebhookEndpointsParams extends Parameters {
        /**
         * An id; returns the newer objects that precede it. Excludes {@code
         * starting_after}.
         */
        public ListWebhookEndpointsParams endingBefore(String value) {
            put("ending_before", value);
            return this;
        }

        /** The size of the page. */
        public ListWebhookEndpointsParams limit(long value) {
            put("limit", value);
            return this;
        }

        /** An id; returns the older objects that follow it. Excludes {@code ending_before}. */
        public ListWebhookEndpointsParams startingAfter(String value) {
            put("starting_after", value);
            return this;
        }
    }

    /** The parameters of retrieveVerificationSession. */
    public static final class RetrieveVerificationSessionParams extends Parameters {
        /** Members to include. Not available with a publishable key. */
        public RetrieveVerificationSessionParams expand(List<String> value) {
            put("expand", value);
            return this;
        }
    }

    /** Age tiers in rising order. A higher tier satisfies a lower one. */
    public static final class AgeTier {
        public static final String MIN_AGE_13 = "min_age_13";
        public static final String MIN_AGE_16 = "min_age_16";
        public static final String MIN_AGE_18 = "min_age_18";
        public static final String MIN_AGE_21 = "min_age_21";

        private AgeTier() {
        }
    }

    /**
     * A kind of a product that the law may treat differently: for alcohol beer, wine and
     * spirits; for tobacco cigarette and vape; for gambling lottery, betting and casino;
     * for firearms handgun and long_gun; for cannabis medical and adult_use.
     */
    public static final class Article {
        public static final String BEER = "beer";
        public static final String WINE = "wine";
        public static final String SPIRITS = "spirits";
        public static final String CIGARETTE = "cigarette";
        public static final String VAPE = "vape";
        public static final String LOTTERY = "lottery";
        public static final String BETTING = "betting";
        public static final String CASINO = "casino";
        public static final String HANDGUN = "handgun";
        public static final String LONG_GUN = "long_gun";
        public static final String MEDICAL = "medical";
        public static final String ADULT_USE = "adult_use";

        private Article() {
        }
    }

    /**
     * What evidence is worth, weakest first: a code was read; two codes of one document
     * agree; the issuer's signature was verified; the same, and a live person matched.
     */
    public static final class Assurance {
        public static final String DECODED = "decoded";
        public static final String CONSISTENT = "consistent";
        public static final String SIGNED = "signed";
        public static final String SIGNED_AND_PRESENT = "signed_and_present";

        private Assurance() {
        }
    }

    /**
     * The statement that the person declared, at {@code completed_at}.
     * @param language A language tag.
     * @param sha256 The hash of the exact text in UTF-8.
     */
    public record Attestation(
        String language,
        String name,
        String sha256,
        String version) {
    }

    /** How a product is sold; null: not requested. */
    public static final class Channel {
        public static final String IN_PERSON = "in_person";
        public static final String REMOTE = "remote";

        private Channel() {
        }
    }

    /** The name of a check. Codes are stable; new ones may be added. */
    public static final class CheckName {
        public static final String CHECK_DIGIT_DOCUMENT_NUMBER = "check_digit_document_number";
        public static final String CHECK_DIGIT_DATE_OF_BIRTH = "check_digit_date_of_birth";
        public static final String CHECK_DIGIT_DATE_OF_EXPIRY = "check_digit_date_of_expiry";
        public static final String CHECK_DIGIT_OPTIONAL_DATA = "check_digit_optional_data";
        public static final String CHECK_DIGIT_COMPOSITE = "check_digit_composite";
        public static final String CHARACTERS = "characters";
        public static final String DOCUMENT_CODE = "document_code";
        public static final String ISSUER = "issuer";
        public static final String ISSUER_CROSS_CHECK = "issuer_cross_check";
        public static final String MANDATORY_ELEMENTS = "mandatory_elements";
        public static final String DOCUMENT_NUMBER = "document_number";
        public static final String NAMES = "names";
        public static final String NATIONALITY = "nationality";
        public static final String SEX = "sex";
        public static final String DATE_OF_BIRTH = "date_of_birth";
        public static final String DATE_OF_ISSUE = "date_of_issue";
        public static final String DATE_OF_EXPIRY = "date_of_expiry";
        public static final String DATE_FORM = "date_form";
        public static final String AGE_DATES_CROSS_CHECK = "age_dates_cross_check";
        public static final String BARCODE_CROSS_REFERENCE = "barcode_cross_reference";
        public static final String DOCUMENT_NUMBER_FORMAT = "document_number_format";
        public static final String DOCUMENT_NUMBER_HOLDER = "document_number_holder";
        public static final String INVENTORY_NUMBER = "inventory_number";
        public static final String NAME_TRUNCATION = "name_truncation";
        public static final String VALIDITY_TERM = "validity_term";
        public static final String TEST_ISSUER = "test_issuer";
        public static final String EXPIRY = "expiry";
        public static final String AGE = "age";
        public static final String DOCUMENT_REUSED = "document_reused";
        public static final String DOCUMENT_PORTRAIT = "document_portrait";
        public static final String PRINTED_FRONT = "printed_front";
        public static final String PICTURE_RECAPTURE = "picture_recapture";
        public static final String PICTURE_PASTE = "picture_paste";
        public static final String SECURITY_OBJECT = "security_object";
        public static final String SECURITY_OBJECT_SIGNATURE = "security_object_signature";
        public static final String SECURITY_OBJECT_TYPE = "security_object_type";
        public static final String SECURITY_OBJECT_VERSION = "security_object_version";
        public static final String SECURITY_OBJECT_SIGNERS = "security_object_signers";
        public static final String SIGNATURE_SCHEME = "signature_scheme";
        public static final String DOCUMENT_SIGNER = "document_signer";
        public static final String CERTIFICATE_CHAIN = "certificate_chain";
        public static final String DATA_GROUP_HASHES = "data_group_hashes";
        public static final String DATA_GROUP_LIST = "data_group_list";
        public static final String ISSUING_STATE = "issuing_state";
        public static final String DOCUMENT_TYPE = "document_type";
        public static final String DATE_OF_BIRTH_CROSS_CHECK = "date_of_birth_cross_check";
        public static final String PORTRAIT = "portrait";
        public static final String ACTIVE_AUTHENTICATION = "active_authentication";
        public static final String CHALLENGE_SIGNATURE_FORM = "challenge_signature_form";
        public static final String CHIP_AUTHENTICATION = "chip_authentication";
        public static final String CERTIFICATE_VALIDITY = "certificate_validity";
        public static final String CERTIFICATE_REVOCATION = "certificate_revocation";
        public static final String PRINTED_ZONE = "printed_zone";
        public static final String CHIP_CLONING = "chip_cloning";
        public static final String RESPONSE_ENCRYPTION = "response_encryption";
        public static final String RESPONSE_FORMAT = "response_format";
        public static final String DOCUMENT_RETURNED = "document_returned";
        public static final String ISSUER_CERTIFICATE = "issuer_certificate";
        public static final String ISSUER_CERTIFICATE_FORM = "issuer_certificate_form";
        public static final String ISSUER_TRUST = "issuer_trust";
        public static final String ISSUER_CERTIFICATE_VALIDITY = "issuer_certificate_validity";
        public static final String ISSUER_SIGNATURE = "issuer_signature";
        public static final String SIGNING_TIME = "signing_time";
        public static final String CREDENTIAL_VALIDITY = "credential_validity";
        public static final String DIGESTS = "digests";
        public static final String DEVICE_KEY = "device_key";
        public static final String DEVICE_AUTHENTICATION = "device_authentication";
        public static final String KEY_AUTHORIZATIONS = "key_authorizations";
        public static final String REQUESTED_ELEMENTS = "requested_elements";
        public static final String ELEMENT_TYPES = "element_types";
        public static final String ISSUING_PLACE = "issuing_place";
        public static final String ISSUER_REVOCATION = "issuer_revocation";
        public static final String CREDENTIAL_STATUS = "credential_status";
        public static final String DOCUMENT_EXPIRY = "document_expiry";
        public static final String IDENTITY_ELEMENTS = "identity_elements";
        public static final String FRESH_FRAMES = "fresh_frames";
        public static final String FACE_PRESENCE = "face_presence";
        public static final String SAME_PERSON = "same_person";
        public static final String CHALLENGE_RESPONSE = "challenge_response";
        public static final String CHALLENGE_TIMING = "challenge_timing";
        public static final String FACE_MATCH = "face_match";
        public static final String LIVENESS_PROVIDER = "liveness_provider";
        public static final String ASSURANCE = "assurance";
        public static final String VP_TOKEN_SAME_PERSON = "vp_token_same_person";

        private CheckName() {
        }
    }

    /**
     * Why a check did not pass. If several did not, {@code last_error} is that of the
     * first one in this order. Codes are stable; new ones may be added.
     */
    public static final class CheckReason {
        public static final String CHECK_DIGIT_DOCUMENT_NUMBER_WRONG = "check_digit_document_number_wrong";
        public static final String CHECK_DIGIT_DATE_OF_BIRTH_WRONG = "check_digit_date_of_birth_wrong";
        public static final String CHECK_DIGIT_DATE_OF_EXPIRY_WRONG = "check_digit_date_of_expiry_wrong";
        public static final String CHECK_DIGIT_OPTIONAL_DATA_WRONG = "check_digit_optional_data_wrong";
        public static final String CHECK_DIGIT_COMPOSITE_WRONG = "check_digit_composite_wrong";
        public static final String CHARACTERS_INVALID = "characters_invalid";
        public static final String DOCUMENT_CODE_INVALID = "document_code_invalid";
        public static final String ISSUER_UNKNOWN = "issuer_unknown";
        public static final String ISSUER_MISMATCH = "issuer_mismatch";
        public static final String MANDATORY_ELEMENT_MISSING = "mandatory_element_missing";
        public static final String DOCUMENT_NUMBER_MISSING = "document_number_missing";
        public static final String DOCUMENT_NUMBER_INVALID = "document_number_invalid";
        public static final String NATIONALITY_UNKNOWN = "nationality_unknown";
        public static final String SEX_INVALID = "sex_invalid";
        public static final String DATE_OF_BIRTH_MISSING = "date_of_birth_missing";
        public static final String DATE_OF_BIRTH_INVALID = "date_of_birth_invalid";
        public static final String DATE_OF_BIRTH_IN_FUTURE = "date_of_birth_in_future";
        public static final String DATE_OF_BIRTH_IMPLAUSIBLE = "date_of_birth_implausible";
        public static final String DATE_OF_ISSUE_INVALID = "date_of_issue_invalid";
        public static final String DATE_OF_ISSUE_IN_FUTURE = "date_of_issue_in_future";
        public static final String DATE_OF_ISSUE_IMPLAUSIBLE = "date_of_issue_implausible";
        public static final String DATE_OF_EXPIRY_MISSING = "date_of_expiry_missing";
        public static final String DATE_OF_EXPIRY_INVALID = "date_of_expiry_invalid";
        public static final String DATE_OF_EXPIRY_IMPLAUSIBLE = "date_of_expiry_implausible";
        public static final String AGE_DATES_MISMATCH = "age_dates_mismatch";
        public static final String BARCODE_MISMATCH = "barcode_mismatch";
        public static final String DOCUMENT_NUMBER_FORMAT_WRONG = "document_number_format_wrong";
        public static final String VALIDITY_TERM_IMPOSSIBLE = "validity_term_impossible";
        public static final String TEST_ISSUER_REFUSED = "test_issuer_refused";
        public static final String EXPIRED = "expired";
        public static final String UNDER_AGE = "under_age";
        public static final String SAME_PICTURE_TWICE = "same_picture_twice";
        public static final String PICTURE_OF_ANOTHER_SESSION = "picture_of_another_session";
        public static final String DOCUMENT_OF_ANOTHER_PERSON = "document_of_another_person";
        public static final String PRINTED_DATE_OF_BIRTH_DIFFERS = "printed_date_of_birth_differs";
        public static final String PRINTED_DATE_OF_EXPIRY_DIFFERS = "printed_date_of_expiry_differs";
        public static final String PRINTED_NUMBER_DIFFERS = "printed_number_differs";
        public static final String PRINTED_HOLDER_DIFFERS = "printed_holder_differs";
        public static final String DOCUMENT_PORTRAIT_MISSING = "document_portrait_missing";
        public static final String NAMES_MISSING = "names_missing";
        public static final String NAMES_INVALID = "names_invalid";
        public static final String DATE_AMBIGUOUS = "date_ambiguous";
        public static final String ADDRESS_ELSEWHERE = "address_elsewhere";
        public static final String DESCRIPTIVE_ELEMENT_MISSING = "descriptive_element_missing";
        public static final String DISCRIMINATOR_MISSING = "discriminator_missing";
        public static final String MANDATORY_ELEMENTS_UNKNOWN = "mandatory_elements_unknown";
        public static final String DOCUMENT_NUMBER_FORMAT_UNUSUAL = "document_number_format_unusual";
        public static final String DOCUMENT_NUMBER_HOLDER_MISMATCH = "document_number_holder_mismatch";
        public static final String VALIDITY_TERM_UNUSUAL = "validity_term_unusual";
        public static final String INVENTORY_NUMBER_UNUSUAL = "inventory_number_unusual";
        public static final String NAME_TRUNCATION_UNUSUAL = "name_truncation_unusual";
        public static final String AGE_UNDETERMINED = "age_undetermined";
        public static final String SURNAME_MISSING = "surname_missing";
        public static final String COUNTRY_ELEMENT_MISSING = "country_element_missing";
        public static final String DATE_ZERO_FILLED = "date_zero_filled";
        public static final String DATE_WITHOUT_ZEROS = "date_without_zeros";
        public static final String DOCUMENT_NUMBER_FORMAT_UNKNOWN = "document_number_format_unknown";
        public static final String DOCUMENT_NUMBER_HOLDER_UNKNOWN = "document_number_holder_unknown";
        public static final String INVENTORY_NUMBER_UNKNOWN = "inventory_number_unknown";
        public static final String NAME_TRUNCATION_UNKNOWN = "name_truncation_unknown";
        public static final String PRINTED_FRONT_UNREAD = "printed_front_unread";
        public static final String PICTURE_HAS_RASTER = "picture_has_raster";
        public static final String PICTURE_HAS_PASTE = "picture_has_paste";
        public static final String SECURITY_OBJECT_MALFORMED = "security_object_malformed";
        public static final String NOT_SIGNED_DATA = "not_signed_data";
        public static final String SIGNED_DATA_VERSION_WRONG = "signed_data_version_wrong";
        public static final String CONTENT_TYPE_WRONG = "content_type_wrong";
        public static final String LDS_SECURITY_OBJECT_MALFORMED = "lds_security_object_malformed";
        public static final String LDS_VERSION_UNKNOWN = "lds_version_unknown";
        public static final String SIGNED_CONTENT_TYPE_MISMATCH = "signed_content_type_mismatch";
        public static final String MESSAGE_DIGEST_MISMATCH = "message_digest_mismatch";
        public static final String SIGNATURE_WRONG = "signature_wrong";
        public static final String DOCUMENT_SIGNER_MALFORMED = "document_signer_malformed";
        public static final String DOCUMENT_SIGNER_UNFIT = "document_signer_unfit";
        public static final String CSCA_SIGNATURE_WRONG = "csca_signature_wrong";
        public static final String DOCUMENT_SIGNER_REVOKED = "document_signer_revoked";
        public static final String DATA_GROUP_HASH_WRONG = "data_group_hash_wrong";
        public static final String DATA_GROUP_NOT_SIGNED = "data_group_not_signed";
        public static final String ISSUING_STATE_MISMATCH = "issuing_state_mismatch";
        public static final String PRINTED_ZONE_MISMATCH = "printed_zone_mismatch";
        public static final String CHALLENGE_MISMATCH = "challenge_mismatch";
        public static final String CHALLENGE_SIGNATURE_WRONG = "challenge_signature_wrong";
        public static final String CHIP_KEY_WRONG = "chip_key_wrong";
        public static final String CHIP_DATA_MISMATCH = "chip_data_mismatch";
        public static final String CHIP_NOT_GENUINE = "chip_not_genuine";
        public static final String DOCUMENT_SIGNER_EXPIRED = "document_signer_expired";
        public static final String CSCA_EXPIRED = "csca_expired";
        public static final String DOCUMENT_SIGNER_NOT_YET_VALID = "document_signer_not_yet_valid";
        public static final String CSCA_NOT_YET_VALID = "csca_not_yet_valid";
        public static final String CSCA_UNKNOWN = "csca_unknown";
        public static final String DOCUMENT_SIGNER_MISSING = "document_signer_missing";
        public static final String DOCUMENT_SIGNER_KEY_UNSUPPORTED = "document_signer_key_unsupported";
        public static final String CSCA_KEY_UNSUPPORTED = "csca_key_unsupported";
        public static final String SIGNATURE_ALGORITHM_UNSUPPORTED = "signature_algorithm_unsupported";
        public static final String HASH_ALGORITHM_UNSUPPORTED = "hash_algorithm_unsupported";
        public static final String DATA_GROUP_LIST_MISMATCH = "data_group_list_mismatch";
        public static final String DATA_GROUP_NOT_ANNOUNCED = "data_group_not_announced";
        public static final String ISSUING_STATE_UNKNOWN = "issuing_state_unknown";
        public static final String SIGNATURE_SCHEME_UNUSUAL = "signature_scheme_unusual";
        public static final String SECURITY_OBJECT_TYPE_UNUSUAL = "security_object_type_unusual";
        public static final String SECURITY_OBJECT_VERSION_UNUSUAL = "security_object_version_unusual";
        public static final String SEVERAL_SIGNERS = "several_signers";
        public static final String CHALLENGE_SIGNATURE_IN_DER = "challenge_signature_in_der";
        public static final String DOCUMENT_TYPE_MISMATCH = "document_type_mismatch";
        public static final String DATE_OF_BIRTH_CONTRADICTION = "date_of_birth_contradiction";
        public static final String PORTRAIT_UNREADABLE = "portrait_unreadable";
        public static final String REVOCATION_UNKNOWN = "revocation_unknown";
        public static final String ACTIVE_AUTHENTICATION_UNSUPPORTED = "active_authentication_unsupported";
        public static final String ACTIVE_AUTHENTICATION_NOT_DONE = "active_authentication_not_done";
        public static final String ACTIVE_AUTHENTICATION_KEY_UNPROVEN = "active_authentication_key_unproven";
        public static final String ACTIVE_AUTHENTICATION_ALGORITHM_UNSUPPORTED = "active_authentication_algorithm_unsupported";
        public static final String CHALLENGE_NOT_OURS = "challenge_not_ours";
        public static final String CHIP_AUTHENTICATION_UNSUPPORTED = "chip_authentication_unsupported";
        public static final String CHIP_AUTHENTICATION_NOT_DONE = "chip_authentication_not_done";
        public static final String CHIP_AUTHENTICATION_KEY_UNPROVEN = "chip_authentication_key_unproven";
        public static final String CHIP_AUTHENTICATION_REFUSED = "chip_authentication_refused";
        public static final String CHIP_NOT_PROVEN_GENUINE = "chip_not_proven_genuine";
        public static final String RESPONSE_NOT_ENCRYPTED = "response_not_encrypted";
        public static final String RESPONSE_NOT_DECRYPTED = "response_not_decrypted";
        public static final String RESPONSE_MALFORMED = "response_malformed";
        public static final String RESPONSE_STATE_WRONG = "response_state_wrong";
        public static final String RESPONSE_VERSION_UNKNOWN = "response_version_unknown";
        public static final String RESPONSE_STATUS_ERROR = "response_status_error";
        public static final String DOCUMENT_MISSING = "document_missing";
        public static final String WALLET_DECLINED = "wallet_declined";
        public static final String DOCUMENT_NOT_REQUESTED = "document_not_requested";
        public static final String OTHER_DOCUMENT_TYPE = "other_document_type";
        public static final String ISSUER_CERTIFICATE_MISSING = "issuer_certificate_missing";
        public static final String ISSUER_CERTIFICATE_MALFORMED = "issuer_certificate_malformed";
        public static final String ISSUER_CERTIFICATE_PROFILE_WRONG = "issuer_certificate_profile_wrong";
        public static final String ISSUER_ALGORITHM_NOT_ALLOWED = "issuer_algorithm_not_allowed";
        public static final String ISSUER_KEY_UNSUITABLE = "issuer_key_unsuitable";
        public static final String ISSUER_SIGNATURE_WRONG = "issuer_signature_wrong";
        public static final String DIGEST_ALGORITHM_UNKNOWN = "digest_algorithm_unknown";
        public static final String DIGEST_MISSING = "digest_missing";
        public static final String DIGEST_WRONG = "digest_wrong";
        public static final String ELEMENT_TWICE = "element_twice";
        public static final String RANDOM_TOO_SHORT = "random_too_short";
        public static final String DEVICE_KEY_MALFORMED = "device_key_malformed";
        public static final String DEVICE_ALGORITHM_NOT_ALLOWED = "device_algorithm_not_allowed";
        public static final String DEVICE_KEY_UNSUITABLE = "device_key_unsuitable";
        public static final String DEVICE_MAC_WITHOUT_KEY = "device_mac_without_key";
        public static final String DEVICE_MAC_WRONG = "device_mac_wrong";
        public static final String DEVICE_SIGNATURE_WRONG = "device_signature_wrong";
        public static final String HANDOVER_NOT_ACCEPTED = "handover_not_accepted";
        public static final String DEVICE_ELEMENT_NOT_AUTHORIZED = "device_element_not_authorized";
        public static final String ELEMENT_NOT_REQUESTED = "element_not_requested";
        public static final String ELEMENT_MISSING = "element_missing";
        public static final String ELEMENT_TYPE_WRONG = "element_type_wrong";
        public static final String ISSUING_PLACE_MISMATCH = "issuing_place_mismatch";
        public static final String SIGNED_OUTSIDE_CERTIFICATE = "signed_outside_certificate";
        public static final String VALIDITY_CONTRADICTORY = "validity_contradictory";
        public static final String AGE_STATEMENTS_CONTRADICT = "age_statements_contradict";
        public static final String IDENTITY_ELEMENT_MISSING = "identity_element_missing";
        public static final String ISSUER_NOT_TRUSTED = "issuer_not_trusted";
        public static final String ISSUER_REVOKED = "issuer_revoked";
        public static final String CREDENTIAL_REVOKED = "credential_revoked";
        public static final String ISSUER_CERTIFICATE_NOT_CURRENT = "issuer_certificate_not_current";
        public static final String CREDENTIAL_NOT_YET_VALID = "credential_not_yet_valid";
        public static final String CREDENTIAL_EXPIRED = "credential_expired";
        public static final String DOCUMENT_EXPIRED = "document_expired";
        public static final String ISSUER_REVOCATION_UNKNOWN = "issuer_revocation_unknown";
        public static final String CREDENTIAL_STATUS_UNKNOWN = "credential_status_unknown";
        public static final String ISSUER_PURPOSE_NOT_CRITICAL = "issuer_purpose_not_critical";
        public static final String ISSUER_PURPOSE_BROAD = "issuer_purpose_broad";
        public static final String ISSUER_KEY_USAGE_NOT_CRITICAL = "issuer_key_usage_not_critical";
        public static final String ISSUER_KEY_USAGE_BROAD = "issuer_key_usage_broad";
        public static final String ISSUER_TERM_LONG = "issuer_term_long";
        public static final String ISSUER_AUTHORITY_KEY_MISSING = "issuer_authority_key_missing";
        public static final String ISSUER_PLACE_UNUSUAL = "issuer_place_unusual";
        public static final String AUTHORITY_PATH_OPEN = "authority_path_open";
        public static final String AUTHORITY_KEY_USAGE_NARROW = "authority_key_usage_narrow";
        public static final String ISSUER_SELF_SIGNED = "issuer_self_signed";
        public static final String ISSUER_IS_AUTHORITY = "issuer_is_authority";
        public static final String ISSUER_KEY_USAGE_WRONG = "issuer_key_usage_wrong";
        public static final String ISSUER_PURPOSE_MISSING = "issuer_purpose_missing";
        public static final String REPLAYED_FRAMES = "replayed_frames";
        public static final String FACE_LOST = "face_lost";
        public static final String PERSON_CHANGED = "person_changed";
        public static final String CHALLENGE_FAILED = "challenge_failed";
        public static final String CHALLENGE_TOO_FAST = "challenge_too_fast";
        public static final String FACE_MISMATCH = "face_mismatch";
        public static final String MODELS_DISAGREE = "models_disagree";
        public static final String PORTRAIT_MISSING = "portrait_missing";
        public static final String PORTRAIT_TOO_SMALL = "portrait_too_small";
        public static final String PROVIDER_DECLINED = "provider_declined";
        public static final String PROVIDER_UNDETERMINED = "provider_undetermined";
        public static final String PROVIDER_UNAVAILABLE = "provider_unavailable";
        public static final String ASSURANCE_INSUFFICIENT = "assurance_insufficient";
        public static final String OTHER_PERSON = "other_person";

        private CheckReason() {
        }
    }

    /**
     * The rules for some product types in one jurisdiction.
     * @param asOf The law of this day applies.
     * @param disclaimer States that the response is not legal advice.
     * @param mostRestrictive All products together.
     * @param results In the order of the request.
     */
    public record ComplianceCheck(
        String article,
        String asOf,
        String channel,
        String disclaimer,
        String jurisdiction,
        String jurisdictionSource,
        ComplianceCheckMostRestrictive mostRestrictive,
        String object,
        List<ComplianceResult> results) {
    }

    /**
     * All products together.
     * @param allowedMethods Methods that are allowed for every product that is not
     * prohibited.
     * @param anyUnknown For at least one product, it is unknown whether it is lawful or
     * from which age.
     * @param consentRequired At least one product requires explicit consent; null: none is
     * known to require it, and for at least one it is unknown.
     * @param dataRetentionDays The shortest limit.
     */
    public record ComplianceCheckMostRestrictive(
        List<String> allowedMethods,
        boolean anyProhibited,
        boolean anyUnknown,
        Boolean consentRequired,
        Long dataRetentionDays,
        List<String> prohibitedUseCases,
        Long requiredAge,
        String requiredAgeTier,
        List<String> unknownUseCases) {
    }

    /**
     * The rule for one product type.
     * @param bornBefore Additionally, only people born before this day are allowed. {@code
     * required_age} is the age of the youngest of them.
     * @param civilAge From this age, a person can enter into contracts alone. Does not
     * restrict the product.
     * @param confidence How certain the result is, based on its sources.
     * @param consentAge Below this age, a parent consents to data processing. Does not
     * restrict the product.
     * @param consentRequired Explicit consent is needed before data is processed; null:
     * unknown.
     * @param credentialValidityDays The number of days after which a person must be
     * verified again; 0: in less than a day, see {@code credential_validity_minutes}.
     * @param credentialValidityMinutes Set if the law allows less than a day.
     * @param dataRetentionDays The longest time that data of the check may be kept; 0: not
     * at all; null: unknown.
     * @param inForceFrom The first day of the rule. Null: the first day was not
     * established, and for days long past the response is the known rule.
     * @param inForceUntil The day of the next enacted change.
     * @param known It is established that the product is prohibited, or that it is lawful
     * and from which age, if any. False is not a permission: {@code
     * VerifyComplianceUnknown} decides what sessions do.
     * @param note Information that the other members cannot express.
     * @param parentalConsentFrom From this age up to {@code required_age}, the law admits
     * a person with a parent's consent; null: nobody. Sessions require {@code
     * required_age}.
     * @param requiredAge The exact age, if the law names one.
     * @param articles Only without {@code article}: by article, the members of this result
     * that differ for it.
     * @param channels Only without {@code channel}, and for product types with channels:
     * {@code remote} with the members that differ for remote sale.
     */
    public record ComplianceResult(
        List<String> allowedMethods,
        String bornBefore,
        Long civilAge,
        String confidence,
        Long consentAge,
        Boolean consentRequired,
        long credentialValidityDays,
        Long credentialValidityMinutes,
        Long dataRetentionDays,
        String governingRegulator,
        String inForceFrom,
        String inForceUntil,
        String jurisdiction,
        boolean known,
        String mdlAcceptanceStatus,
        String note,
        Long parentalConsentFrom,
        String penaltyDescription,
        String penaltyType,
        boolean physicalCheckRequired,
        boolean prohibited,
        String prohibitedReason,
        Long requiredAge,
        String requiredAgeTier,
        String ruleVersion,
        String useCase,
        Map<String, Object> articles,
        Map<String, Object> channels) {
    }

    /**
     * Who decided a review.
     * @param decidedBy The reviewer, or {@code system_timeout}.
     * @param reasonCode The reason among those of the decision, such as {@code
     * document_forged}; null: none was given.
     * @param overruledChecks The failed checks that an approval overrules; null: not
     * stated, or another decision.
     */
    public record DecisionEvidence(
        long decidedAt,
        String decidedBy,
        String note,
        String reasonCode,
        List<String> overruledChecks) {
    }

    /** A part of a result. */
    public record DeletedWebhookEndpoint(
        boolean deleted,
        String id,
        String object) {
    }

    /** Why an attempt failed. */
    public static final class DeliveryError {
        public static final String DNS_ERROR = "dns_error";
        public static final String CONNECTION_REFUSED = "connection_refused";
        public static final String TLS_ERROR = "tls_error";
        public static final String TIMEOUT = "timeout";
        public static final String ADDRESS_FORBIDDEN = "address_forbidden";
        public static final String RESPONSE_TOO_LARGE = "response_too_large";
        public static final String HTTP_STATUS = "http_status";
        public static final String ENDPOINT_DISABLED = "endpoint_disabled";

        private DeliveryError() {
        }
    }

    /** {@code failed} is final but can be retried manually. */
    public static final class DeliveryStatus {
        public static final String DELIVERED = "delivered";
        public static final String FAILED = "failed";
        public static final String PENDING = "pending";

        private DeliveryStatus() {
        }
    }

    /** The stable code of an error; branch on it. New codes may be added. */
    public static final class ErrorCode {
        public static final String PARAMETER_INVALID = "parameter_invalid";
        public static final String RESOURCE_MISSING = "resource_missing";
        public static final String BILLING_SUSPENDED = "billing_suspended";
        public static final String TEST_QUOTA_EXCEEDED = "test_quota_exceeded";
        public static final String USE_CASE_PROHIBITED = "use_case_prohibited";
        public static final String COMPLIANCE_UNKNOWN = "compliance_unknown";
        public static final String JURISDICTION_UNRESOLVABLE = "jurisdiction_unresolvable";
        public static final String ACCEPT_EXISTING_RATE_LIMITED = "accept_existing_rate_limited";
        public static final String RATE_LIMIT_EXCEEDED = "rate_limit_exceeded";
        public static final String PUBLISHABLE_KEY_SCOPE = "publishable_key_scope";
        public static final String PUBLISHABLE_SESSION_CREATE_BLOCKED = "publishable_session_create_blocked";
        public static final String CAPTCHA_REQUIRED = "captcha_required";
        public static final String EMAIL_NOT_VERIFIED = "email_not_verified";
        public static final String WEBHOOK_REQUIRED = "webhook_required";
        public static final String SESSION_NOT_FOUND = "session_not_found";
        public static final String SESSION_TERMINAL = "session_terminal";
        public static final String SESSION_NOT_REDEEMABLE = "session_not_redeemable";
        public static final String SESSION_LOCKED_TO_OTHER_DEVICE = "session_locked_to_other_device";
        public static final String VP_TOKEN_INVALID = "vp_token_invalid";
        public static final String NO_MATCHING_VP = "no_matching_vp";
        public static final String OTP_NOT_PROVEN = "otp_not_proven";
        public static final String OTP_EXPIRED = "otp_expired";
        public static final String OTP_ATTEMPTS_EXCEEDED = "otp_attempts_exceeded";
        public static final String IDEMPOTENCY_KEY_REUSE = "idempotency_key_reuse";
        public static final String API_KEY_INVALID = "api_key_invalid";
        public static final String ORG_CREDENTIAL_REQUIRED = "org_credential_required";
        public static final String APPLICATION_CREDENTIAL_REQUIRED = "application_credential_required";
        public static final String KEY_SCOPE_REQUIRED = "key_scope_required";
        public static final String SESSION_NOT_FLAGGABLE = "session_not_flaggable";
        public static final String WORKFLOW_INVALID = "workflow_invalid";
        public static final String DRAFT_OUTDATED = "draft_outdated";
        public static final String DRAFT_LIMIT_REACHED = "draft_limit_reached";
        public static final String SCENARIO_LIMIT_REACHED = "scenario_limit_reached";
        public static final String SIMULATION_LIMIT_REACHED = "simulation_limit_reached";
        public static final String WEBHOOK_ENDPOINT_DISABLED = "webhook_endpoint_disabled";
        public static final String WEBHOOK_RECOVERY_RUNNING = "webhook_recovery_running";
        public static final String WORKFLOW_SCENARIOS_CHANGED = "workflow_scenarios_changed";
        public static final String FOUR_EYES_REQUIRED = "four_eyes_required";
        public static final String IF_MATCH_REQUIRED = "if_match_required";
        public static final String WORKFLOW_RETIRED = "workflow_retired";
        public static final String APPLICATION_RETIRED = "application_retired";
        public static final String REVIEW_CLAIM_REQUIRED = "review_claim_required";
        public static final String TEST_ISSUER_REFUSED = "test_issuer_refused";
        public static final String AUDIT_CHAIN_BROKEN = "audit_chain_broken";
        public static final String REVIEW_CLAIMED = "review_claimed";
        public static final String REVIEWER_NOT_INDEPENDENT = "reviewer_not_independent";
        public static final String SESSION_STATE_CONFLICT = "session_state_conflict";
        public static final String CHALLENGE_EXPIRED = "challenge_expired";
        public static final String SEARCH_TOO_BROAD = "search_too_broad";
        public static final String IDEMPOTENCY_IN_PROGRESS = "idempotency_in_progress";
        public static final String CLIENT_SECRET_INVALID = "client_secret_invalid";
        public static final String HANDOFF_INVALID = "handoff_invalid";
        public static final String HANDOFF_PAIRING_WRONG = "handoff_pairing_wrong";
        public static final String PASSKEY_INVALID = "passkey_invalid";
        public static final String PASSKEY_UNKNOWN = "passkey_unknown";
        public static final String ACCESS_DENIED = "access_denied";
        public static final String OPERATOR_LOGIN_REQUIRED = "operator_login_required";
        public static final String OPERATOR_ROLE_REQUIRED = "operator_role_required";
        public static final String CROSS_SITE_REFUSED = "cross_site_refused";
        public static final String METHOD_NOT_ALLOWED = "method_not_allowed";
        public static final String REQUEST_TIMEOUT = "request_timeout";
        public static final String PRECONDITION_FAILED = "precondition_failed";
        public static final String BODY_TOO_LARGE = "body_too_large";
        public static final String URI_TOO_LONG = "uri_too_long";
        public static final String UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type";
        public static final String HEADERS_TOO_LARGE = "headers_too_large";
        public static final String INTERNAL_ERROR = "internal_error";
        public static final String SERVICE_UNAVAILABLE = "service_unavailable";
        public static final String READER_IDENTITY_MISSING = "reader_identity_missing";
        public static final String WALLET_RESPONSE_REFUSED = "wallet_response_refused";
        public static final String WALLET_RESPONSE_UNREADABLE = "wallet_response_unreadable";

        private ErrorCode() {
        }
    }

    /** Values. */
    public static final class ErrorType {
        public static final String INVALID_REQUEST_ERROR = "invalid_request_error";
        public static final String AUTHENTICATION_ERROR = "authentication_error";
        public static final String RATE_LIMIT_ERROR = "rate_limit_error";
        public static final String API_ERROR = "api_error";

        private ErrorType() {
        }
    }

    /**
     * The type of an event. An endpoint gets {@code workflow_law.changes} and {@code
     * workflow_law.review_due} only if it names them; {@code *} does not include them.
     */
    public static final class EventType {
        public static final String VERIFICATION_SESSION_CREATED = "verification_session.created";
        public static final String VERIFICATION_SESSION_VERIFIED = "verification_session.verified";
        public static final String VERIFICATION_SESSION_FAILED = "verification_session.failed";
        public static final String VERIFICATION_SESSION_CANCELLED = "verification_session.cancelled";
        public static final String VERIFICATION_SESSION_EXPIRED = "verification_session.expired";
        public static final String SESSION_REVIEW_FLAGGED = "session_review.flagged";
        public static final String SESSION_REVIEW_APPROVED = "session_review.approved";
        public static final String SESSION_REVIEW_REJECTED = "session_review.rejected";
        public static final String SESSION_REVIEW_ESCALATED = "session_review.escalated";
        public static final String TRUST_REUSE_GRANT_CREATED = "trust_reuse_grant.created";
        public static final String TRUST_REUSE_GRANT_REVOKED = "trust_reuse_grant.revoked";
        public static final String TRUST_REUSE_CONSENT_REVOKED_BY_USER = "trust_reuse_consent.revoked_by_user";
        public static final String WORKFLOW_LAW_CHANGES = "workflow_law.changes";
        public static final String WORKFLOW_LAW_REVIEW_DUE = "workflow_law.review_due";

        private EventType() {
        }
    }

    /**
     * Why a session or a submission did not succeed. Codes are stable; new ones may be
     * added.
     */
    public static final class FailureCode {
        public static final String DOCUMENT_UNVERIFIED = "document_unverified";
        public static final String DOCUMENT_NOT_ACCEPTED = "document_not_accepted";
        public static final String DOCUMENT_EXPIRED = "document_expired";
        public static final String DOCUMENT_REUSED = "document_reused";
        public static final String UNDER_AGE = "under_age";
        public static final String DOCUMENT_UNDETERMINED = "document_undetermined";
        public static final String AGE_UNDETERMINED = "age_undetermined";
        public static final String DOCUMENT_CERTIFICATE_EXPIRED = "document_certificate_expired";
        public static final String DOCUMENT_ISSUER_UNKNOWN = "document_issuer_unknown";
        public static final String CHIP_NOT_PROVEN = "chip_not_proven";
        public static final String WALLET_RESPONSE_UNREADABLE = "wallet_response_unreadable";
        public static final String DOCUMENT_NOT_PROVIDED = "document_not_provided";
        public static final String WALLET_DECLINED = "wallet_declined";
        public static final String DOCUMENT_REVOKED = "document_revoked";
        public static final String DOCUMENT_STATUS_UNKNOWN = "document_status_unknown";
        public static final String WALLET_NOT_RETURNED = "wallet_not_returned";
        public static final String CHALLENGE_FAILED = "challenge_failed";
        public static final String FACE_LOST = "face_lost";
        public static final String PERSON_CHANGED = "person_changed";
        public static final String REPLAYED_FRAMES = "replayed_frames";
        public static final String LIVENESS_UNDETERMINED = "liveness_undetermined";
        public static final String LIVENESS_DECLINED = "liveness_declined";
        public static final String FACE_MISMATCH = "face_mismatch";
        public static final String FACE_MATCH_UNDETERMINED = "face_match_undetermined";
        public static final String VERIFICATION_DECLINED = "verification_declined";
        public static final String ASSURANCE_INSUFFICIENT = "assurance_insufficient";
        public static final String DOCUMENT_UNREADABLE = "document_unreadable";
        public static final String UNREADABLE_ATTEMPTS_EXCEEDED = "unreadable_attempts_exceeded";
        public static final String USE_CASE_PROHIBITED = "use_case_prohibited";
        public static final String LAW_UNKNOWN = "law_unknown";
        public static final String METHODS_NOT_ACCEPTED = "methods_not_accepted";
        public static final String PROCESSING_ERROR = "processing_error";

        private FailureCode() {
        }
    }

    /**
     * What the person could do better. No attempt was used. Codes are stable; new ones may
     * be added.
     */
    public static final class Hint {
        public static final String BLURRED = "blurred";
        public static final String GLARE = "glare";
        public static final String TOO_SMALL = "too_small";
        public static final String TOO_LARGE = "too_large";
        public static final String TOO_DARK = "too_dark";
        public static final String NO_DOCUMENT_CODE = "no_document_code";
        public static final String UNSUPPORTED_IMAGE = "unsupported_image";
        public static final String READERS_DISAGREE = "readers_disagree";
        public static final String SIDES_DISAGREE = "sides_disagree";
        public static final String ANOTHER_CODE = "another_code";
        public static final String SAME_PICTURE = "same_picture";
        public static final String COME_CLOSER = "come_closer";
        public static final String OTHER_BARCODE = "other_barcode";
        public static final String UNSUPPORTED_DOCUMENT = "unsupported_document";
        public static final String CODE_COVERED = "code_covered";
        public static final String CUT_OFF = "cut_off";
        public static final String FRONT_MISSING = "front_missing";
        public static final String ANALYSIS_FAILED = "analysis_failed";
        public static final String CHIP_INCOMPLETE = "chip_incomplete";
        public static final String CHIP_UNREADABLE = "chip_unreadable";
        public static final String WALLET_RESPONSE_UNREADABLE = "wallet_response_unreadable";
        public static final String DOCUMENT_NOT_PROVIDED = "document_not_provided";
        public static final String WALLET_DECLINED = "wallet_declined";
        public static final String WALLET_NOT_RETURNED = "wallet_not_returned";
        public static final String POOR_LIGHT = "poor_light";
        public static final String NO_FACE = "no_face";
        public static final String TRY_AGAIN = "try_again";

        private Hint() {
        }
    }

    /** How far the jurisdiction recognizes a mobile driver's license. */
    public static final class MdlAcceptance {
        public static final String FULL = "full";
        public static final String SUPPLEMENTARY = "supplementary";
        public static final String NOT_RECOGNIZED = "not_recognized";
        public static final String UNKNOWN = "unknown";

        private MdlAcceptance() {
        }
    }

    /**
     * A verification method. The workflow and the jurisdiction of a session decide which
     * methods it offers. {@code ip_analysis}, {@code device_risk} and {@code geolocation}
     * are passive checks: they run without the person and prove nothing on their own.
     * {@code ip_analysis} examines the kind of IP address, how many people came from it,
     * whether somebody there was found to be too young, and whether it fits the declared
     * location and the browser's clock. {@code device_risk} examines automation, how many
     * people used the device, whether somebody using it was found to be too young, and
     * whether the evidence belongs to another person. {@code geolocation} examines whether
     * the address is within the session's jurisdiction.
     */
    public static final class Method {
        public static final String MDL = "mdl";
        public static final String DOCUMENT_CAPTURE = "document_capture";
        public static final String NFC_PASSPORT = "nfc_passport";
        public static final String SELFIE_LIVENESS = "selfie_liveness";
        public static final String SELFIE_MATCH = "selfie_match";
        public static final String SELF_ATTESTATION = "self_attestation";
        public static final String IP_ANALYSIS = "ip_analysis";
        public static final String DEVICE_RISK = "device_risk";
        public static final String GEOLOCATION = "geolocation";
        public static final String MID = "mid";
        public static final String EUDI_PID = "eudi_pid";
        public static final String FACIAL_AGE = "facial_age";
        public static final String CARRIER_LOOKUP = "carrier_lookup";
        public static final String OPEN_BANKING = "open_banking";
        public static final String PARENTAL_CONSENT = "parental_consent";
        public static final String STUDENT = "student";
        public static final String WALLET_PASS = "wallet_pass";

        private Method() {
        }
    }

    /** A strength, or a method instead of the strength at which it counts. */
    public static final class MinStrength {
        public static final String SELF_ATTESTATION = "self_attestation";
        public static final String FACIAL_AGE = "facial_age";
        public static final String CARRIER_LOOKUP = "carrier_lookup";
        public static final String OPEN_BANKING = "open_banking";
        public static final String DOCUMENT_CAPTURE = "document_capture";
        public static final String MDL = "mdl";
        public static final String MID = "mid";
        public static final String EUDI_PID = "eudi_pid";
        public static final String NFC_PASSPORT = "nfc_passport";
        public static final String SELFIE_LIVENESS = "selfie_liveness";
        public static final String SELFIE_MATCH = "selfie_match";
        public static final String PARENTAL_CONSENT = "parental_consent";
        public static final String STUDENT = "student";

        private MinStrength() {
        }
    }

    /**
     * A risk score with its reasons. Advisory.
     * @param recommendation {@code allow} for low, {@code review} for medium, {@code
     * block} for high.
     */
    public record RiskAssessment(
        long created,
        String id,
        String object,
        List<String> reasons,
        String recommendation,
        String riskLevel,
        long riskScore,
        List<RiskSignal> signalDetails,
        List<String> triggeredSignals) {
    }

    /**
     * The data to assess; at least one of {@code ip}, {@code email}, {@code phone}, {@code
     * device_id}.
     */
    public static final class RiskScore extends Parameters {
        /** ISO 3166 country, or country and region. */
        public RiskScore claimedCountry(String value) {
            put("claimed_country", value);
            return this;
        }

        /** A fingerprint or another stable identifier. */
        public RiskScore deviceId(String value) {
            put("device_id", value);
            return this;
        }

        /** The country of a presented document. */
        public RiskScore docCountry(String value) {
            put("doc_country", value);
            return this;
        }

        /**
         * The region of that document. It only has an effect together with {@code
         * doc_country}.
         */
        public RiskScore docRegion(String value) {
            put("doc_region", value);
            return this;
        }

        public RiskScore email(String value) {
            put("email", value);
            return this;
        }

        /** IPv4 or IPv6. */
        public RiskScore ip(String value) {
            put("ip", value);
            return this;
        }

        /** E.164; separators are removed. */
        public RiskScore phone(String value) {
            put("phone", value);
            return this;
        }

        /** The jurisdiction in which the person must be. */
        public RiskScore requiredJurisdiction(String value) {
            put("required_jurisdiction", value);
            return this;
        }

        /** The session whose risk tier this assessment can raise. */
        public RiskScore sessionId(String value) {
            put("session_id", value);
            return this;
        }

        public RiskScore userAgent(String value) {
            put("user_agent", value);
            return this;
        }
    }

    /**
     * A signal that was evaluated.
     * @param metadata The data behind the signal; never an identifier. {@code persons} is
     * capped at one above its {@code limit}. With {@code points_alone}, the signal added
     * fewer points than it would alone: it shares a {@code cause}, the operator allowed
     * the identifier ({@code allowed}), or the signal is only recorded ({@code shadow}).
     * In the last two cases, it is not triggered.
     * @param points The points that the signal added to the score; 0 if it did not fire.
     * Signals with the same cause count once, and then the points are fewer than {@code
     * metadata.points_alone}.
     */
    public record RiskSignal(
        Map<String, Object> metadata,
        String name,
        long points,
        String reason,
        boolean triggered) {
    }

    /** The name of a signal. New signals may be added. */
    public static final class RiskSignalName {
        public static final String IP_BLOCKED = "ip_blocked";
        public static final String IP_RESERVED = "ip_reserved";
        public static final String IP_HOSTING = "ip_hosting";
        public static final String IP_ANONYMIZER = "ip_anonymizer";
        public static final String IP_TOR = "ip_tor";
        public static final String IP_VELOCITY = "ip_velocity";
        public static final String IP_FAILED_AGE = "ip_failed_age";
        public static final String EMAIL_BLOCKED = "email_blocked";
        public static final String EMAIL_DISPOSABLE = "email_disposable";
        public static final String EMAIL_FREE = "email_free";
        public static final String EMAIL_TAGGED = "email_tagged";
        public static final String EMAIL_RANDOM = "email_random";
        public static final String EMAIL_VELOCITY = "email_velocity";
        public static final String PHONE_BLOCKED = "phone_blocked";
        public static final String PHONE_IMPLAUSIBLE = "phone_implausible";
        public static final String PHONE_COUNTRY_MISMATCH = "phone_country_mismatch";
        public static final String PHONE_VOIP = "phone_voip";
        public static final String PHONE_SERVICE = "phone_service";
        public static final String PHONE_VELOCITY = "phone_velocity";
        public static final String DEVICE_BLOCKED = "device_blocked";
        public static final String DEVICE_VELOCITY = "device_velocity";
        public static final String DEVICE_SHARED = "device_shared";
        public static final String DEVICE_FAILED_AGE = "device_failed_age";
        public static final String USER_AGENT_AUTOMATION = "user_agent_automation";
        public static final String WEBDRIVER_AUTOMATION = "webdriver_automation";
        public static final String VIRTUAL_CAMERA = "virtual_camera";
        public static final String CLAIMED_COUNTRY_IP_MISMATCH = "claimed_country_ip_mismatch";
        public static final String DOCUMENT_COUNTRY_IP_MISMATCH = "document_country_ip_mismatch";
        public static final String DOCUMENT_CLAIMED_COUNTRY_MISMATCH = "document_claimed_country_mismatch";
        public static final String REQUIRED_JURISDICTION_MISMATCH = "required_jurisdiction_mismatch";
        public static final String TIME_ZONE_MISMATCH = "time_zone_mismatch";
        public static final String IP_OUTSIDE_JURISDICTION = "ip_outside_jurisdiction";
        public static final String VP_TOKEN_OTHER_PERSON = "vp_token_other_person";
        public static final String VP_TOKEN_VELOCITY = "vp_token_velocity";
        public static final String DOCUMENT_REUSED = "document_reused";
        public static final String DOCUMENT_SHARED = "document_shared";
        public static final String DOCUMENT_RECAPTURED = "document_recaptured";
        public static final String DOCUMENT_PASTED = "document_pasted";

        private RiskSignalName() {
        }
    }

    /**
     * A check and its result.
     * @param reason Why the check did not pass; null if it passed.
     * @param result {@code undetermined} speaks neither for nor against the person: data
     * that the check needs was missing or unavailable. Older results may lack this member.
     */
    public record SessionCheck(
        String name,
        boolean passed,
        String reason,
        String result) {
    }

    /**
     * The rule that determined the session's age tier.
     * @param ageTier The required tier, the same as {@code age_tier} of the session.
     * @param asOf The law of this day applies: the day of the creation, then that of the
     * last submission.
     */
    public record SessionCompliance(
        String ageTier,
        String asOf,
        String governingRegulator,
        String jurisdiction,
        String mdlAcceptanceStatus,
        boolean mdlLegallyRecognized,
        boolean physicalCheckRequired,
        String ruleVersion,
        String userMessage) {
    }

    /**
     * Why a session failed.
     * @param message Text for the applicant.
     */
    public record SessionError(
        String category,
        String code,
        String message) {
    }

    /** Parameters. */
    public static final class SessionFlag extends Parameters {
        /** For the reviewers. */
        public SessionFlag reason(String value) {
            put("reason", value);
            return this;
        }
    }

    /**
     * The result of a submission or a passive check, or the use of a VP token.
     * @param hint Code of what the person could do better.
     * @param method {@code vp_token}: a token verified the session. Its check {@code
     * vp_token_same_person} says whether the session's email address and phone number
     * belong to the token's person. The check is missing if there is nothing to compare,
     * or if the values came from a browser and match.
     * @param status {@code undetermined}: nothing failed, but a check leaves a doubt, and
     * the workflow decides what follows. For a passive check: the risk level with which
     * the session continued.
     * @param assurance What the evidence is worth. Null for unread evidence and for
     * passive checks; older results may lack this member.
     * @param credentialHash The hash of the credential that this result created. Pass it
     * to reuse the credential.
     * @param riskAssessmentId Only for passive checks: the assessment with each signal.
     * The checks of one step share an assessment.
     */
    public record SessionResult(
        List<SessionCheck> checks,
        long completedAt,
        String errorCode,
        String hint,
        String method,
        String status,
        String assurance,
        String credentialHash,
        String riskAssessmentId,
        Attestation statement) {
    }

    /**
     * A review of a session.
     * @param deadlineAt If it is undecided at this time, it is rejected.
     * @param livemode False for sandbox organizations.
     * @param reason Why it was flagged, or the doubt for which it is held: {@code
     * document_reused}, {@code undetermined}.
     * @param test Only in test events.
     */
    public record SessionReview(
        String clientReferenceId,
        long deadlineAt,
        DecisionEvidence decisionEvidence,
        boolean livemode,
        String object,
        long openedAt,
        String reason,
        String sessionId,
        String status,
        String workflowVersionId,
        Boolean test) {
    }

    /**
     * {@code verified}, {@code failed}, {@code cancelled} and {@code expired} are final.
     * Only a {@code verified} session can change again, when it is flagged for review.
     */
    public static final class SessionStatus {
        public static final String CREATED = "created";
        public static final String PENDING = "pending";
        public static final String PROCESSING = "processing";
        public static final String REQUIRES_INPUT = "requires_input";
        public static final String UNDER_REVIEW = "under_review";
        public static final String VERIFIED = "verified";
        public static final String FAILED = "failed";
        public static final String CANCELLED = "cancelled";
        public static final String EXPIRED = "expired";

        private SessionStatus() {
        }
    }

    /** What the session verifies. */
    public static final class SessionType {
        public static final String IDENTITY = "identity";
        public static final String AGE = "age";
        public static final String STUDENT = "student";

        private SessionType() {
        }
    }

    /** A part of a result. */
    public record TestEvent(
        long created,
        String deliveryId,
        String id,
        String object,
        String type) {
    }

    /** Parameters. */
    public static final class TestEventRequest extends Parameters {
        public TestEventRequest eventType(String value) {
            put("event_type", value);
            return this;
        }
    }

    /** Parameters. */
    public static final class TestOutcome extends Parameters {
        /** The test value. */
        public TestOutcome value(String value) {
            put("value", value);
            return this;
        }

        /**
         * For a code of {@code FailureCode}: uses all remaining attempts of the step
         * instead of one.
         */
        public TestOutcome final_(boolean value) {
            put("final", value);
            return this;
        }

        /**
         * The method to set, one of the methods that the session currently asks for. The
         * default is the first of them.
         */
        public TestOutcome method(String value) {
            put("method", value);
            return this;
        }
    }

    /**
     * A person's withdrawn consent to sharing.
     * @param sourceOrgId The organization that created the credential.
     * @param targetOrgId The organization that accepted the credential.
     * @param test Only in test events.
     */
    public record TrustReuseConsent(
        String object,
        String revokedAt,
        String revokedReason,
        String sourceOrgId,
        String targetOrgId,
        String verifiedPersonId,
        Boolean test) {
    }

    /**
     * The acceptance of one organization's credential by another.
     * @param ageTier What the credential proves: the tier that was reached when it was
     * created.
     * @param sourceOrgId The organization that created the credential.
     * @param targetOrgId The organization that accepted the credential.
     * @param test Only in test events.
     */
    public record TrustReuseGrant(
        String ageTier,
        String expiresAt,
        String grantedAt,
        String id,
        String method,
        String object,
        String revokedAt,
        String revokedReason,
        String sessionId,
        String sourceOrgId,
        String strength,
        String targetOrgId,
        String verifiedPersonId,
        Boolean test) {
    }

    /**
     * How an application takes part in trust reuse.
     * @param acceptedMethods Primary methods; empty: those of the workflow.
     * @param enabled Off by default.
     * @param maxAgeDays Credentials that were verified longer ago are refused.
     */
    public record TrustReuseSettings(
        List<String> acceptedMethods,
        String applicationId,
        boolean enabled,
        long maxAgeDays,
        String object,
        boolean requireSameJurisdiction,
        Long updated) {
    }

    /** Any of the settings. */
    public static final class TrustReuseSettingsUpdate extends Parameters {
        /** Required as true whenever {@code enabled} changes from off to on; not stored. */
        public TrustReuseSettingsUpdate acceptLiability(boolean value) {
            put("accept_liability", value);
            return this;
        }

        /** Primary methods; empty: those of the workflow. */
        public TrustReuseSettingsUpdate acceptedMethods(List<String> value) {
            put("accepted_methods", value);
            return this;
        }

        /** Off by default. */
        public TrustReuseSettingsUpdate enabled(boolean value) {
            put("enabled", value);
            return this;
        }

        /** Credentials that were verified longer ago are refused. */
        public TrustReuseSettingsUpdate maxAgeDays(long value) {
            put("max_age_days", value);
            return this;
        }

        public TrustReuseSettingsUpdate requireSameJurisdiction(boolean value) {
            put("require_same_jurisdiction", value);
            return this;
        }
    }

    /** A method in upper case. */
    public static final class UpperMethod {
        public static final String MDL = "MDL";
        public static final String DOCUMENT_CAPTURE = "DOCUMENT_CAPTURE";
        public static final String NFC_PASSPORT = "NFC_PASSPORT";
        public static final String SELFIE_LIVENESS = "SELFIE_LIVENESS";
        public static final String SELFIE_MATCH = "SELFIE_MATCH";
        public static final String SELF_ATTESTATION = "SELF_ATTESTATION";
        public static final String IP_ANALYSIS = "IP_ANALYSIS";
        public static final String DEVICE_RISK = "DEVICE_RISK";
        public static final String GEOLOCATION = "GEOLOCATION";
        public static final String MID = "MID";
        public static final String EUDI_PID = "EUDI_PID";
        public static final String FACIAL_AGE = "FACIAL_AGE";
        public static final String CARRIER_LOOKUP = "CARRIER_LOOKUP";
        public static final String OPEN_BANKING = "OPEN_BANKING";
        public static final String PARENTAL_CONSENT = "PARENTAL_CONSENT";
        public static final String STUDENT = "STUDENT";
        public static final String WALLET_PASS = "WALLET_PASS";

        private UpperMethod() {
        }
    }

    /** A strength in upper case. */
    public static final class UpperStrength {
        public static final String SELF_ATTESTATION = "SELF_ATTESTATION";
        public static final String FACIAL_AGE = "FACIAL_AGE";
        public static final String CARRIER_LOOKUP = "CARRIER_LOOKUP";
        public static final String OPEN_BANKING = "OPEN_BANKING";
        public static final String DOCUMENT_CAPTURE = "DOCUMENT_CAPTURE";
        public static final String MDL = "MDL";
        public static final String MID = "MID";
        public static final String EUDI_PID = "EUDI_PID";

        private UpperStrength() {
        }
    }

    /** A product type. */
    public static final class UseCase {
        public static final String ALCOHOL_DELIVERY = "alcohol_delivery";
        public static final String ALCOHOL_IN_PERSON = "alcohol_in_person";
        public static final String CANNABIS_DISPENSARY = "cannabis_dispensary";
        public static final String CANNABIS_DELIVERY = "cannabis_delivery";
        public static final String GAMBLING_ONLINE = "gambling_online";
        public static final String GAMBLING_IN_PERSON = "gambling_in_person";
        public static final String TOBACCO_NICOTINE = "tobacco_nicotine";
        public static final String ADULT_CONTENT = "adult_content";
        public static final String SOCIAL_MEDIA = "social_media";
        public static final String FIREARMS = "firearms";

        private UseCase() {
        }
    }

    /**
     * Summary of the method that decided.
     * @param ageEstimate The lowest age in completed years that the evidence proves, or 0
     * if it shows no age. The tiers up to this age are proven as far as the assurance
     * goes, including tiers above the required one. If a reviewer decided ({@code
     * reviewed}), it is at least the required age.
     * @param ageVerified The evidence proves the age. Every check passed or was accepted
     * (by the workflow as a note, or by a reviewer), the assurance is what the workflow
     * requires, and the document shows an age: the required one, if there is one. At
     * {@code decoded}, the age is what an unsigned code states. Never false in a {@code
     * verified} session of type {@code age}, or in one that requires an age.
     * @param confidence How certain the reading was, multiplied by a factor for the
     * assurance: at most 0.5 for {@code decoded}, 0.75 for {@code consistent}, 0.95 for
     * {@code signed}, 1 for {@code signed_and_present}. It is not a probability of fraud.
     * @param identityVerified The document identifies the person: nothing failed except
     * perhaps the age, or a reviewer or the workflow accepted what failed, and the
     * assurance is {@code consistent} or higher. Below {@code signed_and_present}, it does
     * not prove that the person who showed the document is its holder. Never false in a
     * {@code verified} session of type {@code identity} or {@code student}.
     * @param livenessScore The lowest of the scores in {@code liveness}; 0 if no method
     * checked for a live person, or none was found.
     * @param barcodeCrossRefMatch The code agrees with the other code of the document or
     * with the print on its front ({@code printed_front}), and nothing differs. One code
     * shown twice does not count.
     * @param faceMatchPassed Two independent networks found that the person in front of
     * the camera is the one in the portrait.
     * @param liveness The result of the challenge in front of the camera. It is a basic
     * check by this service: it meets no standard and is not certified. If the operator's
     * provider ({@code VerifyLivenessProvider}) also passed it, {@code assurance} is
     * {@code provider}, and {@code provider} contains the statements of its signed answer.
     * @param portraitSource The picture that the face was compared with: the signed
     * picture of a chip or of a mobile document, or the portrait on the photo of a
     * document.
     * @param reviewed True if a reviewer's approval decided the age or the identity,
     * because the evidence alone did not prove it. Absent otherwise.
     */
    public record VerificationResult(
        double ageEstimate,
        boolean ageVerified,
        double confidence,
        boolean identityVerified,
        double livenessScore,
        String method,
        String assurance,
        Boolean barcodeCrossRefMatch,
        Boolean chipActiveAuthPassed,
        Boolean chipPassiveAuthPassed,
        Boolean faceMatchPassed,
        VerificationResultLiveness liveness,
        String portraitSource,
        Boolean reviewed) {
    }

    /**
     * The result of the challenge in front of the camera. It is a basic check by this
     * service: it meets no standard and is not certified. If the operator's provider
     * ({@code VerifyLivenessProvider}) also passed it, {@code assurance} is {@code
     * provider}, and {@code provider} contains the statements of its signed answer.
     * @param assurance {@code basic}: only this service's own check.
     * @param challenge How far the head was turned as prompted; 0.5 passes.
     * @param continuity How similar the faces in the pictures are.
     * @param presence The share of the pictures with one face.
     * @param provider Present if {@code assurance} is {@code provider}: the provider's own
     * statements. Only their signature was verified.
     */
    public record VerificationResultLiveness(
        String assurance,
        double challenge,
        double continuity,
        double light,
        boolean passed,
        double presence,
        double timing,
        VerificationResultLivenessProvider provider) {
    }

    /**
     * Present if {@code assurance} is {@code provider}: the provider's own statements.
     * Only their signature was verified.
     * @param evaluation The test of its product that the provider states; null if it
     * states none. Ask the test laboratory to confirm it.
     * @param score The provider's own score; not part of {@code liveness_score}.
     */
    public record VerificationResultLivenessProvider(
        VerificationResultLivenessProviderEvaluation evaluation,
        String name,
        Double score,
        String version) {
    }

    /**
     * The test of its product that the provider states; null if it states none. Ask the
     * test laboratory to confirm it.
     */
    public record VerificationResultLivenessProviderEvaluation(
        String laboratory,
        String level,
        String standard,
        String validUntil) {
    }

    /**
     * One attempt to verify a person.
     * @param activeDevice {@code mobile} while a phone holds the session.
     * @param ageTier The tier that the session requires from its creation on: the higher
     * of the workflow's tier and that of the law. It says nothing about the person until
     * {@code status} is {@code verified}. A session that fails, is cancelled or expires
     * keeps its tier, unproven. A verified session met it by the evidence ({@code
     * verification_result.age_verified} of the event), by a reused credential ({@code
     * verification_path}) or by a reviewer's approval. Null: no age is required.
     * @param clientReferenceId Your own id.
     * @param clientSecret Opens the widget for this session. Only in the response to its
     * creation; never log it.
     * @param jurisdictionAuditMismatch True if the declared jurisdiction and that of the
     * IP address differ; null if one of them is unknown.
     * @param jurisdictionAuditSource The input that determined the jurisdiction.
     * @param methods The methods of the workflow that the jurisdiction allows.
     * @param physicalCheckRequired The rule also requires a look at the physical document.
     * @param requiresEmailOtp The workflow requires a one-time code by email before a
     * returning user may reuse a verification, and this session does not have that proof
     * yet. A session can be verified without it; then this remains true and the address is
     * unproven. Events lack this field: retrieve the session.
     * @param userMessage A message that the widget shows.
     * @param verificationPath How an alternative path satisfied the session; null for a
     * fresh verification.
     * @param consent Only with {@code expand[]=results}: what the person agreed to, and
     * when.
     * @param document Only with {@code expand[]=document}: the stored data of the
     * document; null if there is none.
     * @param ipJurisdiction Only on creation with {@code delivery_jurisdiction}: the
     * jurisdiction of the IP address.
     * @param jurisdictionMismatch Only on creation with {@code delivery_jurisdiction}: the
     * jurisdiction of the delivery and that of the IP address differ.
     * @param lastError Only for a failed session: the reason, as in its {@code
     * verification_session.failed} event.
     * @param results Only with {@code expand[]=results}. A session that was never
     * announced as verified, or that a reviewer rejected, is not charged and shows only
     * what did not pass.
     * @param url Only in the response to a creation: the hosted page with the client
     * secret in its fragment. Like the secret, never log it.
     * @param workflowId Only with {@code expand[]=workflow}.
     */
    public record VerificationSession(
        String activeDevice,
        String ageTier,
        String cancelUrl,
        Long cancelledAt,
        String clientReferenceId,
        String clientSecret,
        Long completedAt,
        SessionCompliance compliance,
        long created,
        String currentMethod,
        Long deviceLockedAt,
        long expiresAt,
        String id,
        String jurisdiction,
        String jurisdictionAuditDeclared,
        String jurisdictionAuditIpDerived,
        Boolean jurisdictionAuditMismatch,
        String jurisdictionAuditResolved,
        String jurisdictionAuditSource,
        Map<String, String> metadata,
        List<String> methods,
        String object,
        boolean physicalCheckRequired,
        boolean requiresEmailOtp,
        String returnUrl,
        String status,
        String type,
        long updated,
        String userMessage,
        String verificationPath,
        VerificationSessionConsent consent,
        VerificationSessionDocument document,
        String ipJurisdiction,
        Boolean jurisdictionMismatch,
        SessionError lastError,
        List<SessionResult> results,
        String url,
        String workflowId) {
        @Override
        public String toString() {
            return "VerificationSession[id=" + id + "]";
        }
    }

    /** Only with {@code expand[]=results}: what the person agreed to, and when. */
    public record VerificationSessionConsent(
        long agreedAt,
        String textVersion) {
    }
    /**
     * Only with {@code expand[]=document}: the stored data of the document; null if there
     * is none.
     * @param expiresOn Last day of validity, {@code YYYY-MM-DD}.
     */
    public record VerificationSessionDocument(
        String expiresOn,
        String jurisdiction) {
    }

    /** Parameters. */
    public static final class VerificationSessionCreate extends Parameters {
        public VerificationSessionCreate type(String value) {
            put("type", value);
            return this;
        }

        /**
         * One of your published workflows ({@code wf_…}). The workflow sets the methods; a
         * {@code methods} parameter is refused.
         */
        public VerificationSessionCreate workflowId(String value) {
            put("workflow_id", value);
            return this;
        }

        /** Accept an existing verification of the person by this organization. */
        public VerificationSessionCreate acceptExisting(boolean value) {
            put("accept_existing", value);
            return this;
        }

        /**
         * The redirect after a cancellation: {@code https}, or {@code http} for a loopback
         * host.
         */
        public VerificationSessionCreate cancelUrl(String value) {
            put("cancel_url", value);
            return this;
        }

        /** Required with a publishable key. */
        public VerificationSessionCreate captchaToken(String value) {
            put("captcha_token", value);
            return this;
        }

        /** Your own id. Events contain it. */
        public VerificationSessionCreate clientReferenceId(String value) {
            put("client_reference_id", value);
            return this;
        }

        /** The hash of an earlier verification's credential, to reuse this credential. */
        public VerificationSessionCreate credentialHash(String value) {
            put("credential_hash", value);
            return this;
        }

        /** A message that the widget shows. */
        public VerificationSessionCreate customUserMessage(String value) {
            put("custom_user_message", value);
            return this;
        }

        /**
         * The jurisdiction of the delivery. The response compares it with that of the IP
         * address.
         */
        public VerificationSessionCreate deliveryJurisdiction(String value) {
            put("delivery_jurisdiction", value);
            return this;
        }

        /**
         * The claimed email address of the person. {@code accept_existing} requires {@code
         * email} or {@code phone}. With a publishable key, the address is only a claim:
         * until the person proves it, nobody is found by it and nothing is bound to it.
         */
        public VerificationSessionCreate email(String value) {
            put("email", value);
            return this;
        }

        /**
         * Overrides the jurisdiction from geo headers and IP address: {@code US-CA}. With
         * a publishable key, it applies only if its law is not the milder of the two.
         * Otherwise the detected jurisdiction applies, and the difference is a risk
         * signal.
         */
        public VerificationSessionCreate jurisdiction(String value) {
            put("jurisdiction", value);
            return this;
        }

        /**
         * The language of the page at {@code url}, as a language tag: {@code de}, {@code
         * de-AT}. By default, the browser's language.
         */
        public VerificationSessionCreate locale(String value) {
            put("locale", value);
            return this;
        }

        /** The highest age of an accepted verification: {@code 30d}, 1 to 3650 days. */
        public VerificationSessionCreate maxAge(String value) {
            put("max_age", value);
            return this;
        }

        public VerificationSessionCreate metadata(Map<String, String> value) {
            put("metadata", value);
            return this;
        }

        public VerificationSessionCreate minStrength(String value) {
            put("min_strength", value);
            return this;
        }

        /**
         * The claimed phone number of the person, in international form with {@code +}.
         * With a publishable key, nothing is bound to it.
         */
        public VerificationSessionCreate phone(String value) {
            put("phone", value);
            return this;
        }

        /** All of these must have been passed before. */
        public VerificationSessionCreate requiredMethods(List<String> value) {
            put("required_methods", value);
            return this;
        }

        /** The redirect after success: {@code https}, or {@code http} for a loopback host. */
        public VerificationSessionCreate returnUrl(String value) {
            put("return_url", value);
            return this;
        }

        /** Sandbox organizations only: verifies the session immediately, with all events. */
        public VerificationSessionCreate skipVerification(boolean value) {
            put("skip_verification", value);
            return this;
        }

        /**
         * A reusable token that the person brings. Any text that is not a valid token gets
         * {@code vp_token_invalid}. Anyone who has a token can bring it, so pass the
         * {@code email} or {@code phone} that you have for the person. A token of another
         * person is then noted in the results and is a risk signal. If the workflow
         * requires the same person, it gets {@code vp_token_invalid}.
         */
        public VerificationSessionCreate vpToken(String value) {
            put("vp_token", value);
            return this;
        }
    }

    /**
     * A session in an event.
     * @param ageTier The tier that the session requires from its creation on: the higher
     * of the workflow's tier and that of the law. It says nothing about the person until
     * {@code status} is {@code verified}. A session that fails, is cancelled or expires
     * keeps its tier, unproven. A verified session met it by the evidence ({@code
     * verification_result.age_verified} of the event), by a reused credential ({@code
     * verification_path}) or by a reviewer's approval. Null: no age is required.
     * @param jurisdictionAuditMismatch True if the declared jurisdiction and that of the
     * IP address differ; null if one of them is unknown.
     * @param jurisdictionAuditSource The input that determined the jurisdiction.
     * @param lastError Why the session failed; null if it did not fail.
     * @param livemode False for sandbox organizations.
     * @param verificationPath How an alternative path satisfied the session; null for a
     * fresh verification.
     * @param verificationResult The result; null for a session that was never announced as
     * verified or that a reviewer rejected, which is not charged.
     * @param test Only in test events.
     */
    public record VerificationSessionSnapshot(
        String ageTier,
        String clientReferenceId,
        Long completedAt,
        long created,
        String currentMethod,
        String id,
        String jurisdiction,
        String jurisdictionAuditDeclared,
        String jurisdictionAuditIpDerived,
        Boolean jurisdictionAuditMismatch,
        String jurisdictionAuditResolved,
        String jurisdictionAuditSource,
        SessionError lastError,
        boolean livemode,
        String object,
        String status,
        String type,
        String verificationPath,
        VerificationResult verificationResult,
        String workflowVersionId,
        Boolean test) {
    }

    /** A valid verification. */
    public record VerifiedPersonCredential(
        String expiresAt,
        String method,
        String strength,
        String verifiedAt) {
    }

    /** Parameters. */
    public static final class VerifiedPersonLookup extends Parameters {
        /** Required unless {@code phone} is given. */
        public VerifiedPersonLookup email(String value) {
            put("email", value);
            return this;
        }

        /** The highest age of the verification in days: {@code 30}. */
        public VerifiedPersonLookup maxAge(String value) {
            put("max_age", value);
            return this;
        }

        /** All of these must have been passed. */
        public VerifiedPersonLookup methods(List<String> value) {
            put("methods", value);
            return this;
        }

        public VerifiedPersonLookup minStrength(String value) {
            put("min_strength", value);
            return this;
        }

        /** An international number with {@code +}. */
        public VerifiedPersonLookup phone(String value) {
            put("phone", value);
            return this;
        }
    }

    /**
     * Whether a person was verified before.
     * @param credentials Empty without a match.
     * @param verified A credential meets all requirements of the request.
     */
    public record VerifiedPersonLookupResult(
        List<VerifiedPersonCredential> credentials,
        String object,
        boolean verified,
        String verifiedPersonId) {
    }

    /**
     * The delivery of one event to one endpoint. Each attempt changes this record.
     * @param attempt The number of attempts made.
     * @param created When the event was created, also for deliveries that were recovered
     * later.
     * @param lastError Why the latest attempt failed.
     * @param nextAttemptAt Null during an attempt, and if no attempt follows.
     * @param response The latest response; null if there is none yet.
     */
    public record WebhookDelivery(
        long attempt,
        long created,
        Long deliveredAt,
        String eventId,
        String eventType,
        String id,
        WebhookDeliveryLastError lastError,
        long maxAttempts,
        Long nextAttemptAt,
        String object,
        WebhookDeliveryRequest request,
        WebhookDeliveryResponse response,
        String status,
        long updated,
        String webhookEndpointId) {
    }

    /** Why the latest attempt failed. */
    public record WebhookDeliveryLastError(
        String code,
        String message) {
    }
    /**
     * A part of a result.
     * @param body Null if the event is no longer stored.
     * @param headers Without the signature; empty before the first attempt.
     * @param url The address of the latest attempt; before the first attempt, that of the
     * endpoint.
     */
    public record WebhookDeliveryRequest(
        String body,
        Map<String, String> headers,
        String url) {
    }
    /**
     * The latest response; null if there is none yet.
     * @param body Its first 4 KiB.
     */
    public record WebhookDeliveryResponse(
        String body,
        long durationMs,
        Map<String, String> headers,
        long statusCode) {
    }

    /**
     * An endpoint that receives events.
     * @param consecutiveFailures Failed attempts since the last success.
     * @param enabledEvents Only {@code *} means all types but those of {@code
     * workflow_law}, which have to be named.
     * @param failingSince When the first of these failures occurred.
     * @param nextAttemptAt When the next failed delivery is retried; null if none is
     * waiting or the endpoint is disabled.
     * @param status A disabled endpoint receives no events.
     * @param secret Signs deliveries. Only in the responses to creation and rotation.
     */
    public record WebhookEndpoint(
        String applicationId,
        long consecutiveFailures,
        long created,
        String description,
        List<String> enabledEvents,
        Long failingSince,
        String id,
        Map<String, String> metadata,
        String name,
        Long nextAttemptAt,
        String object,
        String status,
        long updated,
        String url,
        String secret) {
        @Override
        public String toString() {
            return "WebhookEndpoint[id=" + id + "]";
        }
    }

    /** Parameters. */
    public static final class WebhookEndpointCreate extends Parameters {
        /**
         * Types without duplicates, or only {@code *} for all types but those of {@code
         * workflow_law}.
         */
        public WebhookEndpointCreate enabledEvents(List<String> value) {
            put("enabled_events", value);
            return this;
        }

        /**
         * A public {@code https} address. An IP address of a private, loopback, link-local
         * or other special network, or {@code localhost}, is refused ({@code
         * parameter_invalid}, {@code param} {@code url}). A host name is checked at every
         * connection ({@code address_forbidden} in the delivery).
         */
        public WebhookEndpointCreate url(String value) {
            put("url", value);
            return this;
        }

        /** Operational notes. */
        public WebhookEndpointCreate description(String value) {
            put("description", value);
            return this;
        }

        public WebhookEndpointCreate metadata(Map<String, String> value) {
            put("metadata", value);
            return this;
        }

        /** A display name. */
        public WebhookEndpointCreate name(String value) {
            put("name", value);
            return this;
        }
    }

    /** Parameters that you omit stay unchanged. {@code metadata} is replaced as a whole. */
    public static final class WebhookEndpointUpdate extends Parameters {
        public WebhookEndpointUpdate description(String value) {
            put("description", value);
            return this;
        }

        /** Replaces the list. */
        public WebhookEndpointUpdate enabledEvents(List<String> value) {
            put("enabled_events", value);
            return this;
        }

        public WebhookEndpointUpdate metadata(Map<String, String> value) {
            put("metadata", value);
            return this;
        }

        public WebhookEndpointUpdate name(String value) {
            put("name", value);
            return this;
        }

        /**
         * A disabled endpoint receives no events of that time. A delivery that becomes due
         * then fails with {@code endpoint_disabled} and can be retried.
         */
        public WebhookEndpointUpdate status(String value) {
            put("status", value);
            return this;
        }

        /**
         * As at creation. A new address is a new receiver: its failures are counted from
         * zero.
         */
        public WebhookEndpointUpdate url(String value) {
            put("url", value);
            return this;
        }
    }

    /**
     * What the operator of a workflow should know about its law. The compliance check with
     * {@code as_of} tells what the law says on a day.
     * @param notice {@code change}: the law changes on {@code day}. {@code review}: the
     * review of its rule was due on {@code day}.
     * @param workflowVersionId The published version.
     * @param test Only in test events.
     */
    public record WorkflowLawNotice(
        String day,
        String jurisdiction,
        String notice,
        String object,
        String useCase,
        String workflowId,
        String workflowVersionId,
        Boolean test) {
    }
}
