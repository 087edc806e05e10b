# SPDX-License-Identifier: Apache-2.0
# Generated from the description of the API by scripts/api-clients.
"""The parameters and results of operations."""
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

# Age tiers in rising order. A higher tier satisfies a lower one.
AgeTier = Literal["min_age_13", "min_age_16", "min_age_18", "min_age_21"]
# A kind of a product that the law may treat differently: for alcohol beer, wine and
# spirits; for tobacco cigarette and vape; for gambling lottery, betting and casino; for
# firearms handgun and long_gun; for cannabis medical and adult_use.
Article = str
# What evidence is worth, weakest first: a code was read; two codes of one document
# agree; the issuer's signature was verified; the same, and a live person matched.
Assurance = Literal["decoded", "consistent", "signed", "signed_and_present"]
# How a product is sold; null: not requested.
Channel = Optional[Literal["in_person", "remote"]]
# The name of a check. Codes are stable; new ones may be added.
CheckName = str
# Why a check did not pass. If several did not, `last_error` is that of the first one in
# this order. Codes are stable; new ones may be added.
CheckReason = str
# Why an attempt failed.
DeliveryError = Literal[
    "dns_error", "connection_refused", "tls_error", "timeout", "address_forbidden",
    "response_too_large", "http_status", "endpoint_disabled",
]
# `failed` is final but can be retried manually.
DeliveryStatus = Literal["delivered", "failed", "pending"]
# The stable code of an error; branch on it. New codes may be added.
ErrorCode = str
ErrorType = Literal[
    "invalid_request_error", "authentication_error", "rate_limit_error", "api_error",
]
# The type of an event. An endpoint gets `workflow_law.changes` and
# `workflow_law.review_due` only if it names them; `*` does not include them.
EventType = Literal[
    "verification_session.created", "verification_session.verified",
    "verification_session.failed", "verification_session.cancelled",
    "verification_session.expired", "session_review.flagged", "session_review.approved",
    "session_review.rejected", "session_review.escalated", "trust_reuse_grant.created",
    "trust_reuse_grant.revoked", "trust_reuse_consent.revoked_by_user",
    "workflow_law.changes", "workflow_law.review_due",
]
# Why a session or a submission did not succeed. Codes are stable; new ones may be
# added.
FailureCode = str
# What the person could do better. No attempt was used. Codes are stable; new ones may
# be added.
Hint = str
# ISO 8601 with milliseconds.
IsoTime = str
# A country (ISO 3166-1 alpha-2), optionally with its region: `DE`, `US-CA`. Regions of
# Australia, Canada and the United States must exist.
Jurisdiction = str
# How far the jurisdiction recognizes a mobile driver's license.
MdlAcceptance = Literal["full", "supplementary", "not_recognized", "unknown"]
# Up to 50 key-value pairs of your own. A key has 1 to 255 characters, a value up to
# 500.
Metadata = Dict[str, str]
# A verification method. The workflow and the jurisdiction of a session decide which
# methods it offers. `ip_analysis`, `device_risk` and `geolocation` are passive checks:
# they run without the person and prove nothing on their own. `ip_analysis` examines the
# kind of IP address, how many people came from it, whether somebody there was found to
# be too young, and whether it fits the declared location and the browser's clock.
# `device_risk` examines automation, how many people used the device, whether somebody
# using it was found to be too young, and whether the evidence belongs to another
# person. `geolocation` examines whether the address is within the session's
# jurisdiction.
Method = Literal[
    "mdl", "document_capture", "nfc_passport", "selfie_liveness", "selfie_match",
    "self_attestation", "ip_analysis", "device_risk", "geolocation", "mid", "eudi_pid",
    "facial_age", "carrier_lookup", "open_banking", "parental_consent", "student",
    "wallet_pass",
]
# A strength, or a method instead of the strength at which it counts.
MinStrength = Literal[
    "self_attestation", "facial_age", "carrier_lookup", "open_banking",
    "document_capture", "mdl", "mid", "eudi_pid", "nfc_passport", "selfie_liveness",
    "selfie_match", "parental_consent", "student",
]
# The name of a signal. New signals may be added.
RiskSignalName = str
# `verified`, `failed`, `cancelled` and `expired` are final. Only a `verified` session
# can change again, when it is flagged for review.
SessionStatus = Literal[
    "created", "pending", "processing", "requires_input", "under_review", "verified",
    "failed", "cancelled", "expired",
]
# What the session verifies.
SessionType = Literal["identity", "age", "student"]
# Unix time in seconds.
Timestamp = int
# A method in upper case.
UpperMethod = Literal[
    "MDL", "DOCUMENT_CAPTURE", "NFC_PASSPORT", "SELFIE_LIVENESS", "SELFIE_MATCH",
    "SELF_ATTESTATION", "IP_ANALYSIS", "DEVICE_RISK", "GEOLOCATION", "MID", "EUDI_PID",
    "FACIAL_AGE", "CARRIER_LOOKUP", "OPEN_BANKING", "PARENTAL_CONSENT", "STUDENT",
    "WALLET_PASS",
]
# A strength in upper case.
UpperStrength = Literal[
    "SELF_ATTESTATION", "FACIAL_AGE", "CARRIER_LOOKUP", "OPEN_BANKING",
    "DOCUMENT_CAPTURE", "MDL", "MID", "EUDI_PID",
]
# A product type.
UseCase = Literal[
    "alcohol_delivery", "alcohol_in_person", "cannabis_dispensary", "cannabis_delivery",
    "gambling_online", "gambling_in_person", "tobacco_nicotine", "adult_content",
    "social_media", "firearms",
]


