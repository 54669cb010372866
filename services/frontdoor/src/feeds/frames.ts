/** The text frames of wire contract 8, encoded once for everyone who sees the same. Pure. */
import type { Plan } from '@parterre/shared/chart/plan';
import { type Audience, freePlaces, jsonWithSeats, objectsOf, shownStatus, statusWord } from '../rules/objects.ts';

const PROTOCOL = 1;

export const pongFrame = JSON.stringify({ type: 'pong', protocol: PROTOCOL });

export function snapshotFrame(plan: Plan, statuses: Uint8Array, version: number, audience: Audience): string {
  const objects = objectsOf(plan, statuses, audience, true);
  const frame = { snapshotVersion: version, default: objects.default, hidden: [], closed: [], ga: objects.ga };
  return jsonWithSeats({ type: 'snapshot', protocol: PROTOCOL, ...frame }, objects);
}

/** `units` with the status each has now; `resumed` marks the answer to a viewer that came back. */
export function deltaFrame(
  plan: Plan,
  statuses: Uint8Array,
  version: number,
  audience: Audience,
  units: Iterable<number>,
  resumed = false,
): string {
  const changed = [...units];
  const changes = changed.map((unit) => ({
    label: plan.labels.at(unit),
    status: statusWord(shownStatus(plan, unit, statuses[unit]!, audience), audience),
  }));
  const ga = freePlaces(plan, statuses, audience, changed);
  return JSON.stringify({
    type: 'delta',
    protocol: PROTOCOL,
    snapshotVersion: version,
    changes,
    ...(Object.keys(ga).length === 0 ? {} : { ga }),
    ...(resumed ? { resumed: true } : {}),
  });
}
