// Which pages there are, and in which order they stand at the side. A page whose
// data the service does not have is not in these lists.

import { Start } from './pages/start.js';
import { Reviews } from './pages/reviews.js';
import { Sessions, Session } from './pages/sessions.js';
import { later } from './later.js';

// The other pages come when they are opened.
const ofWorkflows = (name) => later(name, () => import('./workflow_pages.js'));
const other = (name) => later(name, () => import('./other_pages.js'));

// `way`: the entry at the side that leads to it; `needs`: the right without which
// it is not offered.
export const PAGES = {
  __proto__: null, // an address can name anything
  start: { view: Start },
  overview: { view: Start, way: 'start' }, // as it is called
  reviews: { view: Reviews },
  review: { view: other('Review'), way: 'reviews' },
  second_reviews: { view: other('SecondReviews'), way: 'reviews' },
  second_review: { view: other('SecondReview'), way: 'reviews' },
  sessions: { view: Sessions },
  session: { view: Session, way: 'sessions' },
  risk: { view: other('Risk'), way: 'sessions' },
  persons: { view: other('Persons'), needs: 'reviewer' },
  person: { view: other('Person'), way: 'persons' },
  workflows: { view: ofWorkflows('Workflows') },
  workflow: { view: ofWorkflows('Workflow'), way: 'workflows' },
  draft: { view: ofWorkflows('Draft'), way: 'workflows' },
  sandbox: { view: ofWorkflows('Sandbox'), way: 'workflows', needs: 'developer' },
  simulations: { view: ofWorkflows('Simulations'), way: 'workflows' },
  simulation: { view: ofWorkflows('Simulation'), way: 'workflows' },
  endpoints: { view: other('Endpoints') },
  endpoint: { view: other('Endpoint'), way: 'endpoints' },
  deliveries: { view: other('Deliveries') },
  delivery: { view: other('Delivery'), way: 'deliveries' },
  keys: { view: other('Keys') },
  oidc_clients: { view: other('OidcClients') },
  oidc_client: { view: other('OidcClient'), way: 'oidc_clients' },
  events: { view: other('Events') },
  event: { view: other('EventOf'), way: 'events' },
  trust_reuse: { view: other('TrustReuse') },
  trust_lists: { view: other('TrustLists') },
  trust_list: { view: other('TrustList'), way: 'trust_lists' },
  compliance: { view: other('Compliance') },
  usage: { view: other('Usage') },
  audit: { view: other('Audit') },
  team: { view: other('Team') },
  health: { view: other('Health') },
  settings: { view: other('Settings') },
};

// The entries at the side: a page, or pages under one name, which are listed while one of
// them is shown.
export const ENTRIES = [
  { pages: ['start'] },
  { pages: ['reviews'] },
  { pages: ['sessions'] },
  { pages: ['persons'] },
  { name: 'connect', icon: 'endpoints', pages: ['endpoints', 'deliveries', 'events', 'keys',
    'oidc_clients'] },
  { name: 'rules', icon: 'workflows', pages: ['workflows', 'compliance', 'trust_lists',
    'trust_reuse'] },
  { name: 'organization', icon: 'audit', pages: ['usage', 'team', 'audit', 'settings'] },
  { pages: ['health'] },
];