class Attestation(TypedDict):
    """The statement that the person declared, at `completed_at`."""

    # A language tag.
    language: str
    name: str
    # The hash of the exact text in UTF-8.
    sha256: str
    version: str


class ComplianceCheckMostRestrictive(TypedDict):
    """All products together."""

    # Methods that are allowed for every product that is not prohibited.
    allowed_methods: List[Method]
    any_prohibited: bool
    # For at least one product, it is unknown whether it is lawful or from which age.
    any_unknown: bool
    # At least one product requires explicit consent; null: none is known to require it,
    # and for at least one it is unknown.
    consent_required: Optional[bool]
    # The shortest limit.
    data_retention_days: Optional[int]
    prohibited_use_cases: List[UseCase]
    required_age: Optional[int]
    required_age_tier: Optional[AgeTier]
    unknown_use_cases: List[UseCase]


class ComplianceCheck(TypedDict):
    """The rules for some product types in one jurisdiction."""

    article: Optional[Article]
    # The law of this day applies.
    as_of: str
    channel: Channel
    # States that the response is not legal advice.
    disclaimer: str
    jurisdiction: Jurisdiction
    jurisdiction_source: Literal["explicit", "auto_detected"]
    # All products together.
    most_restrictive: ComplianceCheckMostRestrictive
    object: Literal["compliance_check"]
    # In the order of the request.
    results: List[ComplianceResult]


class _ComplianceResult(TypedDict):
    allowed_methods: List[Method]
    # Additionally, only people born before this day are allowed. `required_age` is the
    # age of the youngest of them.
    born_before: Optional[str]
    # From this age, a person can enter into contracts alone. Does not restrict the
    # product.
    civil_age: Optional[int]
    # How certain the result is, based on its sources.
    confidence: Literal["high", "medium", "low"]
    # Below this age, a parent consents to data processing. Does not restrict the
    # product.
    consent_age: Optional[int]
    # Explicit consent is needed before data is processed; null: unknown.
    consent_required: Optional[bool]
    # The number of days after which a person must be verified again; 0: in less than a
    # day, see `credential_validity_minutes`.
    credential_validity_days: int
    # Set if the law allows less than a day.
    credential_validity_minutes: Optional[int]
    # The longest time that data of the check may be kept; 0: not at all; null: unknown.
    data_retention_days: Optional[int]
    governing_regulator: Optional[str]
    # The first day of the rule. Null: the first day was not established, and for days
    # long past the response is the known rule.
    in_force_from: Optional[str]
    # The day of the next enacted change.
    in_force_until: Optional[str]
    jurisdiction: Jurisdiction
    # It is established that the product is prohibited, or that it is lawful and from
    # which age, if any. False is not a permission: `VerifyComplianceUnknown` decides
    # what sessions do.
    known: bool
    mdl_acceptance_status: MdlAcceptance
    # Information that the other members cannot express.
    note: Optional[str]
    # From this age up to `required_age`, the law admits a person with a parent's
    # consent; null: nobody. Sessions require `required_age`.
    parental_consent_from: Optional[int]
    penalty_description: Optional[str]
    penalty_type: Optional[Literal["CIVIL", "CRIMINAL", "BOTH"]]
    physical_check_required: bool
    prohibited: bool
    prohibited_reason: Optional[str]
    # The exact age, if the law names one.
    required_age: Optional[int]
    required_age_tier: Optional[AgeTier]
    rule_version: Optional[str]
    use_case: UseCase


class ComplianceResult(_ComplianceResult, total=False):
    """The rule for one product type."""

    # Only without `article`: by article, the members of this result that differ for it.
    articles: Dict[str, Any]
    # Only without `channel`, and for product types with channels: `remote` with the
    # members that differ for remote sale.
    channels: Dict[str, Any]


