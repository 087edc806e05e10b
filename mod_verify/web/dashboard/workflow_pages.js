// The pages of workflows, which come together when one of them is opened.

import './dashboard.js'; // all that is common comes with the first page

export { Workflow, Workflows } from './pages/workflows.js';
export { Draft } from './pages/workflow_editor.js';
export { Sandbox } from './pages/workflow_sandbox.js';
export { Simulation, Simulations } from './pages/simulations.js';
