// SPDX-License-Identifier: Apache-2.0
// Generated from the description of the API by scripts/api-clients.
import type { List, RequestOptions, WriteOptions } from './index.js';

/** The parameters of checkCompliance. */
export interface CheckComplianceParams {
  /** Up to 10 product types (`UseCase`), separated by commas. */
  use_cases: string;
  /**
   * A kind of the product (`Article`) that the law may treat differently. It must belong
   * to one of the product types, and applies to those that it belongs to. Without it, the
   * response contains the strictest rule, and `articles` shows what differs by article.
   */
  article?: string;
  /** The law of this day, from 2020-01-01 to 2099-12-31. The default is today. */
  as_of?: string;
  /**
   * How the product is sold: `in_person` or `remote`. Only `tobacco_nicotine` has
   * channels. Without it, the response contains the rule for sale in person, and
   * `channels` shows what differs for remote sale.
   */
  channel?: string;
  /**
   * The jurisdiction. Without it, that of the caller. For a country without a region, the
   * response contains the highest age of its regions.
   */
  jurisdiction?: string;
}

/** The parameters of listEvents. */
export interface ListEventsParams {
  /** Unix seconds: created at this time or later. */
  created_gte?: number;
  /** Unix seconds: created before this time. */
  created_lt?: number;
  /** An id; returns the newer objects that precede it. Excludes `starting_after`. */
  ending_before?: string;
  /** The size of the page. */
  limit?: number;
  /** Events about this object. */
  object_id?: string;
  /** An id; returns the older objects that follow it. Excludes `ending_before`. */
  starting_after?: string;
  type?: EventType;
}

/** The parameters of listTrustReuseGrants. */
export interface ListTrustReuseGrantsParams {
  /** An id; returns the newer objects that precede it. Excludes `starting_after`. */
  ending_before?: string;
  /** The size of the page. */
  limit?: number;
  /** An id; returns the older objects that follow it. Excludes `ending_before`. */
  starting_after?: string;
}

/** The parameters of listVerificationSessions. */
export interface ListVerificationSessionsParams {
  /** The exact client reference id. */
  client_reference_id?: string;
  /** Only sessions created at or after this time, in Unix seconds. */
  created_gte?: number;
  /** Only sessions created before this time. */
  created_lt?: number;
  /** An id; returns the newer objects that precede it. Excludes `starting_after`. */
  ending_before?: string;
  /** Members to include in each session. */
  expand?: Array<'workflow'>;
  /** The size of the page. */
  limit?: number;
  risk_tier?: 'clear' | 'review' | 'block' | 'bot';
  /**
   * Case-insensitive. Finds sessions by their id or its beginning, with or without `vks_`,
   * and by any part of the client reference id. A text of fewer than three characters must
   * be the beginning of the client reference id. The response is a complete page or the
   * error `search_too_broad`. The error occurs if more than 5,000 client reference ids
   * match the text. It also occurs if more than 5,000 session ids begin with the text and
   * the 5,000 sessions next to the cursor do not fill the page. In that case, search for a
   * longer text or add a filter.
   */
  search?: string;
  /** An id; returns the older objects that follow it. Excludes `ending_before`. */
  starting_after?: string;
  status?: SessionStatus;
  /** Only sessions of this workflow. */
  workflow_id?: string;
}

/** The parameters of listWebhookDeliveries. */
export interface ListWebhookDeliveriesParams {
  /** An id; returns the newer objects that precede it. Excludes `starting_after`. */
  ending_before?: string;
  event_type?: EventType;
  /** The size of the page. */
  limit?: number;
  /** An id; returns the older objects that follow it. Excludes `ending_before`. */
  starting_after?: string;
  status?: DeliveryStatus;
}

/** The parameters of listWebhookEndpoints. */
export interface ListWebhookEndpointsParams {
  /** An id; returns the newer objects that precede it. Excludes `starting_after`. */
  ending_before?: string;
  /** The size of the page. */
  limit?: number;
  /** An id; returns the older objects that follow it. Excludes `ending_before`. */
  starting_after?: string;
}

/** The parameters of retrieveVerificationSession. */
export interface RetrieveVerificationSessionParams {
  /** Members to include. Not available with a publishable key. */
  expand?: Array<'results' | 'document' | 'workflow'>;
}

/** Age tiers in rising order. A higher tier satisfies a lower one. */
export type AgeTier = 'min_age_13' | 'min_age_16' | 'min_age_18' | 'min_age_21';

/**
 * A kind of a product that the law may treat differently: for alcohol beer, wine and
 * spirits; for tobacco cigarette and vape; for gambling lottery, betting and casino; for
 * firearms handgun and long_gun; for cannabis medical and adult_use.
 */
export type Article =
  | 'beer' | 'wine' | 'spirits' | 'cigarette' | 'vape' | 'lottery' | 'betting'
  | 'casino' | 'handgun' | 'long_gun' | 'medical' | 'adult_use' | (string & {});

/**
 * What evidence is worth, weakest first: a code was read; two codes of one document agree;
 * the issuer's signature was verified; the same, and a live person matched.
 */
export type Assurance = 'decoded' | 'consistent' | 'signed' | 'signed_and_present';

/** The statement that the person declared, at `completed_at`. */
export interface Attestation {
  /** A language tag. */
  language: string;
  name: string;
  /** The hash of the exact text in UTF-8. */
  sha256: string;
  version: string;
}

/** How a product is sold; null: not requested. */
export type Channel = 'in_person' | 'remote' | null;

/** The name of a check. Codes are stable; new ones may be added. */
export type CheckName =
  | 'check_digit_document_number' | 'check_digit_date_of_birth'
  | 'check_digit_date_of_expiry' | 'check_digit_optional_data' | 'check_digit_composite'
  | 'characters' | 'document_code' | 'issuer' | 'issuer_cross_check'
  | 'mandatory_elements' | 'document_number' | 'names' | 'nationality' | 'sex'
  | 'date_of_birth' | 'date_of_issue' | 'date_of_expiry' | 'date_form'
  | 'age_dates_cross_check' | 'barcode_cross_reference' | 'document_number_format'
  | 'document_number_holder' | 'inventory_number' | 'name_truncation' | 'validity_term'
  | 'test_issuer' | 'expiry' | 'age' | 'document_reused' | 'document_portrait'
  | 'printed_front' | 'picture_recapture' | 'picture_paste' | 'security_object'
  | 'security_object_signature' | 'security_object_type' | 'security_object_version'
  | 'security_object_signers' | 'signature_scheme' | 'document_signer'
  | 'certificate_chain' | 'data_group_hashes' | 'data_group_list' | 'issuing_state'
  | 'document_type' | 'date_of_birth_cross_check' | 'portrait' | 'active_authentication'
  | 'challenge_signature_form' | 'chip_authentication' | 'certificate_validity'
  | 'certificate_revocation' | 'printed_zone' | 'chip_cloning' | 'response_encryption'
  | 'response_format' | 'document_returned' | 'issuer_certificate'
  | 'issuer_certificate_form' | 'issuer_trust' | 'issuer_certificate_validity'
  | 'issuer_signature' | 'signing_time' | 'credential_validity' | 'digests'
  | 'device_key' | 'device_authentication' | 'key_authorizations' | 'requested_elements'
  | 'element_types' | 'issuing_place' | 'issuer_revocation' | 'credential_status'
  | 'document_expiry' | 'identity_elements' | 'fresh_frames' | 'face_presence'
  | 'same_person' | 'challenge_response' | 'challenge_timing' | 'face_match'
  | 'liveness_provider' | 'assurance' | 'vp_token_same_person' | (string & {});

/**
 * Why a check did not pass. If several did not, `last_error` is that of the first one in
 * this order. Codes are stable; new ones may be added.
 */