class _DecisionEvidence(TypedDict):
    decided_at: Timestamp
    # The reviewer, or `system_timeout`.
    decided_by: str
    note: Optional[str]
    # The reason among those of the decision, such as `document_forged`; null: none was
    # given.
    reason_code: Optional[str]


class DecisionEvidence(_DecisionEvidence, total=False):
    """Who decided a review."""

    # The failed checks that an approval overrules; null: not stated, or another
    # decision.
    overruled_checks: Optional[List[str]]


class DeletedWebhookEndpoint(TypedDict):
    deleted: Literal[True]
    id: str
    object: Literal["webhook_endpoint"]


class RiskAssessment(TypedDict):
    """A risk score with its reasons. Advisory."""

    created: Timestamp
    id: str
    object: Literal["risk_assessment"]
    reasons: List[str]
    # `allow` for low, `review` for medium, `block` for high.
    recommendation: Literal["allow", "review", "block"]
    risk_level: Literal["low", "medium", "high"]
    risk_score: int
    signal_details: List[RiskSignal]
    triggered_signals: List[RiskSignalName]


class RiskScore(TypedDict, total=False):
    """The data to assess; at least one of `ip`, `email`, `phone`, `device_id`."""

    # ISO 3166 country, or country and region.
    claimed_country: str
    # A fingerprint or another stable identifier.
    device_id: str
    # The country of a presented document.
    doc_country: str
    # The region of that document. It only has an effect together with `doc_country`.
    doc_region: str
    email: str
    # IPv4 or IPv6.
    ip: str
    # E.164; separators are removed.
    phone: str
    # The jurisdiction in which the person must be.
    required_jurisdiction: str
    # The session whose risk tier this assessment can raise.
    session_id: str
    user_agent: str


class RiskSignal(TypedDict):
    """A signal that was evaluated."""

    # The data behind the signal; never an identifier. `persons` is capped at one above
    # its `limit`. With `points_alone`, the signal added fewer points than it would
    # alone: it shares a `cause`, the operator allowed the identifier (`allowed`), or
    # the signal is only recorded (`shadow`). In the last two cases, it is not
    # triggered.
    metadata: Dict[str, Any]
    name: RiskSignalName
    # The points that the signal added to the score; 0 if it did not fire. Signals with
    # the same cause count once, and then the points are fewer than
    # `metadata.points_alone`.
    points: int
    reason: str
    triggered: bool


class _SessionCheck(TypedDict):
    name: CheckName
    passed: bool
    # Why the check did not pass; null if it passed.
    reason: Optional[CheckReason]


class SessionCheck(_SessionCheck, total=False):
    """A check and its result."""

    # `undetermined` speaks neither for nor against the person: data that the check
    # needs was missing or unavailable. Older results may lack this member.
    result: Literal["passed", "failed", "undetermined"]


class SessionCompliance(TypedDict):
    """The rule that determined the session's age tier."""

    # The required tier, the same as `age_tier` of the session.
    age_tier: Optional[AgeTier]
    # The law of this day applies: the day of the creation, then that of the last
    # submission.
    as_of: Optional[str]
    governing_regulator: Optional[str]
    jurisdiction: Optional[Jurisdiction]
    mdl_acceptance_status: MdlAcceptance
    mdl_legally_recognized: bool
    physical_check_required: bool
    rule_version: Optional[str]
    user_message: Optional[str]


class SessionError(TypedDict):
    """Why a session failed."""

    category: Optional[Literal["verification_declined", "technical_error"]]
    code: FailureCode
    # Text for the applicant.
    message: Optional[str]


class SessionFlag(TypedDict, total=False):
    # For the reviewers.
    reason: Optional[str]


class _SessionResult(TypedDict):
    checks: List[SessionCheck]
    completed_at: Timestamp
    error_code: Optional[FailureCode]
    # Code of what the person could do better.
    hint: Optional[Hint]
    # `vp_token`: a token verified the session. Its check `vp_token_same_person` says
    # whether the session's email address and phone number belong to the token's person.
    # The check is missing if there is nothing to compare, or if the values came from a
    # browser and match.
    method: Union[Method, Literal["vp_token"]]
    # `undetermined`: nothing failed, but a check leaves a doubt, and the workflow
    # decides what follows. For a passive check: the risk level with which the session
    # continued.
    status: Literal[
        "passed", "failed", "undetermined", "unreadable", "low", "medium", "high",
    ]


