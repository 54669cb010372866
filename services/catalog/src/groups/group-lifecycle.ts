/**
 * The lifecycle of a performance group. The group's document is the coordinator's state; lifecycles.ts carries it on in
 * any catalog process.
 *
 * Activation: draft → activation_locking (the actors' locks) → activation_registry (the notes in the events' documents,
 * then a last look at the events) → active. A refusal goes to activation_aborting, which takes locks and notes back,
 * and ends as activation_failed: the group is a draft again.
 * Close: active → close_registry (the locks drain: no operation begins) → close_draining (waits for live operations) →
 * close_finalize → close_unlocking → closed. The close waits as long as a hold lives, at most an hour.
 *
 * Failure at each await: this process dies, or an event does not answer → the document keeps its phase, and the work of
 * the phase is done again; a lock of a process that wakes up after the abort → its actor refuses it after `actsUntil`,
 * and before that the process reads the document once more and unlocks.
 */
import { groupInScope, groupUnknown } from '@parterre/shared/protocol/catalog/group-scope';
import type { GroupLifecycle, GroupStep } from '@parterre/shared/protocol/catalog/groups';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { groupEventsMax, groupEventsMin } from '@parterre/shared/protocol/group-limits';
import { newId } from '@parterre/shared/protocol/ids';
import { drainActors, factsOf, lockActors, noteLocks, unlockAll } from '../lifecycles/event-locks.ts';
import { createLifecycles, type Lifecycles } from '../lifecycles/lifecycles.ts';
import { begun, lifecycleNamed, moved, openLifecycle } from '../lifecycles/rules/lifecycle-state.ts';
import { memberIssues } from '../lifecycles/rules/member-issues.ts';
import { groups } from '../store/group-collections.ts';
import { change, type Ports } from '../store/operations.ts';
import { eventLocksMs, lifecycleCallMs } from '../store/rules/bounds.ts';
import type { GroupDocument } from '../store/rules/group-records.ts';
import type { Store, Stored } from '../store/store.ts';
import { detailOf, eventsByKey } from './group-access.ts';
import { checkStep, listed } from './rules/group-state.ts';

type Step = CatalogInput<'groups.activate'>;

export type GroupLifecycles = {
  activate(input: Step): Promise<Outcome<GroupStep>>;
  close(input: Step): Promise<Outcome<GroupStep>>;
  engine: Lifecycles<GroupDocument>;
};

export function createGroupLifecycle(ports: Ports): GroupLifecycles {
  const { store, clock, log } = ports;
  const engine = createLifecycles<GroupDocument>({
    store,
    clock,
    log,
    collection: groups,
    advance: (document) => advance(ports, document),
    written: (groupKey) => ports.announce({ kind: 'group', groupKey }),
  });

  async function take(
    { scope, groupKey, expectedRevision }: Step,
    from: 'draft' | 'active',
    begin: (group: GroupDocument, operationId: string) => GroupDocument | Promise<GroupDocument>,
  ): Promise<Outcome<GroupStep>> {
    const operationId = newId('op');
    const written = await change(store, groups, groupKey, groupUnknown, async (group) => {
      const within = groupInScope(group, scope);
      if (!within.ok) return within;
      const allowed = checkStep(group, from, expectedRevision);
      return allowed.ok ? done(await begin(group, operationId)) : allowed;
    });
    if (!written.ok) return written;
    ports.announce({ kind: 'group', groupKey });
    const latest = await engine.carryOn(groupKey, lifecycleCallMs);
    return lifecycleStep(store, latest ?? written.value, operationId);
  }

  return {
    engine,
    activate: (input) =>
      take(input, 'draft', async (group, operationId) => {
        const totalLocks = group.eventKeys.length;
        const operation = { operationId, kind: 'ACTIVATION', phase: 'activation_locking', totalLocks } as const;
        const facts = await latestFacts(ports, group);
        return grown({ ...begun(group, operation, clock.now()), ...facts, lockId: operationId });
      }),
    close: (input) =>
      take(input, 'active', (group, operationId) => {
        const totalLocks = group.eventKeys.length;
        const operation = { operationId, kind: 'CLOSE', phase: 'close_registry', totalLocks } as const;
        return grown({ ...begun(group, operation, clock.now()), state: 'closing' });
      }),
  };
}

/** A draft follows its events: their chart may have moved on. The actor knows this before the catalog does. */
async function latestFacts(ports: Ports, { eventKeys, chartVersion }: GroupDocument) {
  const told = await factsOf(ports, eventKeys[0]!);
  return told.ok && { chartVersion: told.value.chartVersion ?? chartVersion, currency: told.value.currency };
}

export async function lifecycleStep(
  store: Store,
  group: Stored<GroupDocument>,
  operationId: string,
): Promise<Outcome<GroupStep>> {
  const lifecycle = lifecycleNamed(group.value, operationId);
  if (!lifecycle) return refuse('not_found', 'There is no such operation of this group. Check its id.');
  return done({ ...(await detailOf(store, group)), lifecycle });
}