export type CheckReason =
  | 'check_digit_document_number_wrong' | 'check_digit_date_of_birth_wrong'
  | 'check_digit_date_of_expiry_wrong' | 'check_digit_optional_data_wrong'
  | 'check_digit_composite_wrong' | 'characters_invalid' | 'document_code_invalid'
  | 'issuer_unknown' | 'issuer_mismatch' | 'mandatory_element_missing'
  | 'document_number_missing' | 'document_number_invalid' | 'nationality_unknown'
  | 'sex_invalid' | 'date_of_birth_missing' | 'date_of_birth_invalid'
  | 'date_of_birth_in_future' | 'date_of_birth_implausible' | 'date_of_issue_invalid'
  | 'date_of_issue_in_future' | 'date_of_issue_implausible' | 'date_of_expiry_missing'
  | 'date_of_expiry_invalid' | 'date_of_expiry_implausible' | 'age_dates_mismatch'
  | 'barcode_mismatch' | 'document_number_format_wrong' | 'validity_term_impossible'
  | 'test_issuer_refused' | 'expired' | 'under_age' | 'same_picture_twice'
  | 'picture_of_another_session' | 'document_of_another_person'
  | 'printed_date_of_birth_differs' | 'printed_date_of_expiry_differs'
  | 'printed_number_differs' | 'printed_holder_differs' | 'document_portrait_missing'
  | 'names_missing' | 'names_invalid' | 'date_ambiguous' | 'address_elsewhere'
  | 'descriptive_element_missing' | 'discriminator_missing'
  | 'mandatory_elements_unknown' | 'document_number_format_unusual'
  | 'document_number_holder_mismatch' | 'validity_term_unusual'
  | 'inventory_number_unusual' | 'name_truncation_unusual' | 'age_undetermined'
  | 'surname_missing' | 'country_element_missing' | 'date_zero_filled'
  | 'date_without_zeros' | 'document_number_format_unknown'
  | 'document_number_holder_unknown' | 'inventory_number_unknown'
  | 'name_truncation_unknown' | 'printed_front_unread' | 'picture_has_raster'
  | 'picture_has_paste' | 'security_object_malformed' | 'not_signed_data'
  | 'signed_data_version_wrong' | 'content_type_wrong' | 'lds_security_object_malformed'
  | 'lds_version_unknown' | 'signed_content_type_mismatch' | 'message_digest_mismatch'
  | 'signature_wrong' | 'document_signer_malformed' | 'document_signer_unfit'
  | 'csca_signature_wrong' | 'document_signer_revoked' | 'data_group_hash_wrong'
  | 'data_group_not_signed' | 'issuing_state_mismatch' | 'printed_zone_mismatch'
  | 'challenge_mismatch' | 'challenge_signature_wrong' | 'chip_key_wrong'
  | 'chip_data_mismatch' | 'chip_not_genuine' | 'document_signer_expired'
  | 'csca_expired' | 'document_signer_not_yet_valid' | 'csca_not_yet_valid'
  | 'csca_unknown' | 'document_signer_missing' | 'document_signer_key_unsupported'
  | 'csca_key_unsupported' | 'signature_algorithm_unsupported'
  | 'hash_algorithm_unsupported' | 'data_group_list_mismatch'
  | 'data_group_not_announced' | 'issuing_state_unknown' | 'signature_scheme_unusual'
  | 'security_object_type_unusual' | 'security_object_version_unusual'
  | 'several_signers' | 'challenge_signature_in_der' | 'document_type_mismatch'
  | 'date_of_birth_contradiction' | 'portrait_unreadable' | 'revocation_unknown'
  | 'active_authentication_unsupported' | 'active_authentication_not_done'
  | 'active_authentication_key_unproven' | 'active_authentication_algorithm_unsupported'
  | 'challenge_not_ours' | 'chip_authentication_unsupported'
  | 'chip_authentication_not_done' | 'chip_authentication_key_unproven'
  | 'chip_authentication_refused' | 'chip_not_proven_genuine' | 'response_not_encrypted'
  | 'response_not_decrypted' | 'response_malformed' | 'response_state_wrong'
  | 'response_version_unknown' | 'response_status_error' | 'document_missing'
  | 'wallet_declined' | 'document_not_requested' | 'other_document_type'
  | 'issuer_certificate_missing' | 'issuer_certificate_malformed'
  | 'issuer_certificate_profile_wrong' | 'issuer_algorithm_not_allowed'
  | 'issuer_key_unsuitable' | 'issuer_signature_wrong' | 'digest_algorithm_unknown'
  | 'digest_missing' | 'digest_wrong' | 'element_twice' | 'random_too_short'
  | 'device_key_malformed' | 'device_algorithm_not_allowed' | 'device_key_unsuitable'
  | 'device_mac_without_key' | 'device_mac_wrong' | 'device_signature_wrong'
  | 'handover_not_accepted' | 'device_element_not_authorized' | 'element_not_requested'
  | 'element_missing' | 'element_type_wrong' | 'issuing_place_mismatch'
  | 'signed_outside_certificate' | 'validity_contradictory'
  | 'age_statements_contradict' | 'identity_element_missing' | 'issuer_not_trusted'
  | 'issuer_revoked' | 'credential_revoked' | 'issuer_certificate_not_current'
  | 'credential_not_yet_valid' | 'credential_expired' | 'document_expired'
  | 'issuer_revocation_unknown' | 'credential_status_unknown'
  | 'issuer_purpose_not_critical' | 'issuer_purpose_broad'
  | 'issuer_key_usage_not_critical' | 'issuer_key_usage_broad' | 'issuer_term_long'
  | 'issuer_authority_key_missing' | 'issuer_place_unusual' | 'authority_path_open'
  | 'authority_key_usage_narrow' | 'issuer_self_signed' | 'issuer_is_authority'
  | 'issuer_key_usage_wrong' | 'issuer_purpose_missing' | 'replayed_frames'
  | 'face_lost' | 'person_changed' | 'challenge_failed' | 'challenge_too_fast'
  | 'face_mismatch' | 'models_disagree' | 'portrait_missing' | 'portrait_too_small'
  | 'provider_declined' | 'provider_undetermined' | 'provider_unavailable'
  | 'assurance_insufficient' | 'other_person' | (string & {});

/** The rules for some product types in one jurisdiction. */
export interface ComplianceCheck {
  article: Article | null;
  /** The law of this day applies. */
  as_of: string;
  channel: Channel;
  /** States that the response is not legal advice. */
  disclaimer: string;
  jurisdiction: Jurisdiction;
  jurisdiction_source: 'explicit' | 'auto_detected';
  /** All products together. */
  most_restrictive: {
    /** Methods that are allowed for every product that is not prohibited. */
    allowed_methods: Array<Method>;
    any_prohibited: boolean;
    /** For at least one product, it is unknown whether it is lawful or from which age. */
    any_unknown: boolean;
    /**
     * At least one product requires explicit consent; null: none is known to require it,
     * and for at least one it is unknown.
     */
    consent_required: boolean | null;
    /** The shortest limit. */
    data_retention_days: number | null;
    prohibited_use_cases: Array<UseCase>;
    required_age: number | null;
    required_age_tier: AgeTier | null;
    unknown_use_cases: Array<UseCase>;
  };
  object: 'compliance_check';
  /** In the order of the request. */
  results: Array<ComplianceResult>;
}

