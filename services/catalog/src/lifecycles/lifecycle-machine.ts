/**
 * The lifecycle of groups and seasons, which sell several events together. An activation locks every event of its
 * owner. A close unlocks them. The owner's document is the coordinator's state: its newest operation names the step,
 * and lifecycles.ts carries the operation on in any catalog process. groups/group-lifecycle.ts and
 * seasons/season-lifecycle.ts have the differences between the two owners.
 *
 *   draft ── activate ──▶ locking ──▶ noting ──▶ active
 *                            └──────────┴──▶ aborting ──▶ failed ──▶ cleared      (the owner is a draft again)
 *   active ── close ──▶ draining ──▶ waiting ──▶ unlocking ──▶ closed
 *                            └───────────────────────▲
 *
 *   locking    Every actor takes a lock, if its event still has the chart and the currency of the owner.
 *   noting     Every event's document notes the lock. Locked events keep their facts. So a look at them after the notes
 *              stays true, and the owner goes on sale.
 *   aborting   An event has refused, or stayed silent until the locks could not act any more. Locks and notes go.
 *   failed     The owner is a draft again, and may be activated again. A late copy of a lock may still come.
 *   cleared    The locks were taken back once more, at a time at which no copy can act.
 *   draining   The actors let no operation of the owner begin, and count the live ones.
 *   waiting    Operations live: the actors are asked again. A close waits as long as a hold lives, at most an hour.
 *   unlocking  Locks and notes go.
 *
 * Failure at each await:
 *   - `begin`: the store or an event cannot be read → nothing has begun, or the document names the operation and any
 *     process goes on with it.
 *   - `lockEvents`, `noteLocks`, `drain`, `unlock`, `takeLateLocks`: an event does not answer → the document keeps its
 *     step, and the next look does the work of the step again. Each command may be repeated, by two processes at once:
 *     the lock names its activation.
 *   - this process dies or sleeps at any await → another process does the step again. The write of the late process is
 *     stale. Its late lock acts within `eventLocksMs` of the decision only, and `takeLateLocks` comes behind that time.
 *   - the write of a step fails or is stale → the document keeps its step or has the next one; the work is done again.
 */
import type { Lifecycle, LockingKind, Owner } from '@parterre/shared/protocol/catalog/lifecycles';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import type { Ports } from '../store/operations.ts';
import { eventLocksMs, lifecycleCallMs } from '../store/rules/bounds.ts';
import type { Living, LockNote } from '../store/rules/records.ts';
import type { Collection, Stored } from '../store/store.ts';
import { drainActors, lockActors, noteLocks, unlockAll } from './event-locks.ts';
import { createLifecycles, type Lifecycles } from './lifecycles.ts';
import { begun, cleared, moved, openLifecycle } from './rules/lifecycle-state.ts';

/** The fields that the machine reads and writes in the document of an owner. */
export type LivingOwner = Living & {
  eventKeys: string[];
  chartId: string;
  chartVersion: number;
  currency: string;
  /** The activation whose locks stand on the events; null without locks. */
  lockId: string | null;
  activatedAt: number | null;
  closedAt: number | null;
};

/** The steps that make a new revision of the owner, with its state after them. */
export const stateAt = {
  locking: 'draft',
  active: 'active',
  failed: 'draft',
  draining: 'closing',
  closed: 'closed',
} as const;

export type Turn = keyof typeof stateAt;

/** A caller's wish for a step. */
export type StepInput = { scope: Scope; key: string; expectedRevision: number };

/** The differences between groups and seasons. */
export type OwnerRules<V extends LivingOwner> = {
  kind: Owner['kind'];
  collection: Collection<V>;
  operationId(input: StepInput, kind: LockingKind): string;
  /** Changes the document within the caller's scope, and tells the caches. */
  change(input: StepInput, operationId: string, decide: (value: V) => Promise<Outcome<V>>): Promise<Outcome<Stored<V>>>;
  /** Refuses a step from another state, at another revision, or beside an open step. */
  check(value: V, from: 'draft' | 'active', expectedRevision: number): Outcome<true>;
  /** The facts of the events that an activation locks. Refused if the events do not fit. */
  factsOf(value: V, scope: Scope): Promise<Outcome<Partial<V>>>;
  /** Whether the locked events have the facts. */
  hasFacts(value: V): Promise<boolean>;
  /** The next revision of the owner, with its state. `scope` is the caller's; null where a timer has done the step. */
  turned(value: V, turn: Turn, scope: Scope | null, now: number): V;
  /** The document is about to be replaced. */
  beforeWrite?(document: Stored<V>, next: V): Promise<void>;
  /** The document has changed: caches drop their copies. */
  written(key: string): void;
};

/** The document after the step, as far as the step has come, and the name of its operation. */
export type BegunStep<V extends LivingOwner> = { document: Stored<V>; operationId: string };

export type LifecycleMachine<V extends LivingOwner> = {
  activate(input: StepInput): Promise<Outcome<BegunStep<V>>>;
  close(input: StepInput): Promise<Outcome<BegunStep<V>>>;
  engine: Lifecycles<V>;
};

