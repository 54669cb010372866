/** The kinds of principals, and the parts of a request that name one. */
import type { Principal } from '@parterre/shared/protocol/catalog/scope';
import type { Mode } from '@parterre/shared/protocol/records';
import type { From } from '../caches/caches.ts';

export type SecretPrincipal = Extract<Principal, { kind: 'secret' }>;
/** `mode`: the call reaches this mode alone. [both] */
export type DashboardPrincipal = Extract<Principal, { kind: 'dashboard' }> & { mode?: Mode };
/** The principals of routes for servers. */
export type ServerPrincipal = SecretPrincipal | DashboardPrincipal;
/** `keyHash` names the key or session in `changed` broadcasts. */
export type Hashed<P> = P & { keyHash: string };
export type ManagePrincipal = Hashed<Extract<Principal, { kind: 'manage' }>>;
/**
 * The principals of routes for one event's inventory. A manage session may use the routes that its capabilities name.
 */
export type ConsolePrincipal = ServerPrincipal | ManagePrincipal;
export type DesignerPrincipal = Hashed<Extract<Principal, { kind: 'designer' }>>;
/** The principals of routes for one chart. A designer session may use the routes that its authority reaches. */
export type EditorPrincipal = ServerPrincipal | DesignerPrincipal;
export type BuyerPrincipal = Hashed<Extract<Principal, { kind: 'publishable' | 'buyer' }>>;
/** A buyer's session to a group or season. */
export type OwnerBuyerPrincipal = Hashed<Extract<Principal, { kind: 'owner-buyer' }>>;
/** The caller of a route: true for the operator, null on a route without a credential. */
export type Asker = true | null | ConsolePrincipal | EditorPrincipal | BuyerPrincipal | OwnerBuyerPrincipal;

/** The organisation of a key, a user or an embedded session; null for buyers, the operator and nobody. */
export function accountOf(asker: Asker): string | null {
  if (asker === null || asker === true) return null;
  switch (asker.kind) {
    case 'secret':
    case 'dashboard':
    case 'manage':
    case 'designer':
      return asker.organisationId;
    case 'publishable':
    case 'buyer':
    case 'owner-buyer':
      return null;
  }
}

export function isManage(asker: Asker): asker is ManagePrincipal {
  return asker !== null && asker !== true && asker.kind === 'manage';
}

/** The parts of a request that carry its credential. Failed credentials are charged to the address. */
export type ServerAsking = From & {
  method: string;
  authorization: string;
  cookie: string;
  csrfToken: string;
  /** The mode that a page of the dashboard shows. [none] */
  mode?: string;
};
export type ConsoleAsking = ServerAsking & { origin: string };
export type BuyerAsking = From & { authorization: string; origin: string };