/** The rule for one product type. */
export interface ComplianceResult {
  allowed_methods: Array<Method>;
  /**
   * Additionally, only people born before this day are allowed. `required_age` is the age
   * of the youngest of them.
   */
  born_before: string | null;
  /** From this age, a person can enter into contracts alone. Does not restrict the product. */
  civil_age: number | null;
  /** How certain the result is, based on its sources. */
  confidence: 'high' | 'medium' | 'low';
  /** Below this age, a parent consents to data processing. Does not restrict the product. */
  consent_age: number | null;
  /** Explicit consent is needed before data is processed; null: unknown. */
  consent_required: boolean | null;
  /**
   * The number of days after which a person must be verified again; 0: in less than a day,
   * see `credential_validity_minutes`.
   */
  credential_validity_days: number;
  /** Set if the law allows less than a day. */
  credential_validity_minutes: number | null;
  /** The longest time that data of the check may be kept; 0: not at all; null: unknown. */
  data_retention_days: number | null;
  governing_regulator: string | null;
  /**
   * The first day of the rule. Null: the first day was not established, and for days long
   * past the response is the known rule.
   */
  in_force_from: string | null;
  /** The day of the next enacted change. */
  in_force_until: string | null;
  jurisdiction: Jurisdiction;
  /**
   * It is established that the product is prohibited, or that it is lawful and from which
   * age, if any. False is not a permission: `VerifyComplianceUnknown` decides what
   * sessions do.
   */
  known: boolean;
  mdl_acceptance_status: MdlAcceptance;
  /** Information that the other members cannot express. */
  note: string | null;
  /**
   * From this age up to `required_age`, the law admits a person with a parent's consent;
   * null: nobody. Sessions require `required_age`.
   */
  parental_consent_from: number | null;
  penalty_description: string | null;
  penalty_type: 'CIVIL' | 'CRIMINAL' | 'BOTH' | null;
  physical_check_required: boolean;
  prohibited: boolean;
  prohibited_reason: string | null;
  /** The exact age, if the law names one. */
  required_age: number | null;
  required_age_tier: AgeTier | null;
  rule_version: string | null;
  use_case: UseCase;
  /** Only without `article`: by article, the members of this result that differ for it. */
  articles?: Record<string, unknown>;
  /**
   * Only without `channel`, and for product types with channels: `remote` with the members
   * that differ for remote sale.
   */
  channels?: Record<string, unknown>;
}

/** Who decided a review. */
export interface DecisionEvidence {
  decided_at: Timestamp;
  /** The reviewer, or `system_timeout`. */
  decided_by: string;
  note: string | null;
  /**
   * The reason among those of the decision, such as `document_forged`; null: none was
   * given.
   */
  reason_code: string | null;
  /** The failed checks that an approval overrules; null: not stated, or another decision. */
  overruled_checks?: Array<string> | null;
}

export interface DeletedWebhookEndpoint {
  deleted: true;
  id: string;
  object: 'webhook_endpoint';
}

/** Why an attempt failed. */
export type DeliveryError =
  | 'dns_error' | 'connection_refused' | 'tls_error' | 'timeout' | 'address_forbidden'
  | 'response_too_large' | 'http_status' | 'endpoint_disabled';

/** `failed` is final but can be retried manually. */
export type DeliveryStatus = 'delivered' | 'failed' | 'pending';

/** The stable code of an error; branch on it. New codes may be added. */
export type ErrorCode =
  | 'parameter_invalid' | 'resource_missing' | 'billing_suspended'
  | 'test_quota_exceeded' | 'use_case_prohibited' | 'compliance_unknown'
  | 'jurisdiction_unresolvable' | 'accept_existing_rate_limited' | 'rate_limit_exceeded'
  | 'publishable_key_scope' | 'publishable_session_create_blocked' | 'captcha_required'
  | 'email_not_verified' | 'webhook_required' | 'session_not_found' | 'session_terminal'
  | 'session_not_redeemable' | 'session_locked_to_other_device' | 'vp_token_invalid'
  | 'no_matching_vp' | 'otp_not_proven' | 'otp_expired' | 'otp_attempts_exceeded'
  | 'idempotency_key_reuse' | 'api_key_invalid' | 'org_credential_required'
  | 'application_credential_required' | 'key_scope_required' | 'session_not_flaggable'
  | 'workflow_invalid' | 'draft_outdated' | 'draft_limit_reached'
  | 'scenario_limit_reached' | 'simulation_limit_reached' | 'webhook_endpoint_disabled'
  | 'webhook_recovery_running' | 'workflow_scenarios_changed' | 'four_eyes_required'
  | 'if_match_required' | 'workflow_retired' | 'application_retired'
  | 'review_claim_required' | 'test_issuer_refused' | 'audit_chain_broken'
  | 'review_claimed' | 'reviewer_not_independent' | 'session_state_conflict'
  | 'challenge_expired' | 'search_too_broad' | 'idempotency_in_progress'
  | 'client_secret_invalid' | 'handoff_invalid' | 'handoff_pairing_wrong'
  | 'passkey_invalid' | 'passkey_unknown' | 'access_denied' | 'operator_login_required'
  | 'operator_role_required' | 'cross_site_refused' | 'method_not_allowed'
  | 'request_timeout' | 'precondition_failed' | 'body_too_large' | 'uri_too_long'
  | 'unsupported_media_type' | 'headers_too_large' | 'internal_error'
  | 'service_unavailable' | 'reader_identity_missing' | 'wallet_response_refused'
  | 'wallet_response_unreadable' | (string & {});

export type ErrorType =
  | 'invalid_request_error' | 'authentication_error' | 'rate_limit_error' | 'api_error';

/**
 * A change, delivered at least once: deduplicate by `id`. `data.object` is the resource at
 * the time of the event. In a test event, it has `test`.
 */
export type Event = VerificationSessionEvent | SessionReviewEvent | TrustReuseGrantEvent | TrustReuseConsentEvent | WorkflowLawEvent;

/**
 * The type of an event. An endpoint gets `workflow_law.changes` and
 * `workflow_law.review_due` only if it names them; `*` does not include them.
 */
export type EventType =
  | 'verification_session.created' | 'verification_session.verified'
  | 'verification_session.failed' | 'verification_session.cancelled'
  | 'verification_session.expired' | 'session_review.flagged'
  | 'session_review.approved' | 'session_review.rejected' | 'session_review.escalated'
  | 'trust_reuse_grant.created' | 'trust_reuse_grant.revoked'
  | 'trust_reuse_consent.revoked_by_user' | 'workflow_law.changes'
  | 'workflow_law.review_due';

/** Why a session or a submission did not succeed. Codes are stable; new ones may be added. */
export type FailureCode =
  | 'document_unverified' | 'document_not_accepted' | 'document_expired'
  | 'document_reused' | 'under_age' | 'document_undetermined' | 'age_undetermined'
  | 'document_certificate_expired' | 'document_issuer_unknown' | 'chip_not_proven'
  | 'wallet_response_unreadable' | 'document_not_provided' | 'wallet_declined'
  | 'document_revoked' | 'document_status_unknown' | 'wallet_not_returned'
  | 'challenge_failed' | 'face_lost' | 'person_changed' | 'replayed_frames'
  | 'liveness_undetermined' | 'liveness_declined' | 'face_mismatch'
  | 'face_match_undetermined' | 'verification_declined' | 'assurance_insufficient'
  | 'document_unreadable' | 'unreadable_attempts_exceeded' | 'use_case_prohibited'
  | 'law_unknown' | 'methods_not_accepted' | 'processing_error' | (string & {});

/**
 * What the person could do better. No attempt was used. Codes are stable; new ones may be
 * added.
 */
export type Hint =
  | 'blurred' | 'glare' | 'too_small' | 'too_large' | 'too_dark' | 'no_document_code'
  | 'unsupported_image' | 'readers_disagree' | 'sides_disagree' | 'another_code'
  | 'same_picture' | 'come_closer' | 'other_barcode' | 'unsupported_document'
  | 'code_covered' | 'cut_off' | 'front_missing' | 'analysis_failed' | 'chip_incomplete'
  | 'chip_unreadable' | 'wallet_response_unreadable' | 'document_not_provided'
  | 'wallet_declined' | 'wallet_not_returned' | 'poor_light' | 'no_face' | 'try_again'
  | (string & {});