class SessionResult(_SessionResult, total=False):
    """The result of a submission or a passive check, or the use of a VP token."""

    # What the evidence is worth. Null for unread evidence and for passive checks; older
    # results may lack this member.
    assurance: Optional[Assurance]
    # The hash of the credential that this result created. Pass it to reuse the
    # credential.
    credential_hash: str
    # Only for passive checks: the assessment with each signal. The checks of one step
    # share an assessment.
    risk_assessment_id: str
    statement: Attestation


class _SessionReview(TypedDict):
    client_reference_id: Optional[str]
    # If it is undecided at this time, it is rejected.
    deadline_at: Timestamp
    decision_evidence: Optional[DecisionEvidence]
    # False for sandbox organizations.
    livemode: bool
    object: Literal["session_review"]
    opened_at: Timestamp
    # Why it was flagged, or the doubt for which it is held: `document_reused`,
    # `undetermined`.
    reason: Optional[str]
    session_id: str
    status: Literal["flagged", "approved", "rejected", "escalated"]
    workflow_version_id: Optional[str]


class SessionReview(_SessionReview, total=False):
    """A review of a session."""

    # Only in test events.
    test: Literal[True]


class SessionReviewEventData(TypedDict):
    object: SessionReview


class SessionReviewEvent(TypedDict):
    """A session was held for review, or the review was decided. Grant or deny access
    only on the events of the session."""

    created: Timestamp
    data: SessionReviewEventData
    id: str
    object: Literal["event"]
    type: Literal[
        "session_review.flagged", "session_review.approved", "session_review.rejected",
        "session_review.escalated",
    ]


class TestEvent(TypedDict):
    created: Timestamp
    delivery_id: str
    id: str
    object: Literal["event"]
    type: EventType


class TestEventRequest(TypedDict, total=False):
    event_type: EventType


class _TestOutcome(TypedDict):
    # The test value.
    value: str


class TestOutcome(_TestOutcome, total=False):
    # For a code of `FailureCode`: uses all remaining attempts of the step instead of
    # one.
    final: bool
    # The method to set, one of the methods that the session currently asks for. The
    # default is the first of them.
    method: str


class _TrustReuseConsent(TypedDict):
    object: Literal["trust_reuse_consent"]
    revoked_at: IsoTime
    revoked_reason: Literal["USER_REVOKED_CONSENT"]
    # The organization that created the credential.
    source_org_id: str
    # The organization that accepted the credential.
    target_org_id: str
    verified_person_id: str


class TrustReuseConsent(_TrustReuseConsent, total=False):
    """A person's withdrawn consent to sharing."""

    # Only in test events.
    test: Literal[True]


class TrustReuseConsentEventData(TypedDict):
    object: TrustReuseConsent


class TrustReuseConsentEvent(TypedDict):
    """A person has stopped all sharing. Sent to every organization with a grant of
    the person."""

    created: Timestamp
    data: TrustReuseConsentEventData
    id: str
    object: Literal["event"]
    type: Literal["trust_reuse_consent.revoked_by_user"]


class _TrustReuseGrant(TypedDict):
    # What the credential proves: the tier that was reached when it was created.
    age_tier: Optional[Literal["MIN_AGE_13", "MIN_AGE_16", "MIN_AGE_18", "MIN_AGE_21"]]
    expires_at: IsoTime
    granted_at: IsoTime
    id: str
    method: UpperMethod
    object: Literal["trust_reuse_grant"]
    revoked_at: Optional[IsoTime]
    revoked_reason: Optional[Literal[
        "USER_REVOKED", "USER_REVOKED_CONSENT", "ERASURE_REQUEST",
        "TARGET_OPERATOR_REVOKED", "SOURCE_CREDENTIAL_REVOKED",
    ]]
    session_id: str
    # The organization that created the credential.
    source_org_id: str
    strength: UpperStrength
    # The organization that accepted the credential.
    target_org_id: str
    verified_person_id: str


class TrustReuseGrant(_TrustReuseGrant, total=False):
    """The acceptance of one organization's credential by another."""

    # Only in test events.
    test: Literal[True]


class TrustReuseGrantEventData(TypedDict):
    object: TrustReuseGrant


class TrustReuseGrantEvent(TypedDict):
    """A credential of another organization was accepted, or its acceptance was
    revoked."""

    created: Timestamp
    data: TrustReuseGrantEventData
    id: str
    object: Literal["event"]
    type: Literal["trust_reuse_grant.created", "trust_reuse_grant.revoked"]


class TrustReuseSettings(TypedDict):
    """How an application takes part in trust reuse."""

    # Primary methods; empty: those of the workflow.
    accepted_methods: List[Method]
    application_id: str
    # Off by default.
    enabled: bool
    # Credentials that were verified longer ago are refused.
    max_age_days: int
    object: Literal["trust_reuse_settings"]
    require_same_jurisdiction: bool
    updated: Optional[Timestamp]


