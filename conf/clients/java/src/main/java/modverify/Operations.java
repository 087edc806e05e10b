// SPDX-License-Identifier: Apache-2.0
// Generated from the description of the API by scripts/api-clients.
package modverify;

import modverify.Types.*;

/** A method for each operation that a server calls. */
public abstract class Operations {
    Operations() {
    }

    abstract <T> T request(Class<T> type, String method, String path, Parameters query,
        Parameters body, RequestOptions options);

    abstract <T> ObjectList<T> list(Class<T> type, String path, Parameters query,
        RequestOptions options);

    private static String id(String id) {
        return Path.id(id);
    }

    /**
     * Cancel a session.
     * Cancels an open session, including one under review. The operator keeps the record
     * of the review. If the session is already cancelled, it is returned unchanged and no
     * second event is sent. If the session was announced as {@code verified} before it was
     * flagged, the verification still counts. If a method's evidence had passed, the
     * cancel counts as one verification. An operator cannot end a review that another
     * reviewer has claimed, or one that the operator opened by flagging the session.
     */
    public VerificationSession cancelVerificationSession(String id) {
        return cancelVerificationSession(id, null);
    }

    /** The same with options of its own. */
    public VerificationSession cancelVerificationSession(String id, RequestOptions options) {
        return request(VerificationSession.class, "POST",
            "/v1/verification_sessions/" + id(id) + "/cancel",
            null, null, options);
    }

    /**
     * Look up the rules for product types.
     * Returns the rules of a jurisdiction for product types. The response is informational
     * and enforces nothing.
     */
    public ComplianceCheck checkCompliance(CheckComplianceParams parameters) {
        return checkCompliance(parameters, null);
    }

    /** The same with options of its own. */
    public ComplianceCheck checkCompliance(CheckComplianceParams parameters, RequestOptions options) {
        return request(ComplianceCheck.class, "GET",
            "/v1/compliance/check",
            parameters, null, options);
    }

    /**
     * Create a session.
     * Starts a verification in a published workflow and returns the session with its
     * {@code client_secret}, which no later response contains. A live organization needs
     * an enabled webhook endpoint first. If the workflow accepts trust reuse and the
     * application takes part in it, each creation with an {@code email} counts as a lookup
     * of a person verified elsewhere, with or without a match. Beyond the server's hourly
     * and daily limits for these lookups, the response is 429 {@code
     * accept_existing_rate_limited} with {@code Retry-After}. Each match is charged as a
     * verification, and the person is notified by email. Creation with a publishable key
     * is deprecated.
     */
    public VerificationSession createVerificationSession(VerificationSessionCreate parameters) {
        return createVerificationSession(parameters, null);
    }

    /** The same with options of its own. */
    public VerificationSession createVerificationSession(VerificationSessionCreate parameters, RequestOptions options) {
        return request(VerificationSession.class, "POST",
            "/v1/verification_sessions",
            null, parameters, options);
    }

    /**
     * Create an endpoint.
     * Creates a webhook endpoint. The response contains the signing secret, once.
     */
    public WebhookEndpoint createWebhookEndpoint(WebhookEndpointCreate parameters) {
        return createWebhookEndpoint(parameters, null);
    }

    /** The same with options of its own. */
    public WebhookEndpoint createWebhookEndpoint(WebhookEndpointCreate parameters, RequestOptions options) {
        return request(WebhookEndpoint.class, "POST",
            "/v1/webhook_endpoints",
            null, parameters, options);
    }

    /**
     * Delete an endpoint.
     * Deletes a webhook endpoint and ends its pending deliveries.
     */
    public DeletedWebhookEndpoint deleteWebhookEndpoint(String id) {
        return deleteWebhookEndpoint(id, null);
    }

    /** The same with options of its own. */
    public DeletedWebhookEndpoint deleteWebhookEndpoint(String id, RequestOptions options) {
        return request(DeletedWebhookEndpoint.class, "DELETE",
            "/v1/webhook_endpoints/" + id(id),
            null, null, options);
    }

    /**
     * Flag a session for review.
     * Places a verified session under review. Neither grant nor deny access until a review
     * event resolves it. The verification still counts unless a reviewer rejects it.
     */
    public VerificationSession flagVerificationSession(String id, SessionFlag parameters) {
        return flagVerificationSession(id, parameters, null);
    }

    /** The same without parameters. */
    public VerificationSession flagVerificationSession(String id) {
        return flagVerificationSession(id, new SessionFlag(), null);
    }

    /** The same with options of its own. */
    public VerificationSession flagVerificationSession(String id, SessionFlag parameters, RequestOptions options) {
        return request(VerificationSession.class, "POST",
            "/v1/session_reviews/sessions/" + id(id) + "/flag",
            null, parameters, options);
    }

