/** The attribution of a sale: the part of a record that tells how the sale was reached. */
import type { Caller } from '@parterre/shared/protocol/commands';
import type { Attribution, JournalRecord, Line } from '@parterre/shared/protocol/records';
import { type Booking, channelOf, type ReadState } from '../state/state.ts';
import { isIn, keyOf, maskFor, publicOnly } from './masks.ts';

/** Writes the attribution of these lines into a record. */
export function noteAttribution(
  state: ReadState,
  record: JournalRecord & { type: 'held' | 'booked' },
  caller: Caller,
  lines: readonly Line[],
): void {
  const { reach, session, partnerRef, buyerRef } = caller;
  if (record.type === 'held' && reach && keyOf(reach) !== null) record.reach = reach;
  if (session) record.sessionId = session.id;
  if (partnerRef !== undefined) record.partnerRef = partnerRef;
  if (buyerRef !== undefined) record.buyerRef = buyerRef;
  const overridden = overriddenOf(
    state,
    caller,
    lines.map(({ unit }) => unit),
  );
  if (overridden) record.overridden = overridden;
}

/** The units that the caller got only by an override, with the override's reason. Undefined if there are none. */
export function overriddenOf(state: ReadState, caller: Caller, units: readonly number[]): Attribution['overridden'] {
  const { override, reach = publicOnly } = caller;
  if (!override || state.channels.of === null) return undefined;
  const own = maskFor(state, reach);
  const others = units.filter((unit) => channelOf(state, unit) !== undefined && !isIn(own, unit));
  return others.length > 0 ? { units: others, reason: override.reason } : undefined;
}

/**
 * For folds. Notes the access source of each line whose source differs from its booking's, so that the sale
 * keeps its source for good.
 */
export function attributed(
  known: Readonly<Booking>,
  { lines, accessSource }: JournalRecord & { type: 'booked' },
): Line[] {
  if (accessSource === known.accessSource) return lines;
  return lines.map((line) =>
    line.channelId === undefined || line.accessSource !== undefined ? line : { ...line, accessSource },
  );
}

/**
 * The external references of these lines' channels, by channel id. The record keeps them, even if a channel's reference
 * changes later. Null if no channel has a reference.
 */
export function externalRefsOf(
  { channels: { byId } }: ReadState,
  lines: readonly Line[],
): Record<string, string> | null {
  if (byId.size === 0) return null;
  let refs: Record<string, string> | null = null;
  let last: string | undefined;
  for (const { channelId } of lines) {
    if (channelId === undefined || channelId === last) continue;
    last = channelId;
    const externalRef = byId.get(channelId)?.externalRef;
    if (externalRef == null) continue;
    refs ??= {};
    refs[channelId] = externalRef;
  }
  return refs;
}
