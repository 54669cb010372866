/** The messages between the loop and the reader thread. */
import type { Captured, ReadPlan } from '../rules/reads/captured.ts';
import type { LargeRead } from '../rules/reads/event-reads.ts';

export type ToReader =
  | { type: 'plan'; plan: ReadPlan }
  | { type: 'forget-plan'; hash: string }
  | { type: 'read'; id: number; captured: Captured; reads: LargeRead[] };

/** `nth` counts the reads of the capture `id`. */
export type FromReader = { id: number; nth: number; outcome: Computed };

/** An encoded answer. Unit columns begin with the unit `from`. */
export type Piece = { from: number; value: Uint8Array };

/** `value` is encoded. `rest` are the answers that go on where this answer ends. */
export type Computed = { kind: 'ok'; value: Uint8Array; rest: Piece[] } | { kind: 'failed'; message: string };
