/** The lifecycle operations of performance groups and seasons: how they open, and how they end. */

import type { OperationOwner } from '../operations/operation.ts';

/** The thing that operations and locks of events belong to. */
export type Owner = OperationOwner;

/**
 * The steps at which a lifecycle operation has work to do. The catalog's lifecycles/lifecycle-machine.ts tells the work
 * of each step. Front doors have the words of the wire.
 */
export type OpenStep = 'locking' | 'noting' | 'aborting' | 'draining' | 'waiting' | 'unlocking';

/**
 * The steps at which an operation has ended. `failed` and `cleared` are the end of an activation that was given up:
 * late copies of its locks may still come, or may not come any more. `archived` and `published` are single writes.
 */
export type LastStep = 'active' | 'failed' | 'cleared' | 'closed' | 'archived' | 'published';

export type LifecycleStep = OpenStep | LastStep;

/** The operations that lock events or unlock them, and their steps. */
export type LockingKind = 'ACTIVATION' | 'CLOSE';
export type LockingStep = Exclude<LifecycleStep, 'archived' | 'published'>;

/** `ACTIVATION` and `CLOSE` lock and unlock all events of their owner. An operation that has ended never changes. */
export type Lifecycle<
  Kind extends string = LockingKind | 'ARCHIVE' | 'PLAN_PUBLICATION',
  Step extends LifecycleStep = LifecycleStep,
> = {
  operationId: string;
  kind: Kind;
  step: Step;
  /** The events that have taken their locks. */
  ackedLocks: number;
  /** Live operations that a close waits for; null while they are unknown, and for other kinds. */
  remainingOperations: number | null;
  /** The reason of an activation that is given up. */
  code: string | null;
  createdAt: number;
  updatedAt: number;
};

const openSteps: ReadonlySet<LifecycleStep> = new Set<OpenStep>([
  'locking',
  'noting',
  'aborting',
  'draining',
  'waiting',
  'unlocking',
]);

export function isOpenStep(step: LifecycleStep): step is OpenStep {
  return openSteps.has(step);
}
