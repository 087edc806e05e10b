// Which pages there are, and in which order they stand at the side. A page whose
// data the service does not have is not in these lists.

import { Start } from './pages/start.js';
import { Reviews } from './pages/reviews.js';
import { Review } from './pages/review_case.js';
import { SecondReviews, SecondReview } from './pages/second_reviews.js';
import { Sessions, Session } from './pages/sessions.js';
import { Endpoints, Endpoint, Deliveries, Delivery } from './pages/endpoints.js';
import { Keys } from './pages/keys.js';
import { OidcClients, OidcClient } from './pages/oidc_clients.js';
import { Events, EventOf } from './pages/events.js';
import { Persons, Person } from './pages/persons.js';
import { TrustReuse } from './pages/trust_reuse.js';
import { TrustLists, TrustList } from './pages/trust_lists.js';
import { Compliance } from './pages/compliance.js';
import { Usage } from './pages/usage.js';
import { Workflows, Workflow } from './pages/workflows.js';
import { Draft } from './pages/workflow_editor.js';
import { Sandbox } from './pages/workflow_sandbox.js';
import { Simulations, Simulation } from './pages/simulations.js';
import { Settings } from './pages/settings.js';
import { Audit } from './pages/audit.js';
import { Team } from './pages/team.js';
import { Health } from './pages/health.js';
import { Risk } from './pages/risk.js';
import { Design } from './pages/design.js';

// `way`: the entry at the side that leads to it; `needs`: the right without which
// it is not offered.
export const PAGES = {
  start: { view: Start },
  reviews: { view: Reviews },
  review: { view: Review, way: 'reviews' },
  second_reviews: { view: SecondReviews, way: 'reviews' },
  second_review: { view: SecondReview, way: 'reviews' },
  sessions: { view: Sessions },
  session: { view: Session, way: 'sessions' },
  risk: { view: Risk, way: 'sessions' },
  persons: { view: Persons, needs: 'reviewer' },
  person: { view: Person, way: 'persons' },
  workflows: { view: Workflows },
  workflow: { view: Workflow, way: 'workflows' },
  draft: { view: Draft, way: 'workflows' },
  sandbox: { view: Sandbox, way: 'workflows', needs: 'developer' },
  simulations: { view: Simulations, way: 'workflows' },
  simulation: { view: Simulation, way: 'workflows' },
  endpoints: { view: Endpoints },
  endpoint: { view: Endpoint, way: 'endpoints' },
  deliveries: { view: Deliveries },
  delivery: { view: Delivery, way: 'deliveries' },
  keys: { view: Keys },
  oidc_clients: { view: OidcClients },
  oidc_client: { view: OidcClient, way: 'oidc_clients' },
  events: { view: Events },
  event: { view: EventOf, way: 'events' },
  trust_reuse: { view: TrustReuse },
  trust_lists: { view: TrustLists },
  trust_list: { view: TrustList, way: 'trust_lists' },
  compliance: { view: Compliance },
  usage: { view: Usage },
  audit: { view: Audit },
  team: { view: Team },
  health: { view: Health },
  settings: { view: Settings },
  design: { view: Design },
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
