/**
 * Operations over several events: one document for each, made of the records of its parts. The parts are in the streams
 * of several partitions, whose groups come in any order among each other. So each part counts its own event's groups
 * once, by a `seq` of its own, and the order of the streams does not matter: the state follows from the parts alone.
 *
 * The first record of a part (`part-held`, or `operation-aborted` at the home) has the whole head.
 */

import type { OperationState } from '@parterre/shared/protocol/catalog/operations';
import { Fault } from '@parterre/shared/protocol/errors';
import type { OperationHead } from '@parterre/shared/protocol/operations/operation';
import type { Attribution, JournalRecord } from '@parterre/shared/protocol/records';
import { operationActionsKept } from '../../store/rules/bounds.ts';
import type { OperationAction, OperationPart, OperationProjection } from '../../store/rules/records.ts';
import { standingOf } from './operation-states.ts';
import type { Counted } from './views.ts';

/** The records of one group that are about one operation. */
export type OperationChange = { eventKey: string; seq: number; at: number; records: JournalRecord[] };

/** The records of a group by the operation's internal id. Nothing for a group of ordinary sales. */
export function operationsIn({ eventKey, seq, group }: Counted): ReadonlyMap<string, OperationChange> {
  let found: Map<string, OperationChange> | null = null;
  for (const record of group.records) {
    const id = operationOf(record);
    if (id === undefined) continue;
    found ??= new Map();
    const change = found.get(id);
    if (change) change.records.push(record);
    else found.set(id, { eventKey, seq, at: group.at, records: [record] });
  }
  return found ?? none;
}

const none: ReadonlyMap<string, OperationChange> = new Map();

function operationOf(record: JournalRecord): string | undefined {
  switch (record.type) {
    case 'held':
    case 'booked':
    case 'unbooked':
    case 'extended':
    case 'released':
    case 'expired':
      return record.operation?.id;
    case 'part-held':
    case 'operation-aborted':
      return record.head.id;
    case 'part-pinned':
    case 'part-unpinned':
    case 'action-refused':
      return record.id;
    default:
      return undefined;
  }
}

/** `before` itself where every change was counted already. */
export function countOperation(
  before: OperationProjection | undefined,
  changes: readonly OperationChange[],
): OperationProjection | undefined {
  const fresh = changes.filter(({ eventKey, seq }) => seq > (before?.parts.find(isOf(eventKey))?.seq ?? 0));
  if (fresh.length === 0) return before;
  const after = before ? copyOf(before) : begun(fresh);
  for (const change of fresh) foldChange(after, change);
  const standing = standingOf(after.parts);
  const isConverged = before?.convergedAt != null && before.state === standing.state;
  const isNews = after.head.owner.kind === 'season' && standing.state !== before?.state;
  return {
    ...after,
    ...standing,
    ...(isNews && followed.includes(standing.state) && { due: true as const }),
    actionIds: after.actions.map(({ id }) => id),
    bookingRefs: after.head.owner.kind === 'season' ? bookingRefsOf(after) : [],
    convergedAt: standing.isOpen ? null : isConverged ? before.convergedAt : after.changedAt,
  };
}

function bookingRefsOf({ actions }: OperationProjection): string[] {
  return [...new Set(actions.flatMap(({ bookingRef }) => bookingRef ?? []))];
}

/** The states from which something follows for a season. */
const followed: readonly OperationState[] = ['committed', 'booked'];

function copyOf(before: OperationProjection): OperationProjection {
  const parts = before.parts.map((part) => ({ ...part }));
  return { ...before, parts, actions: before.actions.map((action) => ({ ...action })) };
}

