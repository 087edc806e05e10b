// Who looks at the page, and what this person may do. What is hidden here is also
// refused by the service: this only keeps buttons away that would be refused.

import { createContext, useContext } from './view.js';

// What each role may do; domain/account/operator.h decides.
const MAY = {
  auditor: ['auditor'],
  reviewer: ['auditor', 'reviewer'],
  developer: ['auditor', 'developer'],
  publisher: ['auditor', 'developer', 'publisher'],
  admin: ['auditor', 'reviewer', 'developer', 'publisher', 'admin'],
};

export const ROLES = Object.keys(MAY);

// Whether ROLE may do nothing that somebody with ROLES may not.
export function within(role, roles) {
  return MAY[role].every((right) => mayWith(roles, right));
}

export const Service = createContext(null);

// {api, organization, me, may(right), queue}: what every page of an organization
// is drawn with.
export function useService() {
  return useContext(Service);
}

// Whether somebody with ROLES may do what needs RIGHT.
export function mayWith(roles, right) {
  return roles.some((role) => (MAY[role] || []).includes(right));
}
