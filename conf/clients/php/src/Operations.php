<?php
// SPDX-License-Identifier: Apache-2.0
// Generated from the description of the API by scripts/api-clients.

declare(strict_types=1);

namespace ModVerify;

/**
 * A method for each operation that a server calls.
 *
 * @phpstan-import-type CheckComplianceParams from Types
 * @phpstan-import-type ComplianceCheck from Types
 * @phpstan-import-type DeletedWebhookEndpoint from Types
 * @phpstan-import-type Event from Types
 * @phpstan-import-type ListEventsParams from Types
 * @phpstan-import-type ListTrustReuseGrantsParams from Types
 * @phpstan-import-type ListVerificationSessionsParams from Types
 * @phpstan-import-type ListWebhookDeliveriesParams from Types
 * @phpstan-import-type ListWebhookEndpointsParams from Types
 * @phpstan-import-type RetrieveVerificationSessionParams from Types
 * @phpstan-import-type RiskAssessment from Types
 * @phpstan-import-type RiskScore from Types
 * @phpstan-import-type SessionFlag from Types
 * @phpstan-import-type TestEvent from Types
 * @phpstan-import-type TestEventRequest from Types
 * @phpstan-import-type TestOutcome from Types
 * @phpstan-import-type TrustReuseGrant from Types
 * @phpstan-import-type TrustReuseSettings from Types
 * @phpstan-import-type TrustReuseSettingsUpdate from Types
 * @phpstan-import-type VerificationSession from Types
 * @phpstan-import-type VerificationSessionCreate from Types
 * @phpstan-import-type VerifiedPersonLookup from Types
 * @phpstan-import-type VerifiedPersonLookupResult from Types
 * @phpstan-import-type WebhookDelivery from Types
 * @phpstan-import-type WebhookEndpoint from Types
 * @phpstan-import-type WebhookEndpointCreate from Types
 * @phpstan-import-type WebhookEndpointUpdate from Types
 */
abstract class Operations
{
    /**
     * @param array<string, mixed> $query
     * @param ?array<string, mixed> $body
     * @return array<string, mixed>
     */
    abstract public function request(string $method, string $path, array $query = [],
        ?array $body = null, ?string $idempotencyKey = null, ?float $timeout = null): array;

    /** @param array<string, mixed> $query */
    abstract public function list(string $path, array $query = [], ?float $timeout = null): ObjectList;

    /**
     * Cancel a session.
     * Cancels an open session, including one under review. The operator keeps the record
     * of the review. If the session is already cancelled, it is returned unchanged and no
     * second event is sent. If the session was announced as `verified` before it was
     * flagged, the verification still counts. If a method's evidence had passed, the
     * cancel counts as one verification. An operator cannot end a review that another
     * reviewer has claimed, or one that the operator opened by flagging the session.
     * @return VerificationSession
     */
    public function cancelVerificationSession(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        return $this->request(
            'POST',
            '/v1/verification_sessions/' . Path::id($id) . '/cancel',
            idempotencyKey: $idempotencyKey,
            timeout: $timeout,
        );
    }

    /**
     * Look up the rules for product types.
     * Returns the rules of a jurisdiction for product types. The response is informational
     * and enforces nothing.
     * @param CheckComplianceParams $params
     * @return ComplianceCheck
     */
    public function checkCompliance(array $params, ?float $timeout = null): array
    {
        return $this->request(
            'GET',
            '/v1/compliance/check',
            query: $params,
            timeout: $timeout,
        );
    }

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
     * @param VerificationSessionCreate $params
     * @return VerificationSession
     */
    public function createVerificationSession(
        array $params,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        return $this->request(
            'POST',
            '/v1/verification_sessions',
            body: $params,
            idempotencyKey: $idempotencyKey,
            timeout: $timeout,
        );
    }

    /**
     * Create an endpoint.
     * Creates a webhook endpoint. The response contains the signing secret, once.
     * @param WebhookEndpointCreate $params
     * @return WebhookEndpoint
     */
    public function createWebhookEndpoint(
        array $params,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        return $this->request(
            'POST',
            '/v1/webhook_endpoints',
            body: $params,
            idempotencyKey: $idempotencyKey,
            timeout: $timeout,
        );
    }

    /**
     * Delete an endpoint.
     * Deletes a webhook endpoint and ends its pending deliveries.
     * @return DeletedWebhookEndpoint
     */
    public function deleteWebhookEndpoint(string $id, ?float $timeout = null): array
    {
        return $this->request(
            'DELETE',
            '/v1/webhook_endpoints/' . Path::id($id),
            timeout: $timeout,
        );
    }