/** ISO 8601 with milliseconds. */
export type IsoTime = string;

/**
 * A country (ISO 3166-1 alpha-2), optionally with its region: `DE`, `US-CA`. Regions of
 * Australia, Canada and the United States must exist.
 */
export type Jurisdiction = string;

/** How far the jurisdiction recognizes a mobile driver's license. */
export type MdlAcceptance = 'full' | 'supplementary' | 'not_recognized' | 'unknown';

/** Up to 50 key-value pairs of your own. A key has 1 to 255 characters, a value up to 500. */
export type Metadata = Record<string, string>;

/**
 * A verification method. The workflow and the jurisdiction of a session decide which
 * methods it offers. `ip_analysis`, `device_risk` and `geolocation` are passive checks:
 * they run without the person and prove nothing on their own. `ip_analysis` examines the
 * kind of IP address, how many people came from it, whether somebody there was found to be
 * too young, and whether it fits the declared location and the browser's clock.
 * `device_risk` examines automation, how many people used the device, whether somebody
 * using it was found to be too young, and whether the evidence belongs to another person.
 * `geolocation` examines whether the address is within the session's jurisdiction.
 */
export type Method =
  | 'mdl' | 'document_capture' | 'nfc_passport' | 'selfie_liveness' | 'selfie_match'
  | 'self_attestation' | 'ip_analysis' | 'device_risk' | 'geolocation' | 'mid'
  | 'eudi_pid' | 'facial_age' | 'carrier_lookup' | 'open_banking' | 'parental_consent'
  | 'student' | 'wallet_pass';

/** A strength, or a method instead of the strength at which it counts. */
export type MinStrength =
  | 'self_attestation' | 'facial_age' | 'carrier_lookup' | 'open_banking'
  | 'document_capture' | 'mdl' | 'mid' | 'eudi_pid' | 'nfc_passport' | 'selfie_liveness'
  | 'selfie_match' | 'parental_consent' | 'student';

/** A risk score with its reasons. Advisory. */
export interface RiskAssessment {
  created: Timestamp;
  id: string;
  object: 'risk_assessment';
  reasons: Array<string>;
  /** `allow` for low, `review` for medium, `block` for high. */
  recommendation: 'allow' | 'review' | 'block';
  risk_level: 'low' | 'medium' | 'high';
  risk_score: number;
  signal_details: Array<RiskSignal>;
  triggered_signals: Array<RiskSignalName>;
}

/** The data to assess; at least one of `ip`, `email`, `phone`, `device_id`. */
export interface RiskScore {
  /** ISO 3166 country, or country and region. */
  claimed_country?: string;
  /** A fingerprint or another stable identifier. */
  device_id?: string;
  /** The country of a presented document. */
  doc_country?: string;
  /** The region of that document. It only has an effect together with `doc_country`. */
  doc_region?: string;
  email?: string;
  /** IPv4 or IPv6. */
  ip?: string;
  /** E.164; separators are removed. */
  phone?: string;
  /** The jurisdiction in which the person must be. */
  required_jurisdiction?: string;
  /** The session whose risk tier this assessment can raise. */
  session_id?: string;
  user_agent?: string;
}

/** A signal that was evaluated. */
export interface RiskSignal {
  /**
   * The data behind the signal; never an identifier. `persons` is capped at one above its
   * `limit`. With `points_alone`, the signal added fewer points than it would alone: it
   * shares a `cause`, the operator allowed the identifier (`allowed`), or the signal is
   * only recorded (`shadow`). In the last two cases, it is not triggered.
   */
  metadata: Record<string, unknown>;
  name: RiskSignalName;
  /**
   * The points that the signal added to the score; 0 if it did not fire. Signals with the
   * same cause count once, and then the points are fewer than `metadata.points_alone`.
   */
  points: number;
  reason: string;
  triggered: boolean;
}

/** The name of a signal. New signals may be added. */
export type RiskSignalName =
  | 'ip_blocked' | 'ip_reserved' | 'ip_hosting' | 'ip_anonymizer' | 'ip_tor'
  | 'ip_velocity' | 'ip_failed_age' | 'email_blocked' | 'email_disposable'
  | 'email_free' | 'email_tagged' | 'email_random' | 'email_velocity' | 'phone_blocked'
  | 'phone_implausible' | 'phone_country_mismatch' | 'phone_voip' | 'phone_service'
  | 'phone_velocity' | 'device_blocked' | 'device_velocity' | 'device_shared'
  | 'device_failed_age' | 'user_agent_automation' | 'webdriver_automation'
  | 'virtual_camera' | 'claimed_country_ip_mismatch' | 'document_country_ip_mismatch'
  | 'document_claimed_country_mismatch' | 'required_jurisdiction_mismatch'
  | 'time_zone_mismatch' | 'ip_outside_jurisdiction' | 'vp_token_other_person'
  | 'vp_token_velocity' | 'document_reused' | 'document_shared' | 'document_recaptured'
  | 'document_pasted' | (string & {});

/** A check and its result. */
export interface SessionCheck {
  name: CheckName;
  passed: boolean;
  /** Why the check did not pass; null if it passed. */
  reason: CheckReason | null;
  /**
   * `undetermined` speaks neither for nor against the person: data that the check needs
   * was missing or unavailable. Older results may lack this member.
   */
  result?: 'passed' | 'failed' | 'undetermined';
}

/** The rule that determined the session's age tier. */
export interface SessionCompliance {
  /** The required tier, the same as `age_tier` of the session. */
  age_tier: AgeTier | null;
  /**
   * The law of this day applies: the day of the creation, then that of the last
   * submission.
   */
  as_of: string | null;
  governing_regulator: string | null;
  jurisdiction: Jurisdiction | null;
  mdl_acceptance_status: MdlAcceptance;
  mdl_legally_recognized: boolean;
  physical_check_required: boolean;
  rule_version: string | null;
  user_message: string | null;
}

/** Why a session failed. */
export interface SessionError {
  category: 'verification_declined' | 'technical_error' | null;
  code: FailureCode;
  /** Text for the applicant. */
  message: string | null;
}

export interface SessionFlag {
  /** For the reviewers. */
  reason?: string | null;
}

/** The result of a submission or a passive check, or the use of a VP token. */
export interface SessionResult {
  checks: Array<SessionCheck>;
  completed_at: Timestamp;
  error_code: FailureCode | null;
  /** Code of what the person could do better. */
  hint: Hint | null;
  /**
   * `vp_token`: a token verified the session. Its check `vp_token_same_person` says
   * whether the session's email address and phone number belong to the token's person. The
   * check is missing if there is nothing to compare, or if the values came from a browser
   * and match.
   */
  method: Method | 'vp_token';
  /**
   * `undetermined`: nothing failed, but a check leaves a doubt, and the workflow decides
   * what follows. For a passive check: the risk level with which the session continued.
   */
  status: 
    | 'passed' | 'failed' | 'undetermined' | 'unreadable' | 'low' | 'medium' | 'high';
  /**
   * What the evidence is worth. Null for unread evidence and for passive checks; older
   * results may lack this member.
   */
  assurance?: Assurance | null;
  /** The hash of the credential that this result created. Pass it to reuse the credential. */
  credential_hash?: string;
  /**
   * Only for passive checks: the assessment with each signal. The checks of one step share
   * an assessment.
   */
  risk_assessment_id?: string;
  statement?: Attestation;
}