class TrustReuseSettingsUpdate(TypedDict, total=False):
    """Any of the settings."""

    # Required as true whenever `enabled` changes from off to on; not stored.
    accept_liability: bool
    # Primary methods; empty: those of the workflow.
    accepted_methods: List[Method]
    # Off by default.
    enabled: bool
    # Credentials that were verified longer ago are refused.
    max_age_days: int
    require_same_jurisdiction: bool


class VerificationResultLivenessProviderEvaluation(TypedDict):
    """The test of its product that the provider states; null if it states none. Ask
    the test laboratory to confirm it."""

    laboratory: str
    level: str
    standard: str
    valid_until: str


class VerificationResultLivenessProvider(TypedDict):
    """Present if `assurance` is `provider`: the provider's own statements. Only
    their signature was verified."""

    # The test of its product that the provider states; null if it states none. Ask the
    # test laboratory to confirm it.
    evaluation: Optional[VerificationResultLivenessProviderEvaluation]
    name: str
    # The provider's own score; not part of `liveness_score`.
    score: Optional[float]
    version: str


class _VerificationResultLiveness(TypedDict):
    # `basic`: only this service's own check.
    assurance: Literal["basic", "provider"]
    # How far the head was turned as prompted; 0.5 passes.
    challenge: float
    # How similar the faces in the pictures are.
    continuity: float
    light: float
    passed: bool
    # The share of the pictures with one face.
    presence: float
    timing: float


class VerificationResultLiveness(_VerificationResultLiveness, total=False):
    """The result of the challenge in front of the camera. It is a basic check by
    this service: it meets no standard and is not certified. If the operator's
    provider (`VerifyLivenessProvider`) also passed it, `assurance` is `provider`,
    and `provider` contains the statements of its signed answer."""

    # Present if `assurance` is `provider`: the provider's own statements. Only their
    # signature was verified.
    provider: VerificationResultLivenessProvider


class _VerificationResult(TypedDict):
    # The lowest age in completed years that the evidence proves, or 0 if it shows no
    # age. The tiers up to this age are proven as far as the assurance goes, including
    # tiers above the required one. If a reviewer decided (`reviewed`), it is at least
    # the required age.
    age_estimate: float
    # The evidence proves the age. Every check passed or was accepted (by the workflow
    # as a note, or by a reviewer), the assurance is what the workflow requires, and the
    # document shows an age: the required one, if there is one. At `decoded`, the age is
    # what an unsigned code states. Never false in a `verified` session of type `age`,
    # or in one that requires an age.
    age_verified: bool
    # How certain the reading was, multiplied by a factor for the assurance: at most 0.5
    # for `decoded`, 0.75 for `consistent`, 0.95 for `signed`, 1 for
    # `signed_and_present`. It is not a probability of fraud.
    confidence: float
    # The document identifies the person: nothing failed except perhaps the age, or a
    # reviewer or the workflow accepted what failed, and the assurance is `consistent`
    # or higher. Below `signed_and_present`, it does not prove that the person who
    # showed the document is its holder. Never false in a `verified` session of type
    # `identity` or `student`.
    identity_verified: bool
    # The lowest of the scores in `liveness`; 0 if no method checked for a live person,
    # or none was found.
    liveness_score: float
    method: Method


class VerificationResult(_VerificationResult, total=False):
    """Summary of the method that decided."""

    assurance: Assurance
    # The code agrees with the other code of the document or with the print on its front
    # (`printed_front`), and nothing differs. One code shown twice does not count.
    barcode_cross_ref_match: bool
    chip_active_auth_passed: bool
    chip_passive_auth_passed: bool
    # Two independent networks found that the person in front of the camera is the one
    # in the portrait.
    face_match_passed: bool
    # The result of the challenge in front of the camera. It is a basic check by this
    # service: it meets no standard and is not certified. If the operator's provider
    # (`VerifyLivenessProvider`) also passed it, `assurance` is `provider`, and
    # `provider` contains the statements of its signed answer.
    liveness: VerificationResultLiveness
    # The picture that the face was compared with: the signed picture of a chip or of a
    # mobile document, or the portrait on the photo of a document.
    portrait_source: Optional[Literal["chip", "mdoc", "document_portrait"]]
    # True if a reviewer's approval decided the age or the identity, because the
    # evidence alone did not prove it. Absent otherwise.
    reviewed: bool


class VerificationSessionConsent(TypedDict):
    """Only with `expand[]=results`: what the person agreed to, and when."""

    agreed_at: Timestamp
    text_version: Optional[str]


