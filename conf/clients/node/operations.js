// SPDX-License-Identifier: Apache-2.0
// Generated from the description of the API by scripts/api-clients.
import { pathOf } from './path.js';

export class Operations {
  cancelVerificationSession(id, options) {
    return this.request('POST', pathOf`/v1/verification_sessions/${id}/cancel`, {},
      options);
  }

  checkCompliance(params, options) {
    return this.request('GET', pathOf`/v1/compliance/check`, { query: params }, options);
  }

  createVerificationSession(params, options) {
    return this.request('POST', pathOf`/v1/verification_sessions`, { body: params },
      options);
  }

  createWebhookEndpoint(params, options) {
    return this.request('POST', pathOf`/v1/webhook_endpoints`, { body: params }, options);
  }

  deleteWebhookEndpoint(id, options) {
    return this.request('DELETE', pathOf`/v1/webhook_endpoints/${id}`, {}, options);
  }

  flagVerificationSession(id, params, options) {
    return this.request('POST', pathOf`/v1/session_reviews/sessions/${id}/flag`, { body: params },
      options);
  }

  listEvents(params, options) {
    return this.list(pathOf`/v1/events`, params, options);
  }

  listTrustReuseGrants(params, options) {
    return this.list(pathOf`/v1/trust_reuse/grants`, params, options);
  }

  listVerificationSessions(params, options) {
    return this.list(pathOf`/v1/verification_sessions`, params, options);
  }

  listWebhookDeliveries(id, params, options) {
    return this.list(pathOf`/v1/webhook_endpoints/${id}/deliveries`, params, options);
  }

  listWebhookEndpoints(params, options) {
    return this.list(pathOf`/v1/webhook_endpoints`, params, options);
  }

  lookUpVerifiedPerson(params, options) {
    return this.request('POST', pathOf`/v1/verified_person/lookup`, { body: params },
      options);
  }

  retrieveEvent(id, options) {
    return this.request('GET', pathOf`/v1/events/${id}`, {}, options);
  }

  retrieveRiskAssessment(id, options) {
    return this.request('GET', pathOf`/v1/risk/${id}`, {}, options);
  }

  retrieveTrustReuseSettings(options) {
    return this.request('GET', pathOf`/v1/trust_reuse/settings`, {}, options);
  }

  retrieveVerificationSession(id, params, options) {
    return this.request('GET', pathOf`/v1/verification_sessions/${id}`, { query: params },
      options);
  }

  retrieveWebhookDelivery(id, deliveryId, options) {
    return this.request('GET', pathOf`/v1/webhook_endpoints/${id}/deliveries/${deliveryId}`, {},
      options);
  }

  retrieveWebhookEndpoint(id, options) {
    return this.request('GET', pathOf`/v1/webhook_endpoints/${id}`, {}, options);
  }

  retryWebhookDelivery(id, deliveryId, options) {
    return this.request('POST', pathOf`/v1/webhook_endpoints/${id}/deliveries/${deliveryId}/retry`, {},
      options);
  }

  revokeTrustReuseGrant(id, options) {
    return this.request('DELETE', pathOf`/v1/trust_reuse/grants/${id}`, {}, options);
  }

  rotateWebhookSecret(id, options) {
    return this.request('POST', pathOf`/v1/webhook_endpoints/${id}/rotate-secret`, {},
      options);
  }

  scoreRisk(params, options) {
    return this.request('POST', pathOf`/v1/risk/score`, { body: params }, options);
  }

  sendTestEvent(id, params, options) {
    return this.request('POST', pathOf`/v1/webhook_endpoints/${id}/test`, { body: params },
      options);
  }

  setTestOutcome(id, params, options) {
    return this.request('POST', pathOf`/v1/verification_sessions/${id}/test_outcome`, { body: params },
      options);
  }

  updateTrustReuseSettings(params, options) {
    return this.request('PATCH', pathOf`/v1/trust_reuse/settings`, { body: params },
      options);
  }

  updateWebhookEndpoint(id, params, options) {
    return this.request('POST', pathOf`/v1/webhook_endpoints/${id}`, { body: params },
      options);
  }
}