/** A review of a session. */
export interface SessionReview {
  client_reference_id: string | null;
  /** If it is undecided at this time, it is rejected. */
  deadline_at: Timestamp;
  decision_evidence: DecisionEvidence | null;
  /** False for sandbox organizations. */
  livemode: boolean;
  object: 'session_review';
  opened_at: Timestamp;
  /**
   * Why it was flagged, or the doubt for which it is held: `document_reused`,
   * `undetermined`.
   */
  reason: string | null;
  session_id: string;
  status: 'flagged' | 'approved' | 'rejected' | 'escalated';
  workflow_version_id: string | null;
  /** Only in test events. */
  test?: true;
}

/**
 * A session was held for review, or the review was decided. Grant or deny access only on
 * the events of the session.
 */
export interface SessionReviewEvent {
  created: Timestamp;
  data: {
    object: SessionReview;
  };
  id: string;
  object: 'event';
  type: 
    | 'session_review.flagged' | 'session_review.approved' | 'session_review.rejected'
    | 'session_review.escalated';
}

/**
 * `verified`, `failed`, `cancelled` and `expired` are final. Only a `verified` session can
 * change again, when it is flagged for review.
 */
export type SessionStatus =
  | 'created' | 'pending' | 'processing' | 'requires_input' | 'under_review'
  | 'verified' | 'failed' | 'cancelled' | 'expired';

/** What the session verifies. */
export type SessionType = 'identity' | 'age' | 'student';

export interface TestEvent {
  created: Timestamp;
  delivery_id: string;
  id: string;
  object: 'event';
  type: EventType;
}

export interface TestEventRequest {
  event_type?: EventType;
}

export interface TestOutcome {
  /** The test value. */
  value: string;
  /** For a code of `FailureCode`: uses all remaining attempts of the step instead of one. */
  final?: boolean;
  /**
   * The method to set, one of the methods that the session currently asks for. The default
   * is the first of them.
   */
  method?: string;
}

/** Unix time in seconds. */
export type Timestamp = number;

/** A person's withdrawn consent to sharing. */
export interface TrustReuseConsent {
  object: 'trust_reuse_consent';
  revoked_at: IsoTime;
  revoked_reason: 'USER_REVOKED_CONSENT';
  /** The organization that created the credential. */
  source_org_id: string;
  /** The organization that accepted the credential. */
  target_org_id: string;
  verified_person_id: string;
  /** Only in test events. */
  test?: true;
}

/** A person has stopped all sharing. Sent to every organization with a grant of the person. */
export interface TrustReuseConsentEvent {
  created: Timestamp;
  data: {
    object: TrustReuseConsent;
  };
  id: string;
  object: 'event';
  type: 'trust_reuse_consent.revoked_by_user';
}

/** The acceptance of one organization's credential by another. */
export interface TrustReuseGrant {
  /** What the credential proves: the tier that was reached when it was created. */
  age_tier: 'MIN_AGE_13' | 'MIN_AGE_16' | 'MIN_AGE_18' | 'MIN_AGE_21' | null;
  expires_at: IsoTime;
  granted_at: IsoTime;
  id: string;
  method: UpperMethod;
  object: 'trust_reuse_grant';
  revoked_at: IsoTime | null;
  revoked_reason: 
    | 'USER_REVOKED' | 'USER_REVOKED_CONSENT' | 'ERASURE_REQUEST'
    | 'TARGET_OPERATOR_REVOKED' | 'SOURCE_CREDENTIAL_REVOKED' | null;
  session_id: string;
  /** The organization that created the credential. */
  source_org_id: string;
  strength: UpperStrength;
  /** The organization that accepted the credential. */
  target_org_id: string;
  verified_person_id: string;
  /** Only in test events. */
  test?: true;
}

/** A credential of another organization was accepted, or its acceptance was revoked. */
export interface TrustReuseGrantEvent {
  created: Timestamp;
  data: {
    object: TrustReuseGrant;
  };
  id: string;
  object: 'event';
  type: 'trust_reuse_grant.created' | 'trust_reuse_grant.revoked';
}

/** How an application takes part in trust reuse. */
export interface TrustReuseSettings {
  /** Primary methods; empty: those of the workflow. */
  accepted_methods: Array<Method>;
  application_id: string;
  /** Off by default. */
  enabled: boolean;
  /** Credentials that were verified longer ago are refused. */
  max_age_days: number;
  object: 'trust_reuse_settings';
  require_same_jurisdiction: boolean;
  updated: Timestamp | null;
}

/** Any of the settings. */
export interface TrustReuseSettingsUpdate {
  /** Required as true whenever `enabled` changes from off to on; not stored. */
  accept_liability?: boolean;
  /** Primary methods; empty: those of the workflow. */
  accepted_methods?: Array<Method>;
  /** Off by default. */
  enabled?: boolean;
  /** Credentials that were verified longer ago are refused. */
  max_age_days?: number;
  require_same_jurisdiction?: boolean;
}

/** A method in upper case. */
export type UpperMethod =
  | 'MDL' | 'DOCUMENT_CAPTURE' | 'NFC_PASSPORT' | 'SELFIE_LIVENESS' | 'SELFIE_MATCH'
  | 'SELF_ATTESTATION' | 'IP_ANALYSIS' | 'DEVICE_RISK' | 'GEOLOCATION' | 'MID'
  | 'EUDI_PID' | 'FACIAL_AGE' | 'CARRIER_LOOKUP' | 'OPEN_BANKING' | 'PARENTAL_CONSENT'
  | 'STUDENT' | 'WALLET_PASS';

/** A strength in upper case. */
export type UpperStrength =
  | 'SELF_ATTESTATION' | 'FACIAL_AGE' | 'CARRIER_LOOKUP' | 'OPEN_BANKING'
  | 'DOCUMENT_CAPTURE' | 'MDL' | 'MID' | 'EUDI_PID';

/** A product type. */
export type UseCase =
  | 'alcohol_delivery' | 'alcohol_in_person' | 'cannabis_dispensary'
  | 'cannabis_delivery' | 'gambling_online' | 'gambling_in_person' | 'tobacco_nicotine'
  | 'adult_content' | 'social_media' | 'firearms';

