// The other pages that come when one of them is opened. They come together, because
// small files compress badly.

import './dashboard.js'; // all that is common comes with the first page

export { Review } from './pages/review_case.js';
export { SecondReview, SecondReviews } from './pages/second_reviews.js';
export { Risk } from './pages/risk.js';
export { Person, Persons } from './pages/persons.js';
export { Deliveries, Delivery, Endpoint, Endpoints } from './pages/endpoints.js';
export { Keys } from './pages/keys.js';
export { OidcClient, OidcClients } from './pages/oidc_clients.js';
export { EventOf, Events } from './pages/events.js';
export { TrustReuse } from './pages/trust_reuse.js';
export { TrustList, TrustLists } from './pages/trust_lists.js';
export { Compliance } from './pages/compliance.js';
export { Usage } from './pages/usage.js';
export { Audit } from './pages/audit.js';
export { Team } from './pages/team.js';
export { Health } from './pages/health.js';
export { Settings } from './pages/settings.js';
