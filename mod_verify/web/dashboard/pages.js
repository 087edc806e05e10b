// Which pages there are, and in which order they stand at the side. A page whose
// data the service does not have is not in these lists.

import { Start } from './pages/start.js';
import { Reviews, Review } from './pages/reviews.js';
import { Sessions, Session } from './pages/sessions.js';
import { Endpoints, Endpoint, Delivery } from './pages/endpoints.js';
import { Events, EventOf } from './pages/events.js';
import { Persons } from './pages/persons.js';
import { TrustReuse } from './pages/trust_reuse.js';
import { Compliance } from './pages/compliance.js';
import { Audit } from './pages/audit.js';
import { Risk } from './pages/risk.js';
import { Design } from './pages/design.js';

// `way`: the entry at the side that leads to it; `needs`: the right without which
// it is not offered.
export const PAGES = {
  start: { view: Start },
  reviews: { view: Reviews },
  review: { view: Review, way: 'reviews' },
  sessions: { view: Sessions },
  session: { view: Session, way: 'sessions' },
  risk: { view: Risk, way: 'sessions' },
  persons: { view: Persons, needs: 'reviewer' },
  endpoints: { view: Endpoints },
  endpoint: { view: Endpoint, way: 'endpoints' },
  delivery: { view: Delivery, way: 'endpoints' },
  events: { view: Events },
  event: { view: EventOf, way: 'events' },
  trust_reuse: { view: TrustReuse },
  compliance: { view: Compliance },
  audit: { view: Audit },
  design: { view: Design },
};

export const GROUPS = [
  { pages: ['start'] },
  { title: 'work', pages: ['reviews', 'sessions', 'persons'] },
  { title: 'connect', pages: ['endpoints', 'events'] },
  { title: 'rules', pages: ['compliance', 'trust_reuse', 'audit'] },
];