class VerificationSessionDocument(TypedDict):
    """Only with `expand[]=document`: the stored data of the document; null if there
    is none."""

    # Last day of validity, `YYYY-MM-DD`.
    expires_on: Optional[str]
    jurisdiction: Optional[Jurisdiction]


class _VerificationSession(TypedDict):
    # `mobile` while a phone holds the session.
    active_device: Optional[Literal["mobile"]]
    # The tier that the session requires from its creation on: the higher of the
    # workflow's tier and that of the law. It says nothing about the person until
    # `status` is `verified`. A session that fails, is cancelled or expires keeps its
    # tier, unproven. A verified session met it by the evidence
    # (`verification_result.age_verified` of the event), by a reused credential
    # (`verification_path`) or by a reviewer's approval. Null: no age is required.
    age_tier: Optional[AgeTier]
    cancel_url: Optional[str]
    cancelled_at: Optional[Timestamp]
    # Your own id.
    client_reference_id: Optional[str]
    # Opens the widget for this session. Only in the response to its creation; never log
    # it.
    client_secret: Optional[str]
    completed_at: Optional[Timestamp]
    compliance: Optional[SessionCompliance]
    created: Timestamp
    current_method: Optional[Method]
    device_locked_at: Optional[Timestamp]
    expires_at: Timestamp
    id: str
    jurisdiction: Optional[Jurisdiction]
    jurisdiction_audit_declared: Optional[Jurisdiction]
    jurisdiction_audit_ip_derived: Optional[Jurisdiction]
    # True if the declared jurisdiction and that of the IP address differ; null if one
    # of them is unknown.
    jurisdiction_audit_mismatch: Optional[bool]
    jurisdiction_audit_resolved: Optional[Jurisdiction]
    # The input that determined the jurisdiction.
    jurisdiction_audit_source: Optional[Literal["explicit", "geo_header", "ip_database", "workflow"]]
    metadata: Metadata
    # The methods of the workflow that the jurisdiction allows.
    methods: List[Method]
    object: Literal["verification_session"]
    # The rule also requires a look at the physical document.
    physical_check_required: bool
    # The workflow requires a one-time code by email before a returning user may reuse a
    # verification, and this session does not have that proof yet. A session can be
    # verified without it; then this remains true and the address is unproven. Events
    # lack this field: retrieve the session.
    requires_email_otp: bool
    return_url: Optional[str]
    status: SessionStatus
    type: SessionType
    updated: Timestamp
    # A message that the widget shows.
    user_message: Optional[str]
    # How an alternative path satisfied the session; null for a fresh verification.
    verification_path: Optional[Literal["credential_reuse", "vp_token", "trust_reuse", "sandbox"]]


class VerificationSession(_VerificationSession, total=False):
    """One attempt to verify a person."""

    # Only with `expand[]=results`: what the person agreed to, and when.
    consent: Optional[VerificationSessionConsent]
    # Only with `expand[]=document`: the stored data of the document; null if there is
    # none.
    document: Optional[VerificationSessionDocument]
    # Only on creation with `delivery_jurisdiction`: the jurisdiction of the IP address.
    ip_jurisdiction: Optional[Jurisdiction]
    # Only on creation with `delivery_jurisdiction`: the jurisdiction of the delivery
    # and that of the IP address differ.
    jurisdiction_mismatch: bool
    # Only for a failed session: the reason, as in its `verification_session.failed`
    # event.
    last_error: SessionError
    # Only with `expand[]=results`. A session that was never announced as verified, or
    # that a reviewer rejected, is not charged and shows only what did not pass.
    results: List[SessionResult]
    # Only in the response to a creation: the hosted page with the client secret in its
    # fragment. Like the secret, never log it.
    url: str
    # Only with `expand[]=workflow`.
    workflow_id: str


class _VerificationSessionCreate(TypedDict):
    type: SessionType
    # One of your published workflows (`wf_…`). The workflow sets the methods; a
    # `methods` parameter is refused.
    workflow_id: str


