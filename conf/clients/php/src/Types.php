<?php
// SPDX-License-Identifier: Apache-2.0
// Generated from the description of the API by scripts/api-clients.

declare(strict_types=1);

namespace ModVerify;

/**
 * The shapes of parameters and results, for static analysis:
 * `@phpstan-import-type VerificationSession from Types`.
 *
 * @phpstan-type CheckComplianceParams array{
 *     use_cases: string,
 *     article?: string,
 *     as_of?: string,
 *     channel?: string,
 *     jurisdiction?: string,
 * }
 * @phpstan-type ListEventsParams array{
 *     created_gte?: int,
 *     created_lt?: int,
 *     ending_before?: string,
 *     limit?: int,
 *     object_id?: string,
 *     starting_after?: string,
 *     type?: EventType,
 * }
 * @phpstan-type ListTrustReuseGrantsParams array{
 *     ending_before?: string,
 *     limit?: int,
 *     starting_after?: string,
 * }
 * @phpstan-type ListVerificationSessionsParams array{
 *     client_reference_id?: string,
 *     created_gte?: int,
 *     created_lt?: int,
 *     ending_before?: string,
 *     expand?: list<'workflow'>,
 *     limit?: int,
 *     risk_tier?: 'clear'|'review'|'block'|'bot',
 *     search?: string,
 *     starting_after?: string,
 *     status?: SessionStatus,
 *     workflow_id?: string,
 * }
 * @phpstan-type ListWebhookDeliveriesParams array{
 *     ending_before?: string,
 *     event_type?: EventType,
 *     limit?: int,
 *     starting_after?: string,
 *     status?: DeliveryStatus,
 * }
 * @phpstan-type ListWebhookEndpointsParams array{
 *     ending_before?: string,
 *     limit?: int,
 *     starting_after?: string,
 * }
 * @phpstan-type RetrieveVerificationSessionParams array{
 *     expand?: list<'results'|'document'|'workflow'>,
 * }
 * @phpstan-type AgeTier 'min_age_13'|'min_age_16'|'min_age_18'|'min_age_21'
 * @phpstan-type Article string
 * @phpstan-type Assurance 'decoded'|'consistent'|'signed'|'signed_and_present'
 * @phpstan-type Attestation array{
 *     language: string,
 *     name: string,
 *     sha256: string,
 *     version: string,
 * }
 * @phpstan-type Channel 'in_person'|'remote'|null
 * @phpstan-type CheckName string
 * @phpstan-type CheckReason string
 * @phpstan-type ComplianceCheck array{
 *     article: Article|null,
 *     as_of: string,
 *     channel: Channel,
 *     disclaimer: string,
 *     jurisdiction: Jurisdiction,
 *     jurisdiction_source: 'explicit'|'auto_detected',
 *     most_restrictive: array{
 *         allowed_methods: list<Method>,
 *         any_prohibited: bool,
 *         any_unknown: bool,
 *         consent_required: bool|null,
 *         data_retention_days: int|null,
 *         prohibited_use_cases: list<UseCase>,
 *         required_age: int|null,
 *         required_age_tier: AgeTier|null,
 *         unknown_use_cases: list<UseCase>,
 *     },
 *     object: 'compliance_check',
 *     results: list<ComplianceResult>,
 * }
 * @phpstan-type ComplianceResult array{
 *     allowed_methods: list<Method>,
 *     born_before: string|null,
 *     civil_age: int|null,
 *     confidence: 'high'|'medium'|'low',
 *     consent_age: int|null,
 *     consent_required: bool|null,
 *     credential_validity_days: int,
 *     credential_validity_minutes: int|null,
 *     data_retention_days: int|null,
 *     governing_regulator: string|null,
 *     in_force_from: string|null,
 *     in_force_until: string|null,
 *     jurisdiction: Jurisdiction,
 *     known: bool,
 *     mdl_acceptance_status: MdlAcceptance,
 *     note: string|null,
 *     parental_consent_from: int|null,
 *     penalty_description: string|null,
 *     penalty_type: 'CIVIL'|'CRIMINAL'|'BOTH'|null,
 *     physical_check_required: bool,
 *     prohibited: bool,
 *     prohibited_reason: string|null,
 *     required_age: int|null,
 *     required_age_tier: AgeTier|null,
 *     rule_version: string|null,
 *     use_case: UseCase,
 *     articles?: array<string, mixed>,
 *     channels?: array<string, mixed>,
 * }
 * @phpstan-type DecisionEvidence array{
 *     decided_at: Timestamp,
 *     decided_by: string,
 *     note: string|null,
 *     reason_code: string|null,
 *     overruled_checks?: list<string>|null,
 * }
 * @phpstan-type DeletedWebhookEndpoint array{
 *     deleted: true,
 *     id: string,
 *     object: 'webhook_endpoint',
 * }
 * @phpstan-type DeliveryError 'dns_error'|'connection_refused'|'tls_error'|'timeout'|'address_forbidden'|'response_too_large'|'http_status'|'endpoint_disabled'
 * @phpstan-type DeliveryStatus 'delivered'|'failed'|'pending'
 * @phpstan-type ErrorCode string
 * @phpstan-type ErrorType 'invalid_request_error'|'authentication_error'|'rate_limit_error'|'api_error'
 * @phpstan-type Event VerificationSessionEvent|SessionReviewEvent|TrustReuseGrantEvent|TrustReuseConsentEvent|WorkflowLawEvent
 * @phpstan-type EventType 'verification_session.created'|'verification_session.verified'|'verification_session.failed'|'verification_session.cancelled'|'verification_session.expired'|'session_review.flagged'|'session_review.approved'|'session_review.rejected'|'session_review.escalated'|'trust_reuse_grant.created'|'trust_reuse_grant.revoked'|'trust_reuse_consent.revoked_by_user'|'workflow_law.changes'|'workflow_law.review_due'
 * @phpstan-type FailureCode string
 * @phpstan-type Hint string
 * @phpstan-type IsoTime string
 * @phpstan-type Jurisdiction string
 * @phpstan-type MdlAcceptance 'full'|'supplementary'|'not_recognized'|'unknown'
 * @phpstan-type Metadata array<string, string>
 * @phpstan-type Method 'mdl'|'document_capture'|'nfc_passport'|'selfie_liveness'|'selfie_match'|'self_attestation'|'ip_analysis'|'device_risk'|'geolocation'|'mid'|'eudi_pid'|'facial_age'|'carrier_lookup'|'open_banking'|'parental_consent'|'student'|'wallet_pass'
 * @phpstan-type MinStrength 'self_attestation'|'facial_age'|'carrier_lookup'|'open_banking'|'document_capture'|'mdl'|'mid'|'eudi_pid'|'nfc_passport'|'selfie_liveness'|'selfie_match'|'parental_consent'|'student'
 * @phpstan-type RiskAssessment array{
 *     created: Timestamp,
 *     id: string,
 *     object: 'risk_assessment',
 *     reasons: list<string>,
 *     recommendation: 'allow'|'review'|'block',
 *     risk_level: 'low'|'medium'|'high',
 *     risk_score: int,
 *     signal_details: list<RiskSignal>,
 *     triggered_signals: list<RiskSignalName>,
 * }
 * @phpstan-type RiskScore array{
 *     claimed_country?: string,
 *     device_id?: string,
 *     doc_country?: string,
 *     doc_region?: string,
 *     email?: string,
 *     ip?: string,
 *     phone?: string,
 *     required_jurisdiction?: string,
 *     session_id?: string,
 *     user_agent?: string,
 * }
 * @phpstan-type RiskSignal array{
 *     metadata: array<string, mixed>,
 *     name: RiskSignalName,
 *     points: int,
 *     reason: string,
 *     triggered: bool,
 * }
 * @phpstan-type RiskSignalName string
 * @phpstan-type SessionCheck array{
 *     name: CheckName,
 *     passed: bool,
 *     reason: CheckReason|null,
 *     result?: 'passed'|'failed'|'undetermined',
 * }
 * @phpstan-type SessionCompliance array{
 *     age_tier: AgeTier|null,
 *     as_of: string|null,
 *     governing_regulator: string|null,
 *     jurisdiction: Jurisdiction|null,
 *     mdl_acceptance_status: MdlAcceptance,
 *     mdl_legally_recognized: bool,
 *     physical_check_required: bool,
 *     rule_version: string|null,
 *     user_message: string|null,
 * }
 * @phpstan-type SessionError array{
 *     category: 'verification_declined'|'technical_error'|null,
 *     code: FailureCode,
 *     message: string|null,
 * }
 * @phpstan-type SessionFlag array{
 *     reason?: string|null,
 * }
 * @phpstan-type SessionResult array{
 *     checks: list<SessionCheck>,
 *     completed_at: Timestamp,
 *     error_code: FailureCode|null,
 *     hint: Hint|null,
 *     method: Method|'vp_token',
 *     status: 'passed'|'failed'|'undetermined'|'unreadable'|'low'|'medium'|'high',
 *     assurance?: Assurance|null,
 *     credential_hash?: string,
 *     risk_assessment_id?: string,
 *     statement?: Attestation,
 * }
 * @phpstan-type SessionReview array{
 *     client_reference_id: string|null,
 *     deadline_at: Timestamp,
 *     decision_evidence: DecisionEvidence|null,
 *     livemode: bool,
 *     object: 'session_review',
 *     opened_at: Timestamp,
 *     reason: string|null,
 *     session_id: string,
 *     status: 'flagged'|'approved'|'rejected'|'escalated',
 *     workflow_version_id: string|null,
 *     test?: true,
 * }
 * @phpstan-type SessionReviewEvent array{
 *     created: Timestamp,
 *     data: array{
 *         object: SessionReview,
 *     },
 *     id: string,
 *     object: 'event',
 *     type: 'session_review.flagged'|'session_review.approved'|'session_review.rejected'|'session_review.escalated',
 * }
 * @phpstan-type SessionStatus 'created'|'pending'|'processing'|'requires_input'|'under_review'|'verified'|'failed'|'cancelled'|'expired'
 * @phpstan-type SessionType 'identity'|'age'|'student'
 * @phpstan-type TestEvent array{
 *     created: Timestamp,
 *     delivery_id: string,
 *     id: string,
 *     object: 'event',
 *     type: EventType,
 * }
 * @phpstan-type TestEventRequest array{
 *     event_type?: EventType,
 * }
 * @phpstan-type TestOutcome array{
 *     value: string,
 *     final?: bool,
 *     method?: string,
 * }
 * @phpstan-type Timestamp int
 * @phpstan-type TrustReuseConsent array{
 *     object: 'trust_reuse_consent',
 *     revoked_at: IsoTime,
 *     revoked_reason: 'USER_REVOKED_CONSENT',
 *     source_org_id: string,
 *     target_org_id: string,
 *     verified_person_id: string,
 *     test?: true,
 * }
 * @phpstan-type TrustReuseConsentEvent array{
 *     created: Timestamp,
 *     data: array{
 *         object: TrustReuseConsent,
 *     },
 *     id: string,
 *     object: 'event',
 *     type: 'trust_reuse_consent.revoked_by_user',
 * }
 * @phpstan-type TrustReuseGrant array{
 *     age_tier: 'MIN_AGE_13'|'MIN_AGE_16'|'MIN_AGE_18'|'MIN_AGE_21'|null,
 *     expires_at: IsoTime,
 *     granted_at: IsoTime,
 *     id: string,
 *     method: UpperMethod,
 *     object: 'trust_reuse_grant',
 *     revoked_at: IsoTime|null,
 *     revoked_reason: 'USER_REVOKED'|'USER_REVOKED_CONSENT'|'ERASURE_REQUEST'|'TARGET_OPERATOR_REVOKED'|'SOURCE_CREDENTIAL_REVOKED'|null,
 *     session_id: string,
 *     source_org_id: string,
 *     strength: UpperStrength,
 *     target_org_id: string,
 *     verified_person_id: string,
 *     test?: true,
 * }
 * @phpstan-type TrustReuseGrantEvent array{
 *     created: Timestamp,
 *     data: array{
 *         object: TrustReuseGrant,
 *     },
 *     id: string,
 *     object: 'event',
 *     type: 'trust_reuse_grant.created'|'trust_reuse_grant.revoked',
 * }
 * @phpstan-type TrustReuseSettings array{
 *     accepted_methods: list<Method>,
 *     application_id: string,
 *     enabled: bool,
 *     max_age_days: int,
 *     object: 'trust_reuse_settings',
 *     require_same_jurisdiction: bool,
 *     updated: Timestamp|null,
 * }
 * @phpstan-type TrustReuseSettingsUpdate array{
 *     accept_liability?: bool,
 *     accepted_methods?: list<Method>,
 *     enabled?: bool,
 *     max_age_days?: int,
 *     require_same_jurisdiction?: bool,
 * }
 * @phpstan-type UpperMethod 'MDL'|'DOCUMENT_CAPTURE'|'NFC_PASSPORT'|'SELFIE_LIVENESS'|'SELFIE_MATCH'|'SELF_ATTESTATION'|'IP_ANALYSIS'|'DEVICE_RISK'|'GEOLOCATION'|'MID'|'EUDI_PID'|'FACIAL_AGE'|'CARRIER_LOOKUP'|'OPEN_BANKING'|'PARENTAL_CONSENT'|'STUDENT'|'WALLET_PASS'
 * @phpstan-type UpperStrength 'SELF_ATTESTATION'|'FACIAL_AGE'|'CARRIER_LOOKUP'|'OPEN_BANKING'|'DOCUMENT_CAPTURE'|'MDL'|'MID'|'EUDI_PID'
 * @phpstan-type UseCase 'alcohol_delivery'|'alcohol_in_person'|'cannabis_dispensary'|'cannabis_delivery'|'gambling_online'|'gambling_in_person'|'tobacco_nicotine'|'adult_content'|'social_media'|'firearms'
 * @phpstan-type VerificationResult array{
 *     age_estimate: int|float,
 *     age_verified: bool,
 *     confidence: int|float,
 *     identity_verified: bool,
 *     liveness_score: int|float,
 *     method: Method,
 *     assurance?: Assurance,
 *     barcode_cross_ref_match?: bool,
 *     chip_active_auth_passed?: bool,
 *     chip_passive_auth_passed?: bool,
 *     face_match_passed?: bool,
 *     liveness?: array{
 *         assurance: 'basic'|'provider',
 *         challenge: int|float,
 *         continuity: int|float,
 *         light: int|float,
 *         passed: bool,
 *         presence: int|float,
 *         timing: int|float,
 *         provider?: array{
 *             evaluation: array{
 *                 laboratory: string,
 *                 level: string,
 *                 standard: string,
 *                 valid_until: string,
 *             }|null,
 *             name: string,
 *             score: int|float|null,
 *             version: string,
 *         },
 *     },
 *     portrait_source?: 'chip'|'mdoc'|'document_portrait'|null,
 *     reviewed?: bool,
 * }
 * @phpstan-type VerificationSession array{
 *     active_device: 'mobile'|null,
 *     age_tier: AgeTier|null,
 *     cancel_url: string|null,
 *     cancelled_at: Timestamp|null,
 *     client_reference_id: string|null,
 *     client_secret: string|null,
 *     completed_at: Timestamp|null,
 *     compliance: SessionCompliance|null,
 *     created: Timestamp,
 *     current_method: Method|null,
 *     device_locked_at: Timestamp|null,
 *     expires_at: Timestamp,
 *     id: string,
 *     jurisdiction: Jurisdiction|null,
 *     jurisdiction_audit_declared: Jurisdiction|null,
 *     jurisdiction_audit_ip_derived: Jurisdiction|null,
 *     jurisdiction_audit_mismatch: bool|null,
 *     jurisdiction_audit_resolved: Jurisdiction|null,
 *     jurisdiction_audit_source: 'explicit'|'geo_header'|'ip_database'|'workflow'|null,
 *     metadata: Metadata,
 *     methods: list<Method>,
 *     object: 'verification_session',
 *     physical_check_required: bool,
 *     requires_email_otp: bool,
 *     return_url: string|null,
 *     status: SessionStatus,
 *     type: SessionType,
 *     updated: Timestamp,
 *     user_message: string|null,
 *     verification_path: 'credential_reuse'|'vp_token'|'trust_reuse'|'sandbox'|null,
 *     consent?: array{
 *         agreed_at: Timestamp,
 *         text_version: string|null,
 *     }|null,
 *     document?: array{
 *         expires_on: string|null,
 *         jurisdiction: Jurisdiction|null,
 *     }|null,
 *     ip_jurisdiction?: Jurisdiction|null,
 *     jurisdiction_mismatch?: bool,
 *     last_error?: SessionError,
 *     results?: list<SessionResult>,
 *     url?: string,
 *     workflow_id?: string,
 * }
 * @phpstan-type VerificationSessionCreate array{
 *     type: SessionType,
 *     workflow_id: string,
 *     accept_existing?: bool,
 *     cancel_url?: string,
 *     captcha_token?: string,
 *     client_reference_id?: string,
 *     credential_hash?: string,
 *     custom_user_message?: string,
 *     delivery_jurisdiction?: string,
 *     email?: string,
 *     jurisdiction?: string,
 *     locale?: string,
 *     max_age?: string,
 *     metadata?: Metadata,
 *     min_strength?: MinStrength,
 *     phone?: string,
 *     required_methods?: list<Method>,
 *     return_url?: string,
 *     skip_verification?: bool,
 *     vp_token?: string,
 * }
 * @phpstan-type VerificationSessionEvent array{
 *     created: Timestamp,
 *     data: array{
 *         object: VerificationSessionSnapshot,
 *     },
 *     id: string,
 *     object: 'event',
 *     type: 'verification_session.created'|'verification_session.verified'|'verification_session.failed'|'verification_session.cancelled'|'verification_session.expired',
 * }
 * @phpstan-type VerificationSessionSnapshot array{
 *     age_tier: AgeTier|null,
 *     client_reference_id: string|null,
 *     completed_at: Timestamp|null,
 *     created: Timestamp,
 *     current_method: Method|null,
 *     id: string,
 *     jurisdiction: Jurisdiction|null,
 *     jurisdiction_audit_declared: Jurisdiction|null,
 *     jurisdiction_audit_ip_derived: Jurisdiction|null,
 *     jurisdiction_audit_mismatch: bool|null,
 *     jurisdiction_audit_resolved: Jurisdiction|null,
 *     jurisdiction_audit_source: 'explicit'|'geo_header'|'ip_database'|'workflow'|null,
 *     last_error: SessionError|null,
 *     livemode: bool,
 *     object: 'verification_session',
 *     status: SessionStatus,
 *     type: SessionType,
 *     verification_path: 'credential_reuse'|'vp_token'|'trust_reuse'|'sandbox'|null,
 *     verification_result: VerificationResult|null,
 *     workflow_version_id: string,
 *     test?: true,
 * }
 * @phpstan-type VerifiedPersonCredential array{
 *     expires_at: IsoTime,
 *     method: UpperMethod,
 *     strength: UpperStrength,
 *     verified_at: IsoTime,
 * }
 * @phpstan-type VerifiedPersonLookup array{
 *     email?: string,
 *     max_age?: string,
 *     methods?: list<Method>,
 *     min_strength?: MinStrength,
 *     phone?: string,
 * }
 * @phpstan-type VerifiedPersonLookupResult array{
 *     credentials: list<VerifiedPersonCredential>,
 *     object: 'verified_person_lookup',
 *     verified: bool,
 *     verified_person_id: string|null,
 * }
 * @phpstan-type WebhookDelivery array{
 *     attempt: int,
 *     created: Timestamp,
 *     delivered_at: Timestamp|null,
 *     event_id: string,
 *     event_type: EventType,
 *     id: string,
 *     last_error: array{
 *         code: DeliveryError,
 *         message: string,
 *     }|null,
 *     max_attempts: int,
 *     next_attempt_at: Timestamp|null,
 *     object: 'webhook_delivery',
 *     request: array{
 *         body: string|null,
 *         headers: array<string, string>,
 *         url: string|null,
 *     },
 *     response: array{
 *         body: string,
 *         duration_ms: int,
 *         headers: array<string, string>,
 *         status_code: int,
 *     }|null,
 *     status: DeliveryStatus,
 *     updated: Timestamp,
 *     webhook_endpoint_id: string,
 * }
 * @phpstan-type WebhookEndpoint array{
 *     application_id: string|null,
 *     consecutive_failures: int,
 *     created: Timestamp,
 *     description: string|null,
 *     enabled_events: list<EventType|'*'>,
 *     failing_since: Timestamp|null,
 *     id: string,
 *     metadata: Metadata,
 *     name: string|null,
 *     next_attempt_at: Timestamp|null,
 *     object: 'webhook_endpoint',
 *     status: 'enabled'|'disabled',
 *     updated: Timestamp,
 *     url: string,
 *     secret?: string,
 * }
 * @phpstan-type WebhookEndpointCreate array{
 *     enabled_events: list<EventType|'*'>,
 *     url: string,
 *     description?: string|null,
 *     metadata?: Metadata,
 *     name?: string|null,
 * }
 * @phpstan-type WebhookEndpointUpdate array{
 *     description?: string|null,
 *     enabled_events?: list<EventType|'*'>,
 *     metadata?: Metadata,
 *     name?: string|null,
 *     status?: 'enabled'|'disabled',
 *     url?: string,
 * }
 * @phpstan-type WorkflowLawEvent array{
 *     created: Timestamp,
 *     data: array{
 *         object: WorkflowLawNotice,
 *     },
 *     id: string,
 *     object: 'event',
 *     type: 'workflow_law.changes'|'workflow_law.review_due',
 * }
 * @phpstan-type WorkflowLawNotice array{
 *     day: string,
 *     jurisdiction: Jurisdiction,
 *     notice: 'change'|'review',
 *     object: 'workflow_law_notice',
 *     use_case: UseCase,
 *     workflow_id: string,
 *     workflow_version_id: string,
 *     test?: true,
 * }
 */
interface Types
{
}