    /**
     * List events.
     * Returns events, newest first. They are kept for 30 days unless the operator sets
     * another time.
     */
    public ObjectList<Event> listEvents(ListEventsParams parameters) {
        return listEvents(parameters, null);
    }

    /** The same without parameters. */
    public ObjectList<Event> listEvents() {
        return listEvents(new ListEventsParams(), null);
    }

    /** The same with options of its own. */
    public ObjectList<Event> listEvents(ListEventsParams parameters, RequestOptions options) {
        return list(Event.class, "/v1/events",
            parameters, options);
    }

    /**
     * List grants.
     * Returns the grants of all applications of the organization, so the key must be
     * organization-wide.
     */
    public ObjectList<TrustReuseGrant> listTrustReuseGrants(ListTrustReuseGrantsParams parameters) {
        return listTrustReuseGrants(parameters, null);
    }

    /** The same without parameters. */
    public ObjectList<TrustReuseGrant> listTrustReuseGrants() {
        return listTrustReuseGrants(new ListTrustReuseGrantsParams(), null);
    }

    /** The same with options of its own. */
    public ObjectList<TrustReuseGrant> listTrustReuseGrants(ListTrustReuseGrantsParams parameters, RequestOptions options) {
        return list(TrustReuseGrant.class, "/v1/trust_reuse/grants",
            parameters, options);
    }

    /**
     * List sessions.
     * Returns the sessions of your organization, newest first.
     */
    public ObjectList<VerificationSession> listVerificationSessions(ListVerificationSessionsParams parameters) {
        return listVerificationSessions(parameters, null);
    }

    /** The same without parameters. */
    public ObjectList<VerificationSession> listVerificationSessions() {
        return listVerificationSessions(new ListVerificationSessionsParams(), null);
    }

    /** The same with options of its own. */
    public ObjectList<VerificationSession> listVerificationSessions(ListVerificationSessionsParams parameters, RequestOptions options) {
        return list(VerificationSession.class, "/v1/verification_sessions",
            parameters, options);
    }

    /**
     * List deliveries.
     * Returns the deliveries to an endpoint, newest first.
     */
    public ObjectList<WebhookDelivery> listWebhookDeliveries(String id, ListWebhookDeliveriesParams parameters) {
        return listWebhookDeliveries(id, parameters, null);
    }

    /** The same without parameters. */
    public ObjectList<WebhookDelivery> listWebhookDeliveries(String id) {
        return listWebhookDeliveries(id, new ListWebhookDeliveriesParams(), null);
    }

    /** The same with options of its own. */
    public ObjectList<WebhookDelivery> listWebhookDeliveries(String id, ListWebhookDeliveriesParams parameters, RequestOptions options) {
        return list(WebhookDelivery.class, "/v1/webhook_endpoints/" + id(id) + "/deliveries",
            parameters, options);
    }

    /**
     * List endpoints.
     * Returns the webhook endpoints, newest first, without their signing secrets.
     */
    public ObjectList<WebhookEndpoint> listWebhookEndpoints(ListWebhookEndpointsParams parameters) {
        return listWebhookEndpoints(parameters, null);
    }

    /** The same without parameters. */
    public ObjectList<WebhookEndpoint> listWebhookEndpoints() {
        return listWebhookEndpoints(new ListWebhookEndpointsParams(), null);
    }

    /** The same with options of its own. */
    public ObjectList<WebhookEndpoint> listWebhookEndpoints(ListWebhookEndpointsParams parameters, RequestOptions options) {
        return list(WebhookEndpoint.class, "/v1/webhook_endpoints",
            parameters, options);
    }

    /**
     * Look up a verified person.
     * Reports whether this organization has verified the person with this email address or
     * phone number. Both are identifiers and do not prove who is asking. Use the result
     * directly only for a user who is logged in to your service.
     */
    public VerifiedPersonLookupResult lookUpVerifiedPerson(VerifiedPersonLookup parameters) {
        return lookUpVerifiedPerson(parameters, null);
    }

    /** The same without parameters. */
    public VerifiedPersonLookupResult lookUpVerifiedPerson() {
        return lookUpVerifiedPerson(new VerifiedPersonLookup(), null);
    }

    /** The same with options of its own. */
    public VerifiedPersonLookupResult lookUpVerifiedPerson(VerifiedPersonLookup parameters, RequestOptions options) {
        return request(VerifiedPersonLookupResult.class, "POST",
            "/v1/verified_person/lookup",
            null, parameters, options);
    }

    /**
     * Retrieve an event.
     * Returns an event.
     */
    public Event retrieveEvent(String id) {
        return retrieveEvent(id, null);
    }

