/** Admission of requests: credential, budget, rights, scope and Idempotency-Key. */

export { createBodyProgram, type FromBodyThread, type ToBodyThread } from './body-program.ts';
export type { BodyThread } from './body-reader.ts';
export { type Budgets, createBudgets } from './budgets.ts';
export { countedLabels, turnOfLabels } from './bulk-calls.ts';
export { overSocketBudget, refusedCredential } from './charging.ts';
export {
  createEventsCache,
  type EventsCache,
  eventInScope,
  type KnownEvent,
  knownInTime,
  unknownEvent,
} from './events-cache.ts';
export { createLargeBodies, createLargeLimiter } from './large-bodies.ts';
export {
  type Asker,
  accountOf,
  type BuyerPrincipal,
  type ConsoleAsking,
  type ConsolePrincipal,
  type DashboardPrincipal,
  type EditorPrincipal,
  type ServerPrincipal,
} from './principal.ts';
export { createPrincipals, credentialHash, endOfAccess, type Principals } from './principals.ts';
export type {
  AdmissionPorts,
  BodyReceiver,
  Call,
  Coming,
  Credential,
  Incoming,
  Judged,
  LargeBodies,
  LargeLimiter,
  Method,
  PageBody,
  Request,
  Route,
  Row,
} from './route.ts';
export {
  type Budget,
  type BudgetLimits,
  budgets,
  budgetsOfEveryKey,
  credentialBudgets,
  readBudgetLimits,
  type Unbudgeted,
  unbudgeted,
} from './rules/budget.ts';
export {
  type ClientAddress,
  countedAddress,
  type IsProxy,
  networkOf,
  readTrustedProxies,
} from './rules/client-address.ts';
export {
  csrfTokenOf,
  endedCookie,
  endedSignIn,
  isOwnOrigin,
  sessionCookie,
  sessionTokenOf,
  signInCookie,
  signInOf,
} from './rules/session-cookie.ts';
export { callIdOf, scopeOf } from './scope.ts';
export { type Asking, mayUse, submit } from './submit.ts';