    /**
     * Flag a session for review.
     * Places a verified session under review. Neither grant nor deny access until a review
     * event resolves it. The verification still counts unless a reviewer rejects it.
     * @param SessionFlag $params
     * @return VerificationSession
     */
    public function flagVerificationSession(
        string $id,
        array $params = [],
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        return $this->request(
            'POST',
            '/v1/session_reviews/sessions/' . Path::id($id) . '/flag',
            body: $params,
            idempotencyKey: $idempotencyKey,
            timeout: $timeout,
        );
    }

    /**
     * List events.
     * Returns events, newest first. They are kept for 30 days unless the operator sets
     * another time.
     * @param ListEventsParams $params
     * @return ObjectList<Event>
     */
    public function listEvents(array $params = [], ?float $timeout = null): ObjectList
    {
        return $this->list('/v1/events', $params, $timeout);
    }

    /**
     * List grants.
     * Returns the grants of all applications of the organization, so the key must be
     * organization-wide.
     * @param ListTrustReuseGrantsParams $params
     * @return ObjectList<TrustReuseGrant>
     */
    public function listTrustReuseGrants(array $params = [], ?float $timeout = null): ObjectList
    {
        return $this->list('/v1/trust_reuse/grants', $params, $timeout);
    }

    /**
     * List sessions.
     * Returns the sessions of your organization, newest first.
     * @param ListVerificationSessionsParams $params
     * @return ObjectList<VerificationSession>
     */
    public function listVerificationSessions(array $params = [], ?float $timeout = null): ObjectList
    {
        return $this->list('/v1/verification_sessions', $params, $timeout);
    }

    /**
     * List deliveries.
     * Returns the deliveries to an endpoint, newest first.
     * @param ListWebhookDeliveriesParams $params
     * @return ObjectList<WebhookDelivery>
     */
    public function listWebhookDeliveries(string $id, array $params = [], ?float $timeout = null): ObjectList
    {
        return $this->list(
            '/v1/webhook_endpoints/' . Path::id($id) . '/deliveries',
            $params,
            $timeout,
        );
    }

    /**
     * List endpoints.
     * Returns the webhook endpoints, newest first, without their signing secrets.
     * @param ListWebhookEndpointsParams $params
     * @return ObjectList<WebhookEndpoint>
     */
    public function listWebhookEndpoints(array $params = [], ?float $timeout = null): ObjectList
    {
        return $this->list('/v1/webhook_endpoints', $params, $timeout);
    }

    /**
     * Look up a verified person.
     * Reports whether this organization has verified the person with this email address or
     * phone number. Both are identifiers and do not prove who is asking. Use the result
     * directly only for a user who is logged in to your service.
     * @param VerifiedPersonLookup $params
     * @return VerifiedPersonLookupResult
     */
    public function lookUpVerifiedPerson(
        array $params = [],
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        return $this->request(
            'POST',
            '/v1/verified_person/lookup',
            body: $params,
            idempotencyKey: $idempotencyKey,
            timeout: $timeout,
        );
    }

    /**
     * Retrieve an event.
     * Returns an event.
     * @return Event
     */
    public function retrieveEvent(string $id, ?float $timeout = null): array
    {
        return $this->request('GET', '/v1/events/' . Path::id($id), timeout: $timeout);
    }

    /**
     * Retrieve an assessment.
     * Returns an assessment as it was computed, either by a request or by the passive
     * checks of a session. The items of passive checks in the session's `results` name
     * their assessment. Assessments are kept for 90 days by default.
     * @return RiskAssessment
     */
    public function retrieveRiskAssessment(string $id, ?float $timeout = null): array
    {
        return $this->request('GET', '/v1/risk/' . Path::id($id), timeout: $timeout);
    }

    /**
     * Retrieve the settings.
     * Returns the settings of the key's application, or the defaults if none were set.
     * @return TrustReuseSettings
     */
    public function retrieveTrustReuseSettings(?float $timeout = null): array
    {
        return $this->request('GET', '/v1/trust_reuse/settings', timeout: $timeout);
    }

    /**
     * Retrieve a session.
     * Returns a session. With a publishable key, also send the session's client secret in
     * `X-Service-Session-Secret`.
     * @param RetrieveVerificationSessionParams $params
     * @return VerificationSession
     */
    public function retrieveVerificationSession(string $id, array $params = [], ?float $timeout = null): array
    {
        return $this->request(
            'GET',
            '/v1/verification_sessions/' . Path::id($id),
            query: $params,
            timeout: $timeout,
        );
    }

    /**
     * Retrieve a delivery.
     * Returns the current state of a delivery.
     * @return WebhookDelivery
     */
    public function retrieveWebhookDelivery(string $id, string $deliveryId, ?float $timeout = null): array
    {
        return $this->request(
            'GET',
            '/v1/webhook_endpoints/' . Path::id($id) . '/deliveries/' . Path::id($deliveryId),
            timeout: $timeout,
        );
    }

