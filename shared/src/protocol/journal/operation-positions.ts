/** The positions of the words of operations over several events, inside records (record-positions.ts). */
import type { OperationHead, OperationOwner, OperationTag, PartAction } from '../operations/operation.ts';
import { listOf, number, oneOf, optional, orNull, positions, sameText, text } from './positions.ts';

export const owner = positions<OperationOwner>({ kind: oneOf({ group: 0, season: 1 }), key: sameText() });

export const action = positions<PartAction>({
  id: text,
  kind: oneOf({ book: 0, extend: 1 }),
  bookingRef: orNull(text),
});

export const head = positions<OperationHead>({
  id: text,
  owner,
  operationId: text,
  eventKeys: listOf(sameText()),
  selectionMode: optional(oneOf({ same_seat: 0, per_performance: 1 })),
  revision: optional(number),
  planActivationId: optional(sameText()),
});

/** The last field of the records that have it. */
export const operation = optional(
  positions<OperationTag>({ id: text, owner, operationId: text, actionId: optional(text) }),
);
