/** Admission of requests: credential, budget, rights, scope and Idempotency-Key. */
export {
  type Budget,
  type BudgetLimits,
  budgets,
  credentialBudgets,
  readBudgetLimits,
  type Unbudgeted,
  unbudgeted,
} from './budget.ts';
export { type Budgets, createBudgets } from './budgets.ts';
export { countedLabels, turnOfLabels } from './bulk-calls.ts';
export { overSocketBudget, refusedCredential } from './charging.ts';
export { type ClientAddress, countedAddress, networkOf, readTrustedProxies } from './client-address.ts';
export {
  createEventsCache,
  type EventsCache,
  eventInScope,
  type KnownEvent,
  knownInTime,
  unknownEvent,
} from './events-cache.ts';
export type {
  BuyerPrincipal,
  ConsoleAsking,
  ConsolePrincipal,
  DashboardPrincipal,
  EditorPrincipal,
  ServerPrincipal,
} from './principal.ts';
export { createPrincipals, credentialHash, endOfAccess, type Principals } from './principals.ts';
export type {
  AdmissionPorts,
  BodyReceiver,
  Call,
  Coming,
  Credential,
  Method,
  PageBody,
  Request,
  Route,
  Row,
} from './route.ts';
export { callIdOf, scopeOf } from './scope.ts';
export { csrfTokenOf, endedCookie, isOwnOrigin, sessionCookie, sessionTokenOf } from './session-cookie.ts';
export { mayUse, submit } from './submit.ts';
export { createTenantTurns, type TenantTurns } from './tenant-turns.ts';