/** Summary of the method that decided. */
export interface VerificationResult {
  /**
   * The lowest age in completed years that the evidence proves, or 0 if it shows no age.
   * The tiers up to this age are proven as far as the assurance goes, including tiers
   * above the required one. If a reviewer decided (`reviewed`), it is at least the
   * required age.
   */
  age_estimate: number;
  /**
   * The evidence proves the age. Every check passed or was accepted (by the workflow as a
   * note, or by a reviewer), the assurance is what the workflow requires, and the document
   * shows an age: the required one, if there is one. At `decoded`, the age is what an
   * unsigned code states. Never false in a `verified` session of type `age`, or in one
   * that requires an age.
   */
  age_verified: boolean;
  /**
   * How certain the reading was, multiplied by a factor for the assurance: at most 0.5 for
   * `decoded`, 0.75 for `consistent`, 0.95 for `signed`, 1 for `signed_and_present`. It is
   * not a probability of fraud.
   */
  confidence: number;
  /**
   * The document identifies the person: nothing failed except perhaps the age, or a
   * reviewer or the workflow accepted what failed, and the assurance is `consistent` or
   * higher. Below `signed_and_present`, it does not prove that the person who showed the
   * document is its holder. Never false in a `verified` session of type `identity` or
   * `student`.
   */
  identity_verified: boolean;
  /**
   * The lowest of the scores in `liveness`; 0 if no method checked for a live person, or
   * none was found.
   */
  liveness_score: number;
  method: Method;
  assurance?: Assurance;
  /**
   * The code agrees with the other code of the document or with the print on its front
   * (`printed_front`), and nothing differs. One code shown twice does not count.
   */
  barcode_cross_ref_match?: boolean;
  chip_active_auth_passed?: boolean;
  chip_passive_auth_passed?: boolean;
  /**
   * Two independent networks found that the person in front of the camera is the one in
   * the portrait.
   */
  face_match_passed?: boolean;
  /**
   * The result of the challenge in front of the camera. It is a basic check by this
   * service: it meets no standard and is not certified. If the operator's provider
   * (`VerifyLivenessProvider`) also passed it, `assurance` is `provider`, and `provider`
   * contains the statements of its signed answer.
   */
  liveness?: {
    /** `basic`: only this service's own check. */
    assurance: 'basic' | 'provider';
    /** How far the head was turned as prompted; 0.5 passes. */
    challenge: number;
    /** How similar the faces in the pictures are. */
    continuity: number;
    light: number;
    passed: boolean;
    /** The share of the pictures with one face. */
    presence: number;
    timing: number;
    /**
     * Present if `assurance` is `provider`: the provider's own statements. Only their
     * signature was verified.
     */
    provider?: {
      /**
       * The test of its product that the provider states; null if it states none. Ask the
       * test laboratory to confirm it.
       */
      evaluation: {
        laboratory: string;
        level: string;
        standard: string;
        valid_until: string;
      } | null;
      name: string;
      /** The provider's own score; not part of `liveness_score`. */
      score: number | null;
      version: string;
    };
  };
  /**
   * The picture that the face was compared with: the signed picture of a chip or of a
   * mobile document, or the portrait on the photo of a document.
   */
  portrait_source?: 'chip' | 'mdoc' | 'document_portrait' | null;
  /**
   * True if a reviewer's approval decided the age or the identity, because the evidence
   * alone did not prove it. Absent otherwise.
   */
  reviewed?: boolean;
}

/** One attempt to verify a person. */
export interface VerificationSession {
  /** `mobile` while a phone holds the session. */
  active_device: 'mobile' | null;
  /**
   * The tier that the session requires from its creation on: the higher of the workflow's
   * tier and that of the law. It says nothing about the person until `status` is
   * `verified`. A session that fails, is cancelled or expires keeps its tier, unproven. A
   * verified session met it by the evidence (`verification_result.age_verified` of the
   * event), by a reused credential (`verification_path`) or by a reviewer's approval.
   * Null: no age is required.
   */
  age_tier: AgeTier | null;
  cancel_url: string | null;
  cancelled_at: Timestamp | null;
  /** Your own id. */
  client_reference_id: string | null;
  /** Opens the widget for this session. Only in the response to its creation; never log it. */
  client_secret: string | null;
  completed_at: Timestamp | null;
  compliance: SessionCompliance | null;
  created: Timestamp;
  current_method: Method | null;
  device_locked_at: Timestamp | null;
  expires_at: Timestamp;
  id: string;
  jurisdiction: Jurisdiction | null;
  jurisdiction_audit_declared: Jurisdiction | null;
  jurisdiction_audit_ip_derived: Jurisdiction | null;
  /**
   * True if the declared jurisdiction and that of the IP address differ; null if one of
   * them is unknown.
   */
  jurisdiction_audit_mismatch: boolean | null;
  jurisdiction_audit_resolved: Jurisdiction | null;
  /** The input that determined the jurisdiction. */
  jurisdiction_audit_source: 'explicit' | 'geo_header' | 'ip_database' | 'workflow' | null;
  metadata: Metadata;
  /** The methods of the workflow that the jurisdiction allows. */
  methods: Array<Method>;
  object: 'verification_session';
  /** The rule also requires a look at the physical document. */
  physical_check_required: boolean;
  /**
   * The workflow requires a one-time code by email before a returning user may reuse a
   * verification, and this session does not have that proof yet. A session can be verified
   * without it; then this remains true and the address is unproven. Events lack this
   * field: retrieve the session.
   */
  requires_email_otp: boolean;
  return_url: string | null;
  status: SessionStatus;
  type: SessionType;
  updated: Timestamp;
  /** A message that the widget shows. */
  user_message: string | null;
  /** How an alternative path satisfied the session; null for a fresh verification. */
  verification_path: 'credential_reuse' | 'vp_token' | 'trust_reuse' | 'sandbox' | null;
  /** Only with `expand[]=results`: what the person agreed to, and when. */
  consent?: {
    agreed_at: Timestamp;
    text_version: string | null;
  } | null;
  /** Only with `expand[]=document`: the stored data of the document; null if there is none. */
  document?: {
    /** Last day of validity, `YYYY-MM-DD`. */
    expires_on: string | null;
    jurisdiction: Jurisdiction | null;
  } | null;
  /** Only on creation with `delivery_jurisdiction`: the jurisdiction of the IP address. */
  ip_jurisdiction?: Jurisdiction | null;
  /**
   * Only on creation with `delivery_jurisdiction`: the jurisdiction of the delivery and
   * that of the IP address differ.
   */
  jurisdiction_mismatch?: boolean;
  /** Only for a failed session: the reason, as in its `verification_session.failed` event. */
  last_error?: SessionError;
  /**
   * Only with `expand[]=results`. A session that was never announced as verified, or that
   * a reviewer rejected, is not charged and shows only what did not pass.
   */
  results?: Array<SessionResult>;
  /**
   * Only in the response to a creation: the hosted page with the client secret in its
   * fragment. Like the secret, never log it.
   */
  url?: string;
  /** Only with `expand[]=workflow`. */
  workflow_id?: string;
}

export interface VerificationSessionCreate {
  type: SessionType;
  /**
   * One of your published workflows (`wf_…`). The workflow sets the methods; a `methods`
   * parameter is refused.
   */
  workflow_id: string;
  /** Accept an existing verification of the person by this organization. */
  accept_existing?: boolean;
  /** The redirect after a cancellation: `https`, or `http` for a loopback host. */
  cancel_url?: string;
  /** Required with a publishable key. */
  captcha_token?: string;
  /** Your own id. Events contain it. */
  client_reference_id?: string;
  /** The hash of an earlier verification's credential, to reuse this credential. */
  credential_hash?: string;
  /** A message that the widget shows. */
  custom_user_message?: string;
  /**
   * The jurisdiction of the delivery. The response compares it with that of the IP
   * address.
   */
  delivery_jurisdiction?: string;
  /**
   * The claimed email address of the person. `accept_existing` requires `email` or
   * `phone`. With a publishable key, the address is only a claim: until the person proves
   * it, nobody is found by it and nothing is bound to it.
   */
  email?: string;
  /**
   * Overrides the jurisdiction from geo headers and IP address: `US-CA`. With a
   * publishable key, it applies only if its law is not the milder of the two. Otherwise
   * the detected jurisdiction applies, and the difference is a risk signal.
   */
  jurisdiction?: string;
  /**
   * The language of the page at `url`, as a language tag: `de`, `de-AT`. By default, the
   * browser's language.
   */
  locale?: string;
  /** The highest age of an accepted verification: `30d`, 1 to 3650 days. */
  max_age?: string;
  metadata?: Metadata;
  min_strength?: MinStrength;
  /**
   * The claimed phone number of the person, in international form with `+`. With a
   * publishable key, nothing is bound to it.
   */
  phone?: string;
  /** All of these must have been passed before. */
  required_methods?: Array<Method>;
  /** The redirect after success: `https`, or `http` for a loopback host. */
  return_url?: string;
  /** Sandbox organizations only: verifies the session immediately, with all events. */
  skip_verification?: boolean;
  /**
   * A reusable token that the person brings. Any text that is not a valid token gets
   * `vp_token_invalid`. Anyone who has a token can bring it, so pass the `email` or
   * `phone` that you have for the person. A token of another person is then noted in the
   * results and is a risk signal. If the workflow requires the same person, it gets
   * `vp_token_invalid`.
   */
  vp_token?: string;
}