function begun(changes: readonly OperationChange[]): OperationProjection {
  const head = headOf(changes);
  const parts = head.eventKeys.map((eventKey): OperationPart => {
    const times = { expiresAt: null, bookedAt: null, endedAt: null };
    return { eventKey, seq: 0, state: 'none', holdId: null, units: 0, action: null, ...times };
  });
  return {
    ownerId: ownerIdOf(head.owner),
    head,
    parts,
    actions: [],
    actionIds: [],
    bookingRefs: [],
    createdAt: Number.POSITIVE_INFINITY,
    changedAt: 0,
    convergedAt: null,
    state: 'preparing',
    isOpen: true,
    sessionId: null,
    buyerRef: null,
    partnerRef: null,
    accessSource: 'public',
  };
}

function headOf(changes: readonly OperationChange[]): OperationHead {
  for (const { records } of changes) for (const record of records) if ('head' in record) return record.head;
  throw new Fault(`project an operation of ${changes[0]!.eventKey}: its first record is not the beginning of a part`);
}

export function ownerIdOf({ kind, key }: OperationHead['owner']): string {
  return `${kind}/${key}`;
}

function isOf(eventKey: string): (part: OperationPart) => boolean {
  return (part) => part.eventKey === eventKey;
}

/** Writes into `operation`. */
function foldChange(operation: OperationProjection, { eventKey, seq, at, records }: OperationChange): void {
  const part = operation.parts.find(isOf(eventKey));
  // A caller used the name again, for other events. The coordinator refuses the call, and takes its parts back.
  if (!part) return;
  operation.createdAt = Math.min(operation.createdAt, at);
  operation.changedAt = Math.max(operation.changedAt, at);
  part.seq = seq;
  for (const record of records) foldRecord(operation, part, record, at);
}

function foldRecord(operation: OperationProjection, part: OperationPart, record: JournalRecord, at: number): void {
  switch (record.type) {
    case 'held':
      Object.assign(part, { state: 'held', holdId: record.holdId, units: record.lines.length });
      part.expiresAt = record.expiresAt;
      Object.assign(operation, buyerOf(record), { accessSource: record.accessSource });
      break;
    case 'operation-aborted':
      Object.assign(part, { state: 'aborted', endedAt: at });
      break;
    case 'extended':
      part.expiresAt = record.expiresAt;
      break;
    case 'part-pinned':
      Object.assign(part, { state: 'pinned', action: { id: record.action.id, kind: record.action.kind } });
      if (record.action.kind === 'book') note(operation, record.action.id, record.action.bookingRef, at);
      break;
    case 'part-unpinned':
      Object.assign(part, { state: 'held', action: null, expiresAt: record.expiresAt });
      break;
    case 'action-refused':
      note(operation, record.actionId, null, at).isRefused = true;
      break;
    case 'booked': {
      const actionId = record.operation!.actionId;
      Object.assign(part, { state: 'booked', bookedAt: at, units: record.lines.length });
      if (actionId === undefined) break;
      part.action = { id: actionId, kind: 'book' };
      note(operation, actionId, record.bookingRef, at);
      break;
    }
    case 'unbooked':
      part.units -= record.units.length;
      if (part.units <= 0) Object.assign(part, { state: 'cancelled', endedAt: at });
      break;
    case 'released':
    case 'expired':
      part.units -= record.units.length;
      if (part.units <= 0) Object.assign(part, { state: record.type, endedAt: at });
      break;
    default:
  }
}

function buyerOf({ sessionId, buyerRef, partnerRef }: Attribution) {
  return { sessionId: sessionId ?? null, buyerRef: buyerRef ?? null, partnerRef: partnerRef ?? null };
}

/** The action, noted when its first record comes. An action of an extension is noted only if it is refused. */
function note({ actions }: OperationProjection, id: string, bookingRef: string | null, at: number): OperationAction {
  let action = actions.find((each) => each.id === id);
  if (!action) {
    action = { id, bookingRef, createdAt: at, isRefused: false };
    actions.push(action);
    if (actions.length > operationActionsKept)
      actions.splice(
        actions.findIndex(({ isRefused }) => isRefused),
        1,
      );
  }
  action.bookingRef ??= bookingRef;
  action.createdAt = Math.min(action.createdAt, at);
  return action;
}
