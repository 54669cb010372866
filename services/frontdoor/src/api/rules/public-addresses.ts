/**
 * The addresses of a chart's public files and of an audience's statuses. An address has all that a front door needs to
 * answer, so no front door keeps a list of the addresses that others have told.
 *
 * - `/pub/charts/{hash}?event={key}&seal={seal}`: the seal shows that a front door has named this file for this event.
 *   Without it anybody could make a front door load any event.
 * - `/pub/statuses/{audienceId}?event={key}&scope={scope}&seal={seal}`: the id is an HMAC over event, scope and
 *   revocation epoch, so it cannot be guessed, and it ends when access to a channel of the event is revoked. The event
 *   tells its epoch. The seal has no epoch, so a stranger's address is refused before the event is looked up. Public
 *   sale has neither epoch nor scope, and its id is its seal: nobody is kept from it.
 *
 * A scope names channels by their numbers in the event, since 500 ids would not fit an address. Example: `public.3.7`.
 * Pure.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { Reach } from '@parterre/shared/protocol/records';

type AudienceEvent = Pick<EventRecord, 'key' | 'accessEpoch'>;

export const publicScope = 'public';
const NO_SCOPE = 'none';
/** 128 bits. */
const MARK_LENGTH = 22;

export function chartFileUrl(key: KeyObject, eventKey: string, hash: string): string {
  return `/pub/charts/${hash}?event=${encodeURIComponent(eventKey)}&seal=${fileSeal(key, eventKey, hash)}`;
}

export function isFileSeal(key: KeyObject, eventKey: string, hash: string, seal: string): boolean {
  return isSame(seal, fileSeal(key, eventKey, hash));
}

export function statusesUrl(key: KeyObject, event: AudienceEvent, scope: string): string {
  const named = scope === publicScope ? '' : `&scope=${scope}&seal=${scopeSeal(key, event.key, scope)}`;
  return `/pub/statuses/${audienceId(key, event, scope)}?event=${encodeURIComponent(event.key)}${named}`;
}

export function isAudienceId(key: KeyObject, event: AudienceEvent, scope: string, id: string): boolean {
  return isSame(id, audienceId(key, event, scope));
}

/** Whether a front door has told an address for this event and scope. The address may have ended since. */
export function isToldAddress(
  key: KeyObject,
  { eventKey, scope, id, seal }: { eventKey: string; scope: string; id: string; seal: string },
): boolean {
  return scope === publicScope
    ? isAudienceId(key, { key: eventKey }, scope, id)
    : isSame(seal, scopeSeal(key, eventKey, scope));
}

function scopeSeal(key: KeyObject, eventKey: string, scope: string): string {
  return markOf(key, `scope ${eventKey} ${scope}`);
}

function fileSeal(key: KeyObject, eventKey: string, hash: string): string {
  return markOf(key, `chart ${eventKey} ${hash}`);
}

function audienceId(key: KeyObject, { key: eventKey, accessEpoch = 0 }: AudienceEvent, scope: string): string {
  return markOf(key, `statuses ${eventKey} ${scope} ${scope === publicScope ? 0 : accessEpoch}`);
}

function markOf(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, MARK_LENGTH);
}

function isSame(sent: string, mark: string): boolean {
  return Buffer.byteLength(sent) === MARK_LENGTH && timingSafeEqual(Buffer.from(sent), Buffer.from(mark));
}

/** `numbers`: of the event's channels. A channel without a unit has none, and shows nothing. */
export function scopeOf({ channelIds, includePublic }: Reach, numbers: ReadonlyMap<string, number>): string {
  const named = channelIds.flatMap((id) => numbers.get(id) ?? []);
  const channels = [...new Set(named)].sort((a, b) => a - b);
  return [...(includePublic ? [publicScope] : []), ...channels].join('.') || NO_SCOPE;
}

/** Null for a text that no front door makes, or whose channels are not known here (yet). */
export function reachOf(scope: string, numbers: ReadonlyMap<string, number>): Reach | null {
  const parts = scope === NO_SCOPE ? [] : scope.split('.');
  const includePublic = parts[0] === publicScope;
  const wanted = new Set(includePublic ? parts.slice(1) : parts);
  const channelIds = [...numbers].flatMap(([id, number]) => (wanted.has(String(number)) ? [id] : []));
  return channelIds.length === wanted.size ? { channelIds, includePublic } : null;
}