    /** The same with options of its own. */
    public Event retrieveEvent(String id, RequestOptions options) {
        return request(Event.class, "GET",
            "/v1/events/" + id(id),
            null, null, options);
    }

    /**
     * Retrieve an assessment.
     * Returns an assessment as it was computed, either by a request or by the passive
     * checks of a session. The items of passive checks in the session's {@code results}
     * name their assessment. Assessments are kept for 90 days by default.
     */
    public RiskAssessment retrieveRiskAssessment(String id) {
        return retrieveRiskAssessment(id, null);
    }

    /** The same with options of its own. */
    public RiskAssessment retrieveRiskAssessment(String id, RequestOptions options) {
        return request(RiskAssessment.class, "GET",
            "/v1/risk/" + id(id),
            null, null, options);
    }

    /**
     * Retrieve the settings.
     * Returns the settings of the key's application, or the defaults if none were set.
     */
    public TrustReuseSettings retrieveTrustReuseSettings() {
        return retrieveTrustReuseSettings(null);
    }

    /** The same with options of its own. */
    public TrustReuseSettings retrieveTrustReuseSettings(RequestOptions options) {
        return request(TrustReuseSettings.class, "GET",
            "/v1/trust_reuse/settings",
            null, null, options);
    }

    /**
     * Retrieve a session.
     * Returns a session. With a publishable key, also send the session's client secret in
     * {@code X-Service-Session-Secret}.
     */
    public VerificationSession retrieveVerificationSession(String id, RetrieveVerificationSessionParams parameters) {
        return retrieveVerificationSession(id, parameters, null);
    }

    /** The same without parameters. */
    public VerificationSession retrieveVerificationSession(String id) {
        return retrieveVerificationSession(id, new RetrieveVerificationSessionParams(), null);
    }

    /** The same with options of its own. */
    public VerificationSession retrieveVerificationSession(String id, RetrieveVerificationSessionParams parameters, RequestOptions options) {
        return request(VerificationSession.class, "GET",
            "/v1/verification_sessions/" + id(id),
            parameters, null, options);
    }

    /**
     * Retrieve a delivery.
     * Returns the current state of a delivery.
     */
    public WebhookDelivery retrieveWebhookDelivery(String id, String deliveryId) {
        return retrieveWebhookDelivery(id, deliveryId, null);
    }

    /** The same with options of its own. */
    public WebhookDelivery retrieveWebhookDelivery(String id, String deliveryId, RequestOptions options) {
        return request(WebhookDelivery.class, "GET",
            "/v1/webhook_endpoints/" + id(id) + "/deliveries/" + id(deliveryId),
            null, null, options);
    }

    /**
     * Retrieve an endpoint.
     * Returns a webhook endpoint without its signing secret.
     */
    public WebhookEndpoint retrieveWebhookEndpoint(String id) {
        return retrieveWebhookEndpoint(id, null);
    }

    /** The same with options of its own. */
    public WebhookEndpoint retrieveWebhookEndpoint(String id, RequestOptions options) {
        return request(WebhookEndpoint.class, "GET",
            "/v1/webhook_endpoints/" + id(id),
            null, null, options);
    }

    /**
     * Retry a delivery.
     * Queues the delivery immediately, with the same id and whatever its status. The count
     * of attempts restarts, and the latest response is cleared.
     */
    public WebhookDelivery retryWebhookDelivery(String id, String deliveryId) {
        return retryWebhookDelivery(id, deliveryId, null);
    }

    /** The same with options of its own. */
    public WebhookDelivery retryWebhookDelivery(String id, String deliveryId, RequestOptions options) {
        return request(WebhookDelivery.class, "POST",
            "/v1/webhook_endpoints/" + id(id) + "/deliveries/" + id(deliveryId) + "/retry",
            null, null, options);
    }

    /**
     * Revoke a grant.
     * Ends the reuse of that person's verification. Sessions that the grant verified stay
     * verified. A grant that is already revoked is returned unchanged.
     */
    public TrustReuseGrant revokeTrustReuseGrant(String id) {
        return revokeTrustReuseGrant(id, null);
    }

    /** The same with options of its own. */
    public TrustReuseGrant revokeTrustReuseGrant(String id, RequestOptions options) {
        return request(TrustReuseGrant.class, "DELETE",
            "/v1/trust_reuse/grants/" + id(id),
            null, null, options);
    }

    /**
     * Rotate the signing secret.
     * Replaces the signing secret immediately: deliveries are no longer signed with the
     * old secret. The response contains the new secret, once.
     */
    public WebhookEndpoint rotateWebhookSecret(String id) {
        return rotateWebhookSecret(id, null);
    }

