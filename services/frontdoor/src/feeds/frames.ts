/** The text frames of wire contract 8, encoded once for everyone who sees the same. Pure. */
import type { Plan } from '@parterre/shared/chart/plan';
import type { ScopesInForce } from '@parterre/shared/chart/scopes';
import {
  type Audience,
  freePlaces,
  jsonWithSeats,
  objectsOf,
  shownStatus,
  statusWord,
  stripped,
} from '../rules/objects.ts';

const PROTOCOL = 1;

export const pongFrame = JSON.stringify({ type: 'pong', protocol: PROTOCOL });

/** What is hidden and closed, and the `ScopeState` by object that it comes to. */
export type Scopes = ScopesInForce & { byObject: Uint8Array | null };

/** Told before the snapshot in which it shows. */
export function hiddenFrame({ hidden, closed }: ScopesInForce): string {
  return JSON.stringify({ type: 'hidden', protocol: PROTOCOL, hidden, closed });
}

export function snapshotFrame(
  plan: Plan,
  statuses: Uint8Array,
  version: number,
  audience: Audience,
  { hidden, closed, byObject }: Scopes,
): string {
  const objects = objectsOf(plan, statuses, audience, true, byObject);
  const frame = { snapshotVersion: version, default: objects.default, hidden, closed, ga: objects.ga };
  return jsonWithSeats({ type: 'snapshot', protocol: PROTOCOL, ...frame }, objects);
}

/** `units` with the status each has now; `resumed` marks the answer to a viewer that came back. */
export function deltaFrame(
  plan: Plan,
  statuses: Uint8Array,
  version: number,
  audience: Audience,
  units: Iterable<number>,
  { byObject }: Scopes,
  resumed = false,
): string {
  const changed = [...units];
  const changes: { label: string; status: string }[] = [];
  for (const unit of changed) {
    const status = shownStatus(plan, unit, statuses[unit]!, audience, byObject);
    if (status !== stripped) changes.push({ label: plan.labels.at(unit), status: statusWord(status, audience) });
  }
  const ga = freePlaces(plan, statuses, audience, changed, byObject);
  return JSON.stringify({
    type: 'delta',
    protocol: PROTOCOL,
    snapshotVersion: version,
    changes,
    ...(Object.keys(ga).length === 0 ? {} : { ga }),
    ...(resumed ? { resumed: true } : {}),
  });
}