/** A change of a session. */
export interface VerificationSessionEvent {
  created: Timestamp;
  data: {
    object: VerificationSessionSnapshot;
  };
  id: string;
  object: 'event';
  type: 
    | 'verification_session.created' | 'verification_session.verified'
    | 'verification_session.failed' | 'verification_session.cancelled'
    | 'verification_session.expired';
}

/** A session in an event. */
export interface VerificationSessionSnapshot {
  /**
   * The tier that the session requires from its creation on: the higher of the workflow's
   * tier and that of the law. It says nothing about the person until `status` is
   * `verified`. A session that fails, is cancelled or expires keeps its tier, unproven. A
   * verified session met it by the evidence (`verification_result.age_verified` of the
   * event), by a reused credential (`verification_path`) or by a reviewer's approval.
   * Null: no age is required.
   */
  age_tier: AgeTier | null;
  client_reference_id: string | null;
  completed_at: Timestamp | null;
  created: Timestamp;
  current_method: Method | null;
  id: string;
  jurisdiction: Jurisdiction | null;
  jurisdiction_audit_declared: Jurisdiction | null;
  jurisdiction_audit_ip_derived: Jurisdiction | null;
  /**
   * True if the declared jurisdiction and that of the IP address differ; null if one of
   * them is unknown.
   */
  jurisdiction_audit_mismatch: boolean | null;
  jurisdiction_audit_resolved: Jurisdiction | null;
  /** The input that determined the jurisdiction. */
  jurisdiction_audit_source: 'explicit' | 'geo_header' | 'ip_database' | 'workflow' | null;
  /** Why the session failed; null if it did not fail. */
  last_error: SessionError | null;
  /** False for sandbox organizations. */
  livemode: boolean;
  object: 'verification_session';
  status: SessionStatus;
  type: SessionType;
  /** How an alternative path satisfied the session; null for a fresh verification. */
  verification_path: 'credential_reuse' | 'vp_token' | 'trust_reuse' | 'sandbox' | null;
  /**
   * The result; null for a session that was never announced as verified or that a reviewer
   * rejected, which is not charged.
   */
  verification_result: VerificationResult | null;
  workflow_version_id: string;
  /** Only in test events. */
  test?: true;
}

/** A valid verification. */
export interface VerifiedPersonCredential {
  expires_at: IsoTime;
  method: UpperMethod;
  strength: UpperStrength;
  verified_at: IsoTime;
}

export interface VerifiedPersonLookup {
  /** Required unless `phone` is given. */
  email?: string;
  /** The highest age of the verification in days: `30`. */
  max_age?: string;
  /** All of these must have been passed. */
  methods?: Array<Method>;
  min_strength?: MinStrength;
  /** An international number with `+`. */
  phone?: string;
}

/** Whether a person was verified before. */
export interface VerifiedPersonLookupResult {
  /** Empty without a match. */
  credentials: Array<VerifiedPersonCredential>;
  object: 'verified_person_lookup';
  /** A credential meets all requirements of the request. */
  verified: boolean;
  verified_person_id: string | null;
}

/** The delivery of one event to one endpoint. Each attempt changes this record. */
export interface WebhookDelivery {
  /** The number of attempts made. */
  attempt: number;
  /** When the event was created, also for deliveries that were recovered later. */
  created: Timestamp;
  delivered_at: Timestamp | null;
  event_id: string;
  event_type: EventType;
  id: string;
  /** Why the latest attempt failed. */
  last_error: {
    code: DeliveryError;
    message: string;
  } | null;
  max_attempts: number;
  /** Null during an attempt, and if no attempt follows. */
  next_attempt_at: Timestamp | null;
  object: 'webhook_delivery';
  request: {
    /** Null if the event is no longer stored. */
    body: string | null;
    /** Without the signature; empty before the first attempt. */
    headers: Record<string, string>;
    /** The address of the latest attempt; before the first attempt, that of the endpoint. */
    url: string | null;
  };
  /** The latest response; null if there is none yet. */
  response: {
    /** Its first 4 KiB. */
    body: string;
    duration_ms: number;
    headers: Record<string, string>;
    status_code: number;
  } | null;
  status: DeliveryStatus;
  updated: Timestamp;
  webhook_endpoint_id: string;
}

/** An endpoint that receives events. */
export interface WebhookEndpoint {
  application_id: string | null;
  /** Failed attempts since the last success. */
  consecutive_failures: number;
  created: Timestamp;
  description: string | null;
  /** Only `*` means all types but those of `workflow_law`, which have to be named. */
  enabled_events: Array<EventType | '*'>;
  /** When the first of these failures occurred. */
  failing_since: Timestamp | null;
  id: string;
  metadata: Metadata;
  name: string | null;
  /**
   * When the next failed delivery is retried; null if none is waiting or the endpoint is
   * disabled.
   */
  next_attempt_at: Timestamp | null;
  object: 'webhook_endpoint';
  /** A disabled endpoint receives no events. */
  status: 'enabled' | 'disabled';
  updated: Timestamp;
  url: string;
  /** Signs deliveries. Only in the responses to creation and rotation. */
  secret?: string;
}

export interface WebhookEndpointCreate {
  /** Types without duplicates, or only `*` for all types but those of `workflow_law`. */
  enabled_events: Array<EventType | '*'>;
  /**
   * A public `https` address. An IP address of a private, loopback, link-local or other
   * special network, or `localhost`, is refused (`parameter_invalid`, `param` `url`). A
   * host name is checked at every connection (`address_forbidden` in the delivery).
   */
  url: string;
  /** Operational notes. */
  description?: string | null;
  metadata?: Metadata;
  /** A display name. */
  name?: string | null;
}

/** Parameters that you omit stay unchanged. `metadata` is replaced as a whole. */
export interface WebhookEndpointUpdate {
  description?: string | null;
  /** Replaces the list. */
  enabled_events?: Array<EventType | '*'>;
  metadata?: Metadata;
  name?: string | null;
  /**
   * A disabled endpoint receives no events of that time. A delivery that becomes due then
   * fails with `endpoint_disabled` and can be retried.
   */
  status?: 'enabled' | 'disabled';
  /** As at creation. A new address is a new receiver: its failures are counted from zero. */
  url?: string;
}

/**
 * The law of a workflow changes within 90 days, or its review is overdue. Sent once for a
 * workflow, jurisdiction and day, to endpoints of live organizations that name the type
 * and are for all applications.
 */
export interface WorkflowLawEvent {
  created: Timestamp;
  data: {
    object: WorkflowLawNotice;
  };
  id: string;
  object: 'event';
  type: 'workflow_law.changes' | 'workflow_law.review_due';
}

/**
 * What the operator of a workflow should know about its law. The compliance check with
 * `as_of` tells what the law says on a day.
 */
export interface WorkflowLawNotice {
  day: string;
  jurisdiction: Jurisdiction;
  /** `change`: the law changes on `day`. `review`: the review of its rule was due on `day`. */
  notice: 'change' | 'review';
  object: 'workflow_law_notice';
  use_case: UseCase;
  workflow_id: string;
  /** The published version. */
  workflow_version_id: string;
  /** Only in test events. */
  test?: true;
}

/** A method for each operation that a server calls. */
export class Operations {
  /**
   * Cancel a session.
   * Cancels an open session, including one under review. The operator keeps the record of
   * the review. If the session is already cancelled, it is returned unchanged and no
   * second event is sent. If the session was announced as `verified` before it was
   * flagged, the verification still counts. If a method's evidence had passed, the cancel
   * counts as one verification. An operator cannot end a review that another reviewer has
   * claimed, or one that the operator opened by flagging the session.
   */
  cancelVerificationSession(id: string, options?: WriteOptions): Promise<VerificationSession>;

