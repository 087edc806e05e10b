// Which pages there are, and in which order they stand at the side. A page whose
// data the service does not have is not in these lists.

import { Start } from './pages/start.js';
import { Reviews } from './pages/reviews.js';
import { Sessions, Session } from './pages/sessions.js';
import { later } from './later.js';

// The other pages come when they are opened.
const reviewCase = () => import('./pages/review_case.js');
const secondReviews = () => import('./pages/second_reviews.js');
const risk = () => import('./pages/risk.js');
const persons = () => import('./pages/persons.js');
const workflows = () => import('./pages/workflows.js');
const workflowEditor = () => import('./pages/workflow_editor.js');
const workflowSandbox = () => import('./pages/workflow_sandbox.js');
const simulations = () => import('./pages/simulations.js');
const endpoints = () => import('./pages/endpoints.js');
const keys = () => import('./pages/keys.js');
const oidcClients = () => import('./pages/oidc_clients.js');
const events = () => import('./pages/events.js');
const trustReuse = () => import('./pages/trust_reuse.js');
const trustLists = () => import('./pages/trust_lists.js');
const compliance = () => import('./pages/compliance.js');
const usage = () => import('./pages/usage.js');
const audit = () => import('./pages/audit.js');
const team = () => import('./pages/team.js');
const health = () => import('./pages/health.js');
const settings = () => import('./pages/settings.js');
const design = () => import('./pages/design.js');

// `way`: the entry at the side that leads to it; `needs`: the right without which
// it is not offered.
export const PAGES = {
  __proto__: null, // an address can name anything
  start: { view: Start },
  overview: { view: Start, way: 'start' }, // as it is called
  reviews: { view: Reviews },
  review: { view: later('Review', reviewCase), way: 'reviews' },
  second_reviews: { view: later('SecondReviews', secondReviews), way: 'reviews' },
  second_review: { view: later('SecondReview', secondReviews), way: 'reviews' },
  sessions: { view: Sessions },
  session: { view: Session, way: 'sessions' },
  risk: { view: later('Risk', risk), way: 'sessions' },
  persons: { view: later('Persons', persons), needs: 'reviewer' },
  person: { view: later('Person', persons), way: 'persons' },
  workflows: { view: later('Workflows', workflows) },
  workflow: { view: later('Workflow', workflows), way: 'workflows' },
  draft: { view: later('Draft', workflowEditor), way: 'workflows' },
  sandbox: { view: later('Sandbox', workflowSandbox), way: 'workflows', needs: 'developer' },
  simulations: { view: later('Simulations', simulations), way: 'workflows' },
  simulation: { view: later('Simulation', simulations), way: 'workflows' },
  endpoints: { view: later('Endpoints', endpoints) },
  endpoint: { view: later('Endpoint', endpoints), way: 'endpoints' },
  deliveries: { view: later('Deliveries', endpoints) },
  delivery: { view: later('Delivery', endpoints), way: 'deliveries' },
  keys: { view: later('Keys', keys) },
  oidc_clients: { view: later('OidcClients', oidcClients) },
  oidc_client: { view: later('OidcClient', oidcClients), way: 'oidc_clients' },
  events: { view: later('Events', events) },
  event: { view: later('EventOf', events), way: 'events' },
  trust_reuse: { view: later('TrustReuse', trustReuse) },
  trust_lists: { view: later('TrustLists', trustLists) },
  trust_list: { view: later('TrustList', trustLists), way: 'trust_lists' },
  compliance: { view: later('Compliance', compliance) },
  usage: { view: later('Usage', usage) },
  audit: { view: later('Audit', audit) },
  team: { view: later('Team', team) },
  health: { view: later('Health', health) },
  settings: { view: later('Settings', settings) },
  design: { view: later('Design', design) },
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