class VerificationSessionCreate(_VerificationSessionCreate, total=False):
    # Accept an existing verification of the person by this organization.
    accept_existing: bool
    # The redirect after a cancellation: `https`, or `http` for a loopback host.
    cancel_url: str
    # Required with a publishable key.
    captcha_token: str
    # Your own id. Events contain it.
    client_reference_id: str
    # The hash of an earlier verification's credential, to reuse this credential.
    credential_hash: str
    # A message that the widget shows.
    custom_user_message: str
    # The jurisdiction of the delivery. The response compares it with that of the IP
    # address.
    delivery_jurisdiction: str
    # The claimed email address of the person. `accept_existing` requires `email` or
    # `phone`. With a publishable key, the address is only a claim: until the person
    # proves it, nobody is found by it and nothing is bound to it.
    email: str
    # Overrides the jurisdiction from geo headers and IP address: `US-CA`. With a
    # publishable key, it applies only if its law is not the milder of the two.
    # Otherwise the detected jurisdiction applies, and the difference is a risk signal.
    jurisdiction: str
    # The language of the page at `url`, as a language tag: `de`, `de-AT`. By default,
    # the browser's language.
    locale: str
    # The highest age of an accepted verification: `30d`, 1 to 3650 days.
    max_age: str
    metadata: Metadata
    min_strength: MinStrength
    # The claimed phone number of the person, in international form with `+`. With a
    # publishable key, nothing is bound to it.
    phone: str
    # All of these must have been passed before.
    required_methods: List[Method]
    # The redirect after success: `https`, or `http` for a loopback host.
    return_url: str
    # Sandbox organizations only: verifies the session immediately, with all events.
    skip_verification: bool
    # A reusable token that the person brings. Any text that is not a valid token gets
    # `vp_token_invalid`. Anyone who has a token can bring it, so pass the `email` or
    # `phone` that you have for the person. A token of another person is then noted in
    # the results and is a risk signal. If the workflow requires the same person, it
    # gets `vp_token_invalid`.
    vp_token: str


class VerificationSessionEventData(TypedDict):
    object: VerificationSessionSnapshot


class VerificationSessionEvent(TypedDict):
    """A change of a session."""

    created: Timestamp
    data: VerificationSessionEventData
    id: str
    object: Literal["event"]
    type: Literal[
        "verification_session.created", "verification_session.verified",
        "verification_session.failed", "verification_session.cancelled",
        "verification_session.expired",
    ]


class _VerificationSessionSnapshot(TypedDict):
    # The tier that the session requires from its creation on: the higher of the
    # workflow's tier and that of the law. It says nothing about the person until
    # `status` is `verified`. A session that fails, is cancelled or expires keeps its
    # tier, unproven. A verified session met it by the evidence
    # (`verification_result.age_verified` of the event), by a reused credential
    # (`verification_path`) or by a reviewer's approval. Null: no age is required.
    age_tier: Optional[AgeTier]
    client_reference_id: Optional[str]
    completed_at: Optional[Timestamp]
    created: Timestamp
    current_method: Optional[Method]
    id: str
    jurisdiction: Optional[Jurisdiction]
    jurisdiction_audit_declared: Optional[Jurisdiction]
    jurisdiction_audit_ip_derived: Optional[Jurisdiction]
    # True if the declared jurisdiction and that of the IP address differ; null if one
    # of them is unknown.
    jurisdiction_audit_mismatch: Optional[bool]
    jurisdiction_audit_resolved: Optional[Jurisdiction]
    # The input that determined the jurisdiction.
    jurisdiction_audit_source: Optional[Literal["explicit", "geo_header", "ip_database", "workflow"]]
    # Why the session failed; null if it did not fail.
    last_error: Optional[SessionError]
    # False for sandbox organizations.
    livemode: bool
    object: Literal["verification_session"]
    status: SessionStatus
    type: SessionType
    # How an alternative path satisfied the session; null for a fresh verification.
    verification_path: Optional[Literal["credential_reuse", "vp_token", "trust_reuse", "sandbox"]]
    # The result; null for a session that was never announced as verified or that a
    # reviewer rejected, which is not charged.
    verification_result: Optional[VerificationResult]
    workflow_version_id: str


class VerificationSessionSnapshot(_VerificationSessionSnapshot, total=False):
    """A session in an event."""

    # Only in test events.
    test: Literal[True]


class VerifiedPersonCredential(TypedDict):
    """A valid verification."""

    expires_at: IsoTime
    method: UpperMethod
    strength: UpperStrength
    verified_at: IsoTime


class VerifiedPersonLookup(TypedDict, total=False):
    # Required unless `phone` is given.
    email: str
    # The highest age of the verification in days: `30`.
    max_age: str
    # All of these must have been passed.
    methods: List[Method]
    min_strength: MinStrength
    # An international number with `+`.
    phone: str


class VerifiedPersonLookupResult(TypedDict):
    """Whether a person was verified before."""

    # Empty without a match.
    credentials: List[VerifiedPersonCredential]
    object: Literal["verified_person_lookup"]
    # A credential meets all requirements of the request.
    verified: bool
    verified_person_id: Optional[str]


class WebhookDeliveryLastError(TypedDict):
    """Why the latest attempt failed."""

    code: DeliveryError
    message: str


class WebhookDeliveryRequest(TypedDict):
    # Null if the event is no longer stored.
    body: Optional[str]
    # Without the signature; empty before the first attempt.
    headers: Dict[str, str]
    # The address of the latest attempt; before the first attempt, that of the endpoint.
    url: Optional[str]


