// The widget in one module: it begins the conversation with the service, and
// it is what the modules of methods/ import.

export { announce, button, h, heading, icon, link, list } from './page/dom.js';
export { isAnotherAttempt, safeUrl } from './session/flow.js';
export { follow } from './session/follow.js';
export { skipStep } from './methods.js';
export { scene } from './page/scenes.js';
export { actions, alertBox, cancelButton, leaveButton, moreOptions,
  otherMethodButton, phoneButton, problemBox, reasonBox } from './page/screens.js';
import './app.js';