    /** The same with options of its own. */
    public WebhookEndpoint rotateWebhookSecret(String id, RequestOptions options) {
        return request(WebhookEndpoint.class, "POST",
            "/v1/webhook_endpoints/" + id(id) + "/rotate-secret",
            null, null, options);
    }

    /**
     * Score a risk.
     * Computes a risk assessment. At least one of {@code ip}, {@code email}, {@code phone}
     * and {@code device_id} is required. The service stores these only as keyed hashes.
     * With {@code session_id}, the {@code risk_tier} of the session rises to the level of
     * the assessment.
     */
    public RiskAssessment scoreRisk(RiskScore parameters) {
        return scoreRisk(parameters, null);
    }

    /** The same without parameters. */
    public RiskAssessment scoreRisk() {
        return scoreRisk(new RiskScore(), null);
    }

    /** The same with options of its own. */
    public RiskAssessment scoreRisk(RiskScore parameters, RequestOptions options) {
        return request(RiskAssessment.class, "POST",
            "/v1/risk/score",
            null, parameters, options);
    }

    /**
     * Send a test event.
     * Sends a complete sample event to this endpoint only, whatever event types the
     * endpoint subscribes to. {@code data.object} has the additional member {@code test}.
     * The default type is {@code verification_session.verified}. Retrieve the delivery for
     * its outcome.
     */
    public TestEvent sendTestEvent(String id, TestEventRequest parameters) {
        return sendTestEvent(id, parameters, null);
    }

    /** The same without parameters. */
    public TestEvent sendTestEvent(String id) {
        return sendTestEvent(id, new TestEventRequest(), null);
    }

    /** The same with options of its own. */
    public TestEvent sendTestEvent(String id, TestEventRequest parameters, RequestOptions options) {
        return request(TestEvent.class, "POST",
            "/v1/webhook_endpoints/" + id(id) + "/test",
            null, parameters, options);
    }

    /**
     * Set a test outcome.
     * Sets the result of a step of a sandbox session without evidence, so that you can
     * test an integration by hand or automatically. The session continues with the same
     * events as if a person had shown the evidence. If nobody has opened the session yet,
     * this call opens it. {@code value} is one of: {@code passed}; a code of {@code
     * FailureCode}, which makes the step fail; a code of {@code Hint}, which asks the
     * person again ({@code requires_input}) and uses no attempt; {@code undetermined}, for
     * which the workflow's {@code on_undetermined} decides what follows ({@code
     * under_review} by default); and for a session under review {@code review_approved} or
     * {@code review_rejected}. The steps of a workflow run in sequence: repeat the call
     * for each step. The result is never shared with other organizations. In a live
     * organization, the response is 400.
     */
    public VerificationSession setTestOutcome(String id, TestOutcome parameters) {
        return setTestOutcome(id, parameters, null);
    }

    /** The same with options of its own. */
    public VerificationSession setTestOutcome(String id, TestOutcome parameters, RequestOptions options) {
        return request(VerificationSession.class, "POST",
            "/v1/verification_sessions/" + id(id) + "/test_outcome",
            null, parameters, options);
    }

    /**
     * Update the settings.
     * Changes the parameters that you pass and keeps the others. To switch {@code enabled}
     * on, also pass {@code accept_liability}.
     */
    public TrustReuseSettings updateTrustReuseSettings(TrustReuseSettingsUpdate parameters) {
        return updateTrustReuseSettings(parameters, null);
    }

    /** The same without parameters. */
    public TrustReuseSettings updateTrustReuseSettings() {
        return updateTrustReuseSettings(new TrustReuseSettingsUpdate(), null);
    }

    /** The same with options of its own. */
    public TrustReuseSettings updateTrustReuseSettings(TrustReuseSettingsUpdate parameters, RequestOptions options) {
        return request(TrustReuseSettings.class, "PATCH",
            "/v1/trust_reuse/settings",
            null, parameters, options);
    }

    /**
     * Update an endpoint.
     * Changes the parameters that you pass and keeps the others. A {@code metadata} object
     * or an {@code enabled_events} list replaces the previous one.
     */
    public WebhookEndpoint updateWebhookEndpoint(String id, WebhookEndpointUpdate parameters) {
        return updateWebhookEndpoint(id, parameters, null);
    }

    /** The same without parameters. */
    public WebhookEndpoint updateWebhookEndpoint(String id) {
        return updateWebhookEndpoint(id, new WebhookEndpointUpdate(), null);
    }

    /** The same with options of its own. */
    public WebhookEndpoint updateWebhookEndpoint(String id, WebhookEndpointUpdate parameters, RequestOptions options) {
        return request(WebhookEndpoint.class, "POST",
            "/v1/webhook_endpoints/" + id(id),
            null, parameters, options);
    }
}