/** `revision` and the lists follow the state. */
function grown(group: GroupDocument): GroupDocument {
  return listed({ ...group, revision: group.revision + 1 });
}

type Document = Stored<GroupDocument>;

async function advance(ports: Ports, document: Document): Promise<GroupDocument | null> {
  const lifecycle = openLifecycle<GroupLifecycle>(document.value);
  switch (lifecycle?.phase) {
    case 'activation_locking':
      return lock(ports, document, lifecycle);
    case 'activation_registry':
      return register(ports, document);
    case 'activation_aborting':
      return abort(ports, document, lifecycle);
    case 'close_registry':
    case 'close_draining':
      return drain(ports, document, lifecycle);
    case 'close_finalize':
      return moved(document.value, { phase: 'close_unlocking' }, ports.clock.now());
    case 'close_unlocking':
      return unlock(ports, document);
    default:
      return null;
  }
}

function noteOf({ id, value }: Document) {
  return { owner: { kind: 'group' as const, key: id }, lockId: value.lockId! };
}

async function lock(ports: Ports, document: Document, { createdAt }: GroupLifecycle): Promise<GroupDocument | null> {
  const { value } = document;
  const actsUntil = createdAt + eventLocksMs;
  if (ports.clock.now() >= actsUntil) return aborting(value, 'shard_unavailable', ports.clock.now());
  const acks = await lockActors(ports, noteOf(document), value.eventKeys, actsUntil, value);
  const now = ports.clock.now();
  const still = await ports.store.get(groups, document.id);
  if (still?.value.lockId !== value.lockId) {
    await unlockAll(ports, noteOf(document), value.eventKeys);
    return null;
  }
  if (acks.refused) return aborting(value, acks.refused.code, now);
  if (acks.waiting) return null;
  return moved(value, { phase: 'activation_registry', ackedLocks: acks.acked }, now);
}

function aborting(value: GroupDocument, code: string, now: number): GroupDocument {
  return moved(value, { phase: 'activation_aborting', code }, now);
}

/** The actors compared these before they took their locks. The catalog's records may be behind them. */
const comparedByActors: ReadonlySet<string> = new Set(['chart_version_mismatch', 'currency_mismatch']);

/** Locked events keep their facts. So a look at them behind the locks stays true. */
async function register(ports: Ports, document: Document): Promise<GroupDocument | null> {
  const { value } = document;
  const acks = await noteLocks(ports, noteOf(document), value.eventKeys);
  const now = ports.clock.now();
  if (acks.refused) return aborting(value, acks.refused.code, now);
  if (acks.waiting) return null;
  const known = await eventsByKey(ports.store, value.eventKeys);
  const bounds = { min: groupEventsMin, max: groupEventsMax };
  const issues = memberIssues(value.eventKeys, known, value, bounds);
  if (issues.some(({ code }) => !comparedByActors.has(code))) return aborting(value, 'incompatible_events', now);
  const active = moved(value, { phase: 'active', terminal: true }, now);
  return grown({ ...active, state: 'active', activatedAt: now });
}

/** A lock whose answer was lost may still act: the last unlock comes behind `actsUntil`. */
async function abort(ports: Ports, document: Document, lifecycle: GroupLifecycle): Promise<GroupDocument | null> {
  const { value } = document;
  const now = ports.clock.now();
  if (lifecycle.code === 'shard_unavailable' && now < lifecycle.createdAt + eventLocksMs) return null;
  const acks = await unlockAll(ports, noteOf(document), value.eventKeys);
  if (acks.waiting || acks.refused) return null;
  return grown({ ...moved(value, { phase: 'activation_failed', terminal: true }, ports.clock.now()), lockId: null });
}

async function drain(ports: Ports, document: Document, lifecycle: GroupLifecycle): Promise<GroupDocument | null> {
  const { value } = document;
  const drained = await drainActors(ports, noteOf(document), value.eventKeys);
  if (drained.waiting || drained.refused) return null;
  const { acked: ackedLocks, live: remainingOperations } = drained;
  const now = ports.clock.now();
  const phase = remainingOperations === 0 ? 'close_finalize' : 'close_draining';
  if (phase === lifecycle.phase && remainingOperations === lifecycle.remainingOperations) return null;
  return moved(value, { phase, ackedLocks, remainingOperations }, now);
}

async function unlock(ports: Ports, document: Document): Promise<GroupDocument | null> {
  const { value } = document;
  const acks = await unlockAll(ports, noteOf(document), value.eventKeys);
  if (acks.waiting) return null;
  const now = ports.clock.now();
  // An operation that lives after all: the close waits for it again.
  if (acks.refused) return moved(value, { phase: 'close_draining' }, now);
  const closed = moved(value, { phase: 'closed', terminal: true, remainingOperations: 0 }, now);
  return grown({ ...closed, state: 'closed', closedAt: now, lockId: null });
}
