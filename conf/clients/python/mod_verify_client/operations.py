# SPDX-License-Identifier: Apache-2.0
# Generated from the description of the API by scripts/api-clients.
"""A method for each operation that a server calls."""
from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, Union, cast

from .listing import ObjectList
from .path import UNSET, given, path_of
from .types import (
    ComplianceCheck, DeletedWebhookEndpoint, DeliveryStatus, Event, EventType,
    Metadata, Method, MinStrength, RiskAssessment, SessionStatus, SessionType,
    TestEvent, TrustReuseGrant, TrustReuseSettings, VerificationSession,
    VerifiedPersonLookupResult, WebhookDelivery, WebhookEndpoint,
)


class Operations:
    def request(
        self, method: str, path: str, *, query: Optional[Dict[str, Any]] = None,
        body: Optional[Dict[str, Any]] = None, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Any:
        raise NotImplementedError

    def list(
        self, path: str, query: Dict[str, Any], timeout: Optional[float] = None,
    ) -> ObjectList[Any]:
        raise NotImplementedError

    def cancel_verification_session(
        self, id: str, *, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> VerificationSession:
        """Cancel a session.

        Cancels an open session, including one under review. The operator keeps the
        record of the review. If the session is already cancelled, it is returned
        unchanged and no second event is sent. If the session was announced as
        `verified` before it was flagged, the verification still counts. If a method's
        evidence had passed, the cancel counts as one verification. An operator cannot
        end a review that another reviewer has claimed, or one that the operator
        opened by flagging the session.
        """
        return cast(VerificationSession, self.request(
            "POST", path_of("/v1/verification_sessions/{id}/cancel", id=id),
            idempotency_key=idempotency_key, timeout=timeout,
        ))

    def check_compliance(
        self, *, use_cases: str, article: str = UNSET, as_of: str = UNSET,
        channel: str = UNSET, jurisdiction: str = UNSET, timeout: Optional[float] = None,
    ) -> ComplianceCheck:
        """Look up the rules for product types.

        Returns the rules of a jurisdiction for product types. The response is
        informational and enforces nothing.
        """
        return cast(ComplianceCheck, self.request(
            "GET", path_of("/v1/compliance/check"), query=given(use_cases=use_cases,
            article=article, as_of=as_of, channel=channel, jurisdiction=jurisdiction),
            timeout=timeout,
        ))

    def create_verification_session(
        self, *, type: SessionType, workflow_id: str, accept_existing: bool = UNSET,
        cancel_url: str = UNSET, captcha_token: str = UNSET,
        client_reference_id: str = UNSET, credential_hash: str = UNSET,
        custom_user_message: str = UNSET, delivery_jurisdiction: str = UNSET,
        email: str = UNSET, jurisdiction: str = UNSET, locale: str = UNSET,
        max_age: str = UNSET, metadata: Metadata = UNSET,
        min_strength: MinStrength = UNSET, phone: str = UNSET,
        required_methods: List[Method] = UNSET, return_url: str = UNSET,
        skip_verification: bool = UNSET, vp_token: str = UNSET,
        idempotency_key: Optional[str] = None, timeout: Optional[float] = None,
    ) -> VerificationSession:
        """Create a session.

        Starts a verification in a published workflow and returns the session with its
        `client_secret`, which no later response contains. A live organization needs
        an enabled webhook endpoint first. If the workflow accepts trust reuse and the
        application takes part in it, each creation with an `email` counts as a lookup
        of a person verified elsewhere, with or without a match. Beyond the server's
        hourly and daily limits for these lookups, the response is 429
        `accept_existing_rate_limited` with `Retry-After`. Each match is charged as a
        verification, and the person is notified by email. Creation with a publishable
        key is deprecated.
        """
        return cast(VerificationSession, self.request(
            "POST", path_of("/v1/verification_sessions"), body=given(type=type,
            workflow_id=workflow_id, accept_existing=accept_existing,
            cancel_url=cancel_url, captcha_token=captcha_token,
            client_reference_id=client_reference_id, credential_hash=credential_hash,
            custom_user_message=custom_user_message,
            delivery_jurisdiction=delivery_jurisdiction, email=email,
            jurisdiction=jurisdiction, locale=locale, max_age=max_age, metadata=metadata,
            min_strength=min_strength, phone=phone, required_methods=required_methods,
            return_url=return_url, skip_verification=skip_verification,
            vp_token=vp_token), idempotency_key=idempotency_key, timeout=timeout,
        ))

    def create_webhook_endpoint(
        self, *, enabled_events: List[Union[EventType, Literal["*"]]], url: str,
        description: Optional[str] = UNSET, metadata: Metadata = UNSET,
        name: Optional[str] = UNSET, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> WebhookEndpoint:
        """Create an endpoint.

        Creates a webhook endpoint. The response contains the signing secret, once.
        """
        return cast(WebhookEndpoint, self.request(
            "POST", path_of("/v1/webhook_endpoints"),
            body=given(enabled_events=enabled_events, url=url, description=description,
            metadata=metadata, name=name), idempotency_key=idempotency_key,
            timeout=timeout,
        ))

    def delete_webhook_endpoint(
        self, id: str, *, timeout: Optional[float] = None,
    ) -> DeletedWebhookEndpoint:
        """Delete an endpoint.

        Deletes a webhook endpoint and ends its pending deliveries.
        """
        return cast(DeletedWebhookEndpoint, self.request(
            "DELETE", path_of("/v1/webhook_endpoints/{id}", id=id), timeout=timeout,
        ))

    def flag_verification_session(
        self, id: str, *, reason: Optional[str] = UNSET,
        idempotency_key: Optional[str] = None, timeout: Optional[float] = None,
    ) -> VerificationSession:
        """Flag a session for review.

        Places a verified session under review. Neither grant nor deny access until a
        review event resolves it. The verification still counts unless a reviewer
        rejects it.
        """
        return cast(VerificationSession, self.request(
            "POST", path_of("/v1/session_reviews/sessions/{id}/flag", id=id),
            body=given(reason=reason), idempotency_key=idempotency_key, timeout=timeout,
        ))

    def list_events(
        self, *, created_gte: int = UNSET, created_lt: int = UNSET,
        ending_before: str = UNSET, limit: int = UNSET, object_id: str = UNSET,
        starting_after: str = UNSET, type: EventType = UNSET,
        timeout: Optional[float] = None,
    ) -> ObjectList[Event]:
        """List events.

        Returns events, newest first. They are kept for 30 days unless the operator
        sets another time.
        """
        return self.list(
            path_of("/v1/events"), given(created_gte=created_gte, created_lt=created_lt,
            ending_before=ending_before, limit=limit, object_id=object_id,
            starting_after=starting_after, type=type), timeout,
        )

    def list_trust_reuse_grants(
        self, *, ending_before: str = UNSET, limit: int = UNSET,
        starting_after: str = UNSET, timeout: Optional[float] = None,
    ) -> ObjectList[TrustReuseGrant]:
        """List grants.

        Returns the grants of all applications of the organization, so the key must be
        organization-wide.
        """
        return self.list(
            path_of("/v1/trust_reuse/grants"), given(ending_before=ending_before,
            limit=limit, starting_after=starting_after), timeout,
        )

    def list_verification_sessions(
        self, *, client_reference_id: str = UNSET, created_gte: int = UNSET,
        created_lt: int = UNSET, ending_before: str = UNSET,
        expand: List[Literal["workflow"]] = UNSET, limit: int = UNSET,
        risk_tier: Literal["clear", "review", "block", "bot"] = UNSET,
        search: str = UNSET, starting_after: str = UNSET, status: SessionStatus = UNSET,
        workflow_id: str = UNSET, timeout: Optional[float] = None,
    ) -> ObjectList[VerificationSession]:
        """List sessions.

        Returns the sessions of your organization, newest first.
        """
        return self.list(
            path_of("/v1/verification_sessions"),
            given(client_reference_id=client_reference_id, created_gte=created_gte,
            created_lt=created_lt, ending_before=ending_before, expand=expand,
            limit=limit, risk_tier=risk_tier, search=search,
            starting_after=starting_after, status=status, workflow_id=workflow_id),
            timeout,
        )

    def list_webhook_deliveries(
        self, id: str, *, ending_before: str = UNSET, event_type: EventType = UNSET,
        limit: int = UNSET, starting_after: str = UNSET, status: DeliveryStatus = UNSET,
        timeout: Optional[float] = None,
    ) -> ObjectList[WebhookDelivery]:
        """List deliveries.

        Returns the deliveries to an endpoint, newest first.
        """
        return self.list(
            path_of("/v1/webhook_endpoints/{id}/deliveries", id=id),
            given(ending_before=ending_before, event_type=event_type, limit=limit,
            starting_after=starting_after, status=status), timeout,
        )

    def list_webhook_endpoints(
        self, *, ending_before: str = UNSET, limit: int = UNSET,
        starting_after: str = UNSET, timeout: Optional[float] = None,
    ) -> ObjectList[WebhookEndpoint]:
        """List endpoints.

        Returns the webhook endpoints, newest first, without their signing secrets.
        """
        return self.list(
            path_of("/v1/webhook_endpoints"), given(ending_before=ending_before,
            limit=limit, starting_after=starting_after), timeout,
        )

    def look_up_verified_person(
        self, *, email: str = UNSET, max_age: str = UNSET, methods: List[Method] = UNSET,
        min_strength: MinStrength = UNSET, phone: str = UNSET,
        idempotency_key: Optional[str] = None, timeout: Optional[float] = None,
    ) -> VerifiedPersonLookupResult:
        """Look up a verified person.

        Reports whether this organization has verified the person with this email
        address or phone number. Both are identifiers and do not prove who is asking.
        Use the result directly only for a user who is logged in to your service.
        """
        return cast(VerifiedPersonLookupResult, self.request(
            "POST", path_of("/v1/verified_person/lookup"), body=given(email=email,
            max_age=max_age, methods=methods, min_strength=min_strength, phone=phone),
            idempotency_key=idempotency_key, timeout=timeout,
        ))

    def retrieve_event(
        self, id: str, *, timeout: Optional[float] = None,
    ) -> Event:
        """Retrieve an event.

        Returns an event.
        """
        return cast(Event, self.request(
            "GET", path_of("/v1/events/{id}", id=id), timeout=timeout,
        ))

    def retrieve_risk_assessment(
        self, id: str, *, timeout: Optional[float] = None,
    ) -> RiskAssessment:
        """Retrieve an assessment.

        Returns an assessment as it was computed, either by a request or by the
        passive checks of a session. The items of passive checks in the session's
        `results` name their assessment. Assessments are kept for 90 days by default.
        """
        return cast(RiskAssessment, self.request(
            "GET", path_of("/v1/risk/{id}", id=id), timeout=timeout,
        ))

    def retrieve_trust_reuse_settings(
        self, *, timeout: Optional[float] = None,
    ) -> TrustReuseSettings:
        """Retrieve the settings.

        Returns the settings of the key's application, or the defaults if none were
        set.
        """
        return cast(TrustReuseSettings, self.request(
            "GET", path_of("/v1/trust_reuse/settings"), timeout=timeout,
        ))

    def retrieve_verification_session(
        self, id: str, *,
        expand: List[Literal["results", "document", "workflow"]] = UNSET,
        timeout: Optional[float] = None,
    ) -> VerificationSession:
        """Retrieve a session.

        Returns a session. With a publishable key, also send the session's client
        secret in `X-Service-Session-Secret`.
        """
        return cast(VerificationSession, self.request(
            "GET", path_of("/v1/verification_sessions/{id}", id=id),
            query=given(expand=expand), timeout=timeout,
        ))

    def retrieve_webhook_delivery(
        self, id: str, delivery_id: str, *, timeout: Optional[float] = None,
    ) -> WebhookDelivery:
        """Retrieve a delivery.

        Returns the current state of a delivery.
        """
        return cast(WebhookDelivery, self.request(
            "GET", path_of("/v1/webhook_endpoints/{id}/deliveries/{delivery_id}", id=id,
            delivery_id=delivery_id), timeout=timeout,
        ))

    def retrieve_webhook_endpoint(
        self, id: str, *, timeout: Optional[float] = None,
    ) -> WebhookEndpoint:
        """Retrieve an endpoint.

        Returns a webhook endpoint without its signing secret.
        """
        return cast(WebhookEndpoint, self.request(
            "GET", path_of("/v1/webhook_endpoints/{id}", id=id), timeout=timeout,
        ))

    def retry_webhook_delivery(
        self, id: str, delivery_id: str, *, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> WebhookDelivery:
        """Retry a delivery.

        Queues the delivery immediately, with the same id and whatever its status. The
        count of attempts restarts, and the latest response is cleared.
        """
        return cast(WebhookDelivery, self.request(
            "POST", path_of("/v1/webhook_endpoints/{id}/deliveries/{delivery_id}/retry",
            id=id, delivery_id=delivery_id), idempotency_key=idempotency_key,
            timeout=timeout,
        ))

    def revoke_trust_reuse_grant(
        self, id: str, *, timeout: Optional[float] = None,
    ) -> TrustReuseGrant:
        """Revoke a grant.

        Ends the reuse of that person's verification. Sessions that the grant verified
        stay verified. A grant that is already revoked is returned unchanged.
        """
        return cast(TrustReuseGrant, self.request(
            "DELETE", path_of("/v1/trust_reuse/grants/{id}", id=id), timeout=timeout,
        ))

    def rotate_webhook_secret(
        self, id: str, *, idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> WebhookEndpoint:
        """Rotate the signing secret.

        Replaces the signing secret immediately: deliveries are no longer signed with
        the old secret. The response contains the new secret, once.
        """
        return cast(WebhookEndpoint, self.request(
            "POST", path_of("/v1/webhook_endpoints/{id}/rotate-secret", id=id),
            idempotency_key=idempotency_key, timeout=timeout,
        ))

    def score_risk(
        self, *, claimed_country: str = UNSET, device_id: str = UNSET,
        doc_country: str = UNSET, doc_region: str = UNSET, email: str = UNSET,
        ip: str = UNSET, phone: str = UNSET, required_jurisdiction: str = UNSET,
        session_id: str = UNSET, user_agent: str = UNSET,
        idempotency_key: Optional[str] = None, timeout: Optional[float] = None,
    ) -> RiskAssessment:
        """Score a risk.

        Computes a risk assessment. At least one of `ip`, `email`, `phone` and
        `device_id` is required. The service stores these only as keyed hashes. With
        `session_id`, the `risk_tier` of the session rises to the level of the
        assessment.
        """
        return cast(RiskAssessment, self.request(
            "POST", path_of("/v1/risk/score"), body=given(claimed_country=claimed_country,
            device_id=device_id, doc_country=doc_country, doc_region=doc_region,
            email=email, ip=ip, phone=phone, required_jurisdiction=required_jurisdiction,
            session_id=session_id, user_agent=user_agent),
            idempotency_key=idempotency_key, timeout=timeout,
        ))

    def send_test_event(
        self, id: str, *, event_type: EventType = UNSET,
        idempotency_key: Optional[str] = None, timeout: Optional[float] = None,
    ) -> TestEvent:
        """Send a test event.

        Sends a complete sample event to this endpoint only, whatever event types the
        endpoint subscribes to. `data.object` has the additional member `test`. The
        default type is `verification_session.verified`. Retrieve the delivery for its
        outcome.
        """
        return cast(TestEvent, self.request(
            "POST", path_of("/v1/webhook_endpoints/{id}/test", id=id),
            body=given(event_type=event_type), idempotency_key=idempotency_key,
            timeout=timeout,
        ))

    def set_test_outcome(
        self, id: str, *, value: str, final: bool = UNSET, method: str = UNSET,
        idempotency_key: Optional[str] = None, timeout: Optional[float] = None,
    ) -> VerificationSession:
        """Set a test outcome.

        Sets the result of a step of a sandbox session without evidence, so that you
        can test an integration by hand or automatically. The session continues with
        the same events as if a person had shown the evidence. If nobody has opened
        the session yet, this call opens it. `value` is one of: `passed`; a code of
        `FailureCode`, which makes the step fail; a code of `Hint`, which asks the
        person again (`requires_input`) and uses no attempt; `undetermined`, for which
        the workflow's `on_undetermined` decides what follows (`under_review` by
        default); and for a session under review `review_approved` or
        `review_rejected`. The steps of a workflow run in sequence: repeat the call
        for each step. The result is never shared with other organizations. In a live
        organization, the response is 400.
        """
        return cast(VerificationSession, self.request(
            "POST", path_of("/v1/verification_sessions/{id}/test_outcome", id=id),
            body=given(value=value, final=final, method=method),
            idempotency_key=idempotency_key, timeout=timeout,
        ))

    def update_trust_reuse_settings(
        self, *, accept_liability: bool = UNSET, accepted_methods: List[Method] = UNSET,
        enabled: bool = UNSET, max_age_days: int = UNSET,
        require_same_jurisdiction: bool = UNSET, timeout: Optional[float] = None,
    ) -> TrustReuseSettings:
        """Update the settings.

        Changes the parameters that you pass and keeps the others. To switch `enabled`
        on, also pass `accept_liability`.
        """
        return cast(TrustReuseSettings, self.request(
            "PATCH", path_of("/v1/trust_reuse/settings"),
            body=given(accept_liability=accept_liability,
            accepted_methods=accepted_methods, enabled=enabled, max_age_days=max_age_days,
            require_same_jurisdiction=require_same_jurisdiction), timeout=timeout,
        ))

    def update_webhook_endpoint(
        self, id: str, *, description: Optional[str] = UNSET,
        enabled_events: List[Union[EventType, Literal["*"]]] = UNSET,
        metadata: Metadata = UNSET, name: Optional[str] = UNSET,
        status: Literal["enabled", "disabled"] = UNSET, url: str = UNSET,
        idempotency_key: Optional[str] = None, timeout: Optional[float] = None,
    ) -> WebhookEndpoint:
        """Update an endpoint.

        Changes the parameters that you pass and keeps the others. A `metadata` object
        or an `enabled_events` list replaces the previous one.
        """
        return cast(WebhookEndpoint, self.request(
            "POST", path_of("/v1/webhook_endpoints/{id}", id=id),
            body=given(description=description, enabled_events=enabled_events,
            metadata=metadata, name=name, status=status, url=url),
            idempotency_key=idempotency_key, timeout=timeout,
        ))