class WebhookDeliveryResponse(TypedDict):
    """The latest response; null if there is none yet."""

    # Its first 4 KiB.
    body: str
    duration_ms: int
    headers: Dict[str, str]
    status_code: int


class WebhookDelivery(TypedDict):
    """The delivery of one event to one endpoint. Each attempt changes this record."""

    # The number of attempts made.
    attempt: int
    # When the event was created, also for deliveries that were recovered later.
    created: Timestamp
    delivered_at: Optional[Timestamp]
    event_id: str
    event_type: EventType
    id: str
    # Why the latest attempt failed.
    last_error: Optional[WebhookDeliveryLastError]
    max_attempts: int
    # Null during an attempt, and if no attempt follows.
    next_attempt_at: Optional[Timestamp]
    object: Literal["webhook_delivery"]
    request: WebhookDeliveryRequest
    # The latest response; null if there is none yet.
    response: Optional[WebhookDeliveryResponse]
    status: DeliveryStatus
    updated: Timestamp
    webhook_endpoint_id: str


class _WebhookEndpoint(TypedDict):
    application_id: Optional[str]
    # Failed attempts since the last success.
    consecutive_failures: int
    created: Timestamp
    description: Optional[str]
    # Only `*` means all types but those of `workflow_law`, which have to be named.
    enabled_events: List[Union[EventType, Literal["*"]]]
    # When the first of these failures occurred.
    failing_since: Optional[Timestamp]
    id: str
    metadata: Metadata
    name: Optional[str]
    # When the next failed delivery is retried; null if none is waiting or the endpoint
    # is disabled.
    next_attempt_at: Optional[Timestamp]
    object: Literal["webhook_endpoint"]
    # A disabled endpoint receives no events.
    status: Literal["enabled", "disabled"]
    updated: Timestamp
    url: str


class WebhookEndpoint(_WebhookEndpoint, total=False):
    """An endpoint that receives events."""

    # Signs deliveries. Only in the responses to creation and rotation.
    secret: str


class _WebhookEndpointCreate(TypedDict):
    # Types without duplicates, or only `*` for all types but those of `workflow_law`.
    enabled_events: List[Union[EventType, Literal["*"]]]
    # A public `https` address. An IP address of a private, loopback, link-local or
    # other special network, or `localhost`, is refused (`parameter_invalid`, `param`
    # `url`). A host name is checked at every connection (`address_forbidden` in the
    # delivery).
    url: str


class WebhookEndpointCreate(_WebhookEndpointCreate, total=False):
    # Operational notes.
    description: Optional[str]
    metadata: Metadata
    # A display name.
    name: Optional[str]


class WebhookEndpointUpdate(TypedDict, total=False):
    """Parameters that you omit stay unchanged. `metadata` is replaced as a whole."""

    description: Optional[str]
    # Replaces the list.
    enabled_events: List[Union[EventType, Literal["*"]]]
    metadata: Metadata
    name: Optional[str]
    # A disabled endpoint receives no events of that time. A delivery that becomes due
    # then fails with `endpoint_disabled` and can be retried.
    status: Literal["enabled", "disabled"]
    # As at creation. A new address is a new receiver: its failures are counted from
    # zero.
    url: str


class WorkflowLawEventData(TypedDict):
    object: WorkflowLawNotice


class WorkflowLawEvent(TypedDict):
    """The law of a workflow changes within 90 days, or its review is overdue. Sent
    once for a workflow, jurisdiction and day, to endpoints of live organizations
    that name the type and are for all applications."""

    created: Timestamp
    data: WorkflowLawEventData
    id: str
    object: Literal["event"]
    type: Literal["workflow_law.changes", "workflow_law.review_due"]


class _WorkflowLawNotice(TypedDict):
    day: str
    jurisdiction: Jurisdiction
    # `change`: the law changes on `day`. `review`: the review of its rule was due on
    # `day`.
    notice: Literal["change", "review"]
    object: Literal["workflow_law_notice"]
    use_case: UseCase
    workflow_id: str
    # The published version.
    workflow_version_id: str


class WorkflowLawNotice(_WorkflowLawNotice, total=False):
    """What the operator of a workflow should know about its law. The compliance
    check with `as_of` tells what the law says on a day."""

    # Only in test events.
    test: Literal[True]


# A change, delivered at least once: deduplicate by `id`. `data.object` is the resource
# at the time of the event. In a test event, it has `test`.
Event = Union[VerificationSessionEvent, SessionReviewEvent, TrustReuseGrantEvent, TrustReuseConsentEvent, WorkflowLawEvent]
