/** The lifecycle operations of performance groups and seasons: steps that lock or unlock all their events. */

import type { OperationOwner } from '../operations/operation.ts';

/** The thing that operations and locks of events belong to. */
export type Owner = OperationOwner;

/**
 * One step of a group's or season's life. `phase` is a word of the wire contract. A terminal operation never changes.
 * `code` is the reason of a failure.
 */
export type Lifecycle<Kind extends string = string, Phase extends string = string> = {
  operationId: string;
  kind: Kind;
  phase: Phase;
  terminal: boolean;
  totalLocks: number;
  ackedLocks: number;
  /** Live operations that a close waits for; null while they are unknown, and for other kinds. */
  remainingOperations: number | null;
  code: string | null;
  createdAt: number;
  updatedAt: number;
};