  /**
   * Look up the rules for product types.
   * Returns the rules of a jurisdiction for product types. The response is informational
   * and enforces nothing.
   */
  checkCompliance(params: CheckComplianceParams, options?: RequestOptions): Promise<ComplianceCheck>;

  /**
   * Create a session.
   * Starts a verification in a published workflow and returns the session with its
   * `client_secret`, which no later response contains. A live organization needs an
   * enabled webhook endpoint first. If the workflow accepts trust reuse and the
   * application takes part in it, each creation with an `email` counts as a lookup of a
   * person verified elsewhere, with or without a match. Beyond the server's hourly and
   * daily limits for these lookups, the response is 429 `accept_existing_rate_limited`
   * with `Retry-After`. Each match is charged as a verification, and the person is
   * notified by email. Creation with a publishable key is deprecated.
   */
  createVerificationSession(params: VerificationSessionCreate, options?: WriteOptions): Promise<VerificationSession>;

  /**
   * Create an endpoint.
   * Creates a webhook endpoint. The response contains the signing secret, once.
   */
  createWebhookEndpoint(params: WebhookEndpointCreate, options?: WriteOptions): Promise<WebhookEndpoint>;

  /**
   * Delete an endpoint.
   * Deletes a webhook endpoint and ends its pending deliveries.
   */
  deleteWebhookEndpoint(id: string, options?: RequestOptions): Promise<DeletedWebhookEndpoint>;

  /**
   * Flag a session for review.
   * Places a verified session under review. Neither grant nor deny access until a review
   * event resolves it. The verification still counts unless a reviewer rejects it.
   */
  flagVerificationSession(id: string, params?: SessionFlag, options?: WriteOptions): Promise<VerificationSession>;

  /**
   * List events.
   * Returns events, newest first. They are kept for 30 days unless the operator sets
   * another time.
   */
  listEvents(params?: ListEventsParams, options?: RequestOptions): List<Event>;

  /**
   * List grants.
   * Returns the grants of all applications of the organization, so the key must be
   * organization-wide.
   */
  listTrustReuseGrants(params?: ListTrustReuseGrantsParams, options?: RequestOptions): List<TrustReuseGrant>;

  /**
   * List sessions.
   * Returns the sessions of your organization, newest first.
   */
  listVerificationSessions(params?: ListVerificationSessionsParams, options?: RequestOptions): List<VerificationSession>;

  /**
   * List deliveries.
   * Returns the deliveries to an endpoint, newest first.
   */
  listWebhookDeliveries(id: string, params?: ListWebhookDeliveriesParams, options?: RequestOptions): List<WebhookDelivery>;

  /**
   * List endpoints.
   * Returns the webhook endpoints, newest first, without their signing secrets.
   */
  listWebhookEndpoints(params?: ListWebhookEndpointsParams, options?: RequestOptions): List<WebhookEndpoint>;

  /**
   * Look up a verified person.
   * Reports whether this organization has verified the person with this email address or
   * phone number. Both are identifiers and do not prove who is asking. Use the result
   * directly only for a user who is logged in to your service.
   */
  lookUpVerifiedPerson(params?: VerifiedPersonLookup, options?: WriteOptions): Promise<VerifiedPersonLookupResult>;

  /**
   * Retrieve an event.
   * Returns an event.
   */
  retrieveEvent(id: string, options?: RequestOptions): Promise<Event>;

  /**
   * Retrieve an assessment.
   * Returns an assessment as it was computed, either by a request or by the passive checks
   * of a session. The items of passive checks in the session's `results` name their
   * assessment. Assessments are kept for 90 days by default.
   */
  retrieveRiskAssessment(id: string, options?: RequestOptions): Promise<RiskAssessment>;

  /**
   * Retrieve the settings.
   * Returns the settings of the key's application, or the defaults if none were set.
   */
  retrieveTrustReuseSettings(options?: RequestOptions): Promise<TrustReuseSettings>;

  /**
   * Retrieve a session.
   * Returns a session. With a publishable key, also send the session's client secret in
   * `X-Service-Session-Secret`.
   */
  retrieveVerificationSession(id: string, params?: RetrieveVerificationSessionParams, options?: RequestOptions): Promise<VerificationSession>;

  /**
   * Retrieve a delivery.
   * Returns the current state of a delivery.
   */
  retrieveWebhookDelivery(id: string, deliveryId: string, options?: RequestOptions): Promise<WebhookDelivery>;

  /**
   * Retrieve an endpoint.
   * Returns a webhook endpoint without its signing secret.
   */
  retrieveWebhookEndpoint(id: string, options?: RequestOptions): Promise<WebhookEndpoint>;

  /**
   * Retry a delivery.
   * Queues the delivery immediately, with the same id and whatever its status. The count
   * of attempts restarts, and the latest response is cleared.
   */
  retryWebhookDelivery(id: string, deliveryId: string, options?: WriteOptions): Promise<WebhookDelivery>;

  /**
   * Revoke a grant.
   * Ends the reuse of that person's verification. Sessions that the grant verified stay
   * verified. A grant that is already revoked is returned unchanged.
   */
  revokeTrustReuseGrant(id: string, options?: RequestOptions): Promise<TrustReuseGrant>;

  /**
   * Rotate the signing secret.
   * Replaces the signing secret immediately: deliveries are no longer signed with the old
   * secret. The response contains the new secret, once.
   */
  rotateWebhookSecret(id: string, options?: WriteOptions): Promise<WebhookEndpoint>;

  /**
   * Score a risk.
   * Computes a risk assessment. At least one of `ip`, `email`, `phone` and `device_id` is
   * required. The service stores these only as keyed hashes. With `session_id`, the
   * `risk_tier` of the session rises to the level of the assessment.
   */
  scoreRisk(params?: RiskScore, options?: WriteOptions): Promise<RiskAssessment>;

  /**
   * Send a test event.
   * Sends a complete sample event to this endpoint only, whatever event types the endpoint
   * subscribes to. `data.object` has the additional member `test`. The default type is
   * `verification_session.verified`. Retrieve the delivery for its outcome.
   */
  sendTestEvent(id: string, params?: TestEventRequest, options?: WriteOptions): Promise<TestEvent>;

  /**
   * Set a test outcome.
   * Sets the result of a step of a sandbox session without evidence, so that you can test
   * an integration by hand or automatically. The session continues with the same events as
   * if a person had shown the evidence. If nobody has opened the session yet, this call
   * opens it. `value` is one of: `passed`; a code of `FailureCode`, which makes the step
   * fail; a code of `Hint`, which asks the person again (`requires_input`) and uses no
   * attempt; `undetermined`, for which the workflow's `on_undetermined` decides what
   * follows (`under_review` by default); and for a session under review `review_approved`
   * or `review_rejected`. The steps of a workflow run in sequence: repeat the call for
   * each step. The result is never shared with other organizations. In a live
   * organization, the response is 400.
   */
  setTestOutcome(id: string, params: TestOutcome, options?: WriteOptions): Promise<VerificationSession>;

  /**
   * Update the settings.
   * Changes the parameters that you pass and keeps the others. To switch `enabled` on,
   * also pass `accept_liability`.
   */
  updateTrustReuseSettings(params?: TrustReuseSettingsUpdate, options?: RequestOptions): Promise<TrustReuseSettings>;

  /**
   * Update an endpoint.
   * Changes the parameters that you pass and keeps the others. A `metadata` object or an
   * `enabled_events` list replaces the previous one.
   */
  updateWebhookEndpoint(id: string, params?: WebhookEndpointUpdate, options?: WriteOptions): Promise<WebhookEndpoint>;
}