export function createLifecycleMachine<V extends LivingOwner>(ports: Ports, rules: OwnerRules<V>): LifecycleMachine<V> {
  const { store, clock, log } = ports;
  const engine = createLifecycles<V>({
    store,
    clock,
    log,
    collection: rules.collection,
    async advance(document) {
      const next = await advance(ports, rules, document);
      if (next) await rules.beforeWrite?.(document, next);
      return next;
    },
    written: rules.written,
  });

  async function begin(
    input: StepInput,
    kind: LockingKind,
    decide: (value: V, operationId: string) => Promise<Outcome<V>>,
  ): Promise<Outcome<BegunStep<V>>> {
    const operationId = rules.operationId(input, kind);
    const from = kind === 'ACTIVATION' ? 'draft' : 'active';
    const step = kind === 'ACTIVATION' ? 'locking' : 'draining';
    const written = await rules.change(input, operationId, async (value) => {
      const allowed = rules.check(value, from, input.expectedRevision);
      if (!allowed.ok) return allowed;
      const decided = await decide(value, operationId);
      if (!decided.ok) return decided;
      const now = clock.now();
      return done(rules.turned(begun(decided.value, { operationId, kind, step }, now), step, input.scope, now));
    });
    if (!written.ok) return written;
    const latest = await engine.carryOn(input.key, lifecycleCallMs, (value) => openLifecycle(value) === null);
    return done({ document: latest ?? written.value, operationId });
  }

  return {
    engine,
    activate: (input) =>
      begin(input, 'ACTIVATION', async (value, operationId) => {
        const facts = await rules.factsOf(value, input.scope);
        return facts.ok ? done({ ...value, ...facts.value, lockId: operationId }) : facts;
      }),
    close: (input) => begin(input, 'CLOSE', async (value) => done(value)),
  };
}

/** One step of one document. */
type Work<V extends LivingOwner> = {
  ports: Ports;
  rules: OwnerRules<V>;
  value: V;
  operation: Lifecycle;
  lock: LockNote;
};

async function advance<V extends LivingOwner>(
  ports: Ports,
  rules: OwnerRules<V>,
  { id: key, value }: Stored<V>,
): Promise<V | null> {
  const owner = { kind: rules.kind, key };
  const open = openLifecycle(value);
  if (open === null) return takeLateLocks(ports, owner, value);
  const work = { ports, rules, value, operation: open.operation, lock: { owner, lockId: value.lockId! } };
  switch (open.step) {
    case 'locking':
      return lockEvents(work);
    case 'noting':
      return noteAndOpen(work);
    case 'aborting':
      return unlock(work, 'failed');
    case 'draining':
    case 'waiting':
      return drain(work);
    case 'unlocking':
      return unlock(work, 'closed');
  }
}

async function lockEvents<V extends LivingOwner>({ ports, value, operation, lock }: Work<V>): Promise<V | null> {
  const actsUntil = operation.createdAt + eventLocksMs;
  if (ports.clock.now() >= actsUntil) return aborting(ports, value, 'shard_unavailable');
  const acks = await lockActors(ports, lock, value.eventKeys, actsUntil, value);
  if (acks.refused) return aborting(ports, value, acks.refused.code);
  return acks.waiting ? null : moved(value, { step: 'noting', ackedLocks: acks.acked }, ports.clock.now());
}

async function noteAndOpen<V extends LivingOwner>(work: Work<V>): Promise<V | null> {
  const { ports, rules, value, lock } = work;
  const acks = await noteLocks(ports, lock, value.eventKeys);
  if (acks.refused) return aborting(ports, value, acks.refused.code);
  if (acks.waiting) return null;
  if (!(await rules.hasFacts(value))) return aborting(ports, value, 'incompatible_events');
  return ended(work, 'active');
}

function aborting<V extends LivingOwner>({ clock }: Ports, value: V, code: string): V {
  return moved(value, { step: 'aborting', code }, clock.now());
}

async function drain<V extends LivingOwner>({ ports, value, operation, lock }: Work<V>): Promise<V | null> {
  const { acked, live, waiting, refused } = await drainActors(ports, lock, value.eventKeys);
  if (waiting || refused) return null;
  const step = live === 0 ? 'unlocking' : 'waiting';
  if (step === operation.step && live === operation.remainingOperations) return null;
  return moved(value, { step, ackedLocks: acked, remainingOperations: live }, ports.clock.now());
}

/** An operation that lives after all refuses its unlock, which is asked for again. */
async function unlock<V extends LivingOwner>(work: Work<V>, end: 'failed' | 'closed'): Promise<V | null> {
  const { ports, value, lock } = work;
  const acks = await unlockAll(ports, lock, value.eventKeys);
  return acks.waiting || acks.refused ? null : ended(work, end);
}

function ended<V extends LivingOwner>({ ports, rules, value }: Work<V>, step: 'active' | 'failed' | 'closed'): V {
  const now = ports.clock.now();
  const fields = {
    active: { activatedAt: now },
    failed: { lockId: null },
    closed: { closedAt: now, lockId: null },
  };
  return rules.turned({ ...moved(value, { step }, now), ...fields[step] }, step, null, now);
}

/** Takes no lock of a later activation: a lock is named by its own. */
async function takeLateLocks<V extends LivingOwner>(ports: Ports, owner: Owner, value: V): Promise<V | null> {
  const failed = value.lifecycles.find(({ step }) => step === 'failed');
  if (!failed || ports.clock.now() < failed.createdAt + 2 * eventLocksMs) return null;
  const acks = await unlockAll(ports, { owner, lockId: failed.operationId }, value.eventKeys);
  return acks.waiting || acks.refused ? null : cleared(value, failed);
}