    /**
     * Retrieve an endpoint.
     * Returns a webhook endpoint without its signing secret.
     * @return WebhookEndpoint
     */
    public function retrieveWebhookEndpoint(string $id, ?float $timeout = null): array
    {
        return $this->request(
            'GET',
            '/v1/webhook_endpoints/' . Path::id($id),
            timeout: $timeout,
        );
    }

    /**
     * Retry a delivery.
     * Queues the delivery immediately, with the same id and whatever its status. The count
     * of attempts restarts, and the latest response is cleared.
     * @return WebhookDelivery
     */
    public function retryWebhookDelivery(
        string $id,
        string $deliveryId,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        return $this->request(
            'POST',
            '/v1/webhook_endpoints/' . Path::id($id) . '/deliveries/' . Path::id($deliveryId) . '/retry',
            idempotencyKey: $idempotencyKey,
            timeout: $timeout,
        );
    }

    /**
     * Revoke a grant.
     * Ends the reuse of that person's verification. Sessions that the grant verified stay
     * verified. A grant that is already revoked is returned unchanged.
     * @return TrustReuseGrant
     */
    public function revokeTrustReuseGrant(string $id, ?float $timeout = null): array
    {
        return $this->request(
            'DELETE',
            '/v1/trust_reuse/grants/' . Path::id($id),
            timeout: $timeout,
        );
    }

    /**
     * Rotate the signing secret.
     * Replaces the signing secret immediately: deliveries are no longer signed with the
     * old secret. The response contains the new secret, once.
     * @return WebhookEndpoint
     */
    public function rotateWebhookSecret(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        return $this->request(
            'POST',
            '/v1/webhook_endpoints/' . Path::id($id) . '/rotate-secret',
            idempotencyKey: $idempotencyKey,
            timeout: $timeout,
        );
    }

    /**
     * Score a risk.
     * Computes a risk assessment. At least one of `ip`, `email`, `phone` and `device_id`
     * is required. The service stores these only as keyed hashes. With `session_id`, the
     * `risk_tier` of the session rises to the level of the assessment.
     * @param RiskScore $params
     * @return RiskAssessment
     */
    public function scoreRisk(
        array $params = [],
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        return $this->request(
            'POST',
            '/v1/risk/score',
            body: $params,
            idempotencyKey: $idempotencyKey,
            timeout: $timeout,
        );
    }

    /**
     * Send a test event.
     * Sends a complete sample event to this endpoint only, whatever event types the
     * endpoint subscribes to. `data.object` has the additional member `test`. The default
     * type is `verification_session.verified`. Retrieve the delivery for its outcome.
     * @param TestEventRequest $params
     * @return TestEvent
     */
    public function sendTestEvent(
        string $id,
        array $params = [],
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        return $this->request(
            'POST',
            '/v1/webhook_endpoints/' . Path::id($id) . '/test',
            body: $params,
            idempotencyKey: $idempotencyKey,
            timeout: $timeout,
        );
    }

    /**
     * Set a test outcome.
     * Sets the result of a step of a sandbox session without evidence, so that you can
     * test an integration by hand or automatically. The session continues with the same
     * events as if a person had shown the evidence. If nobody has opened the session yet,
     * this call opens it. `value` is one of: `passed`; a code of `FailureCode`, which
     * makes the step fail; a code of `Hint`, which asks the person again
     * (`requires_input`) and uses no attempt; `undetermined`, for which the workflow's
     * `on_undetermined` decides what follows (`under_review` by default); and for a
     * session under review `review_approved` or `review_rejected`. The steps of a workflow
     * run in sequence: repeat the call for each step. The result is never shared with
     * other organizations. In a live organization, the response is 400.
     * @param TestOutcome $params
     * @return VerificationSession
     */
    public function setTestOutcome(
        string $id,
        array $params,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        return $this->request(
            'POST',
            '/v1/verification_sessions/' . Path::id($id) . '/test_outcome',
            body: $params,
            idempotencyKey: $idempotencyKey,
            timeout: $timeout,
        );
    }

    /**
     * Update the settings.
     * Changes the parameters that you pass and keeps the others. To switch `enabled` on,
     * also pass `accept_liability`.
     * @param TrustReuseSettingsUpdate $params
     * @return TrustReuseSettings
     */
    public function updateTrustReuseSettings(array $params = [], ?float $timeout = null): array
    {
        return $this->request(
            'PATCH',
            '/v1/trust_reuse/settings',
            body: $params,
            timeout: $timeout,
        );
    }

    /**
     * Update an endpoint.
     * Changes the parameters that you pass and keeps the others. A `metadata` object or an
     * `enabled_events` list replaces the previous one.
     * @param WebhookEndpointUpdate $params
     * @return WebhookEndpoint
     */
    public function updateWebhookEndpoint(
        string $id,
        array $params = [],
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): array {
        return $this->request(
            'POST',
            '/v1/webhook_endpoints/' . Path::id($id),
            body: $params,
            idempotencyKey: $idempotencyKey,
            timeout: $timeout,
        );
    }
}
