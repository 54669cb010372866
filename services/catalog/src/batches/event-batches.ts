/**
 * Blocks and unblocks of several events, all or none. The document of the batch is its decision; the events follow.
 *
 * A batch begins with a look: every event says whether it would agree now, and writes nothing. If an event refuses at
 * the look, the document is written closed, and no event has a record. So a late copy of the call, which may have seen
 * free seats, finds the end and makes nothing. The look promises nothing.
 *
 * States, and the commands of each (their names follow from the batch and the number of the change):
 *
 *   preparing  every block is made, on units that are not blocked yet (`only: 'free'`); every unblock is checked
 *              → applying, when every event has agreed
 *              → undoing, when an event refuses, or is silent for `batchPrepareMs`
 *   applying   every unblock is made (`step: 'decided'`), and units that were blocked before take the new terms of a
 *              block (`only: 'blocked'`); no event can refuse → done
 *   undoing    every block is taken back (`undo-block`); no event can refuse → undone
 *
 * A block is what may be taken back: a seat that was blocked for a moment was sold to nobody. An unblock is not, since
 * a buyer may take the seat at once, so unblocks come behind the decision. Between the decision and an unblock another
 * call may unblock, sell from a block, archive the event or change its chart: the unblock frees the rest.
 *
 * Failure at each await: an event does not answer → the batch waits in its state, and the engine
 * (lifecycles/lifecycles.ts) asks again; two processes ask one event → the second copy gets the first answer (I5); one
 * process decides `applying`, another `undoing` → the checked write of the document decides, and effects follow the
 * document alone; a block comes behind its `undo-block` → the event knows its name, and does nothing; this process
 * dies → every other catalog sees the open document, or nothing was written at the look; a deleted event has nothing to
 * undo or to free; two copies look, and one is refused → the document that is inserted first decides for both.
 */
import type { BatchChange, BatchedChange, EventBatch } from '@parterre/shared/protocol/catalog/events';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import type { Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, type Refusal, refuse } from '@parterre/shared/protocol/errors';
import { derivedId } from '@parterre/shared/protocol/ids';
import { createLifecycles, type Lifecycles } from '../lifecycles/lifecycles.ts';
import { eventBatches } from '../store/collections.ts';
import type { OperationTable, Ports } from '../store/operations.ts';
import { batchKeptMs, batchPrepareMs, eventLockAskMs, lifecycleCallMs } from '../store/rules/bounds.ts';
import type { EventBatchRecord } from '../store/rules/records.ts';
import type { Stored } from '../store/store.ts';

export type EventBatches = {
  operations: OperationTable<'events.batch'>;
  engine: Lifecycles<EventBatchRecord>;
};

export function createEventBatches(ports: Ports): EventBatches {
  const { store, clock, log } = ports;
  const engine = createLifecycles<EventBatchRecord>({
    store,
    clock,
    log,
    collection: eventBatches,
    advance: (document) => advance(ports, document),
    written: () => {},
  });
  return {
    engine,
    operations: {
      async 'events.batch'(input) {
        const { batchId } = input;
        if (!(await store.get(eventBatches, batchId))) {
          const batch = begun(input, clock.now());
          const refused = await refusedAtLook(ports, batchId, batch);
          // A copy may have begun the batch meanwhile: its document counts.
          await store.insert(eventBatches, batchId, refused ?? batch);
        }
        const standing = await engine.carryOn(batchId, lifecycleCallMs);
        return standing ? done(shown(standing.value)) : gone;
      },
    },
  };
}

/**
 * The batch as it ends if an event would not agree now; null if all would. Blocks do not help each other, so an event
 * with blocks alone is asked for all of them. Of the other changes of one event the first is asked alone: the rest see
 * its effect. An event that does not answer refuses nothing.
 */
async function refusedAtLook(ports: Ports, id: string, batch: EventBatchRecord): Promise<EventBatchRecord | null> {
  const told = await ofAll(ports, batch, (change, nth) => {
    const ofEvent = batch.changes.filter(({ eventKey }) => eventKey === change.eventKey);
    const isAsked = change === ofEvent[0] || ofEvent.every(({ action }) => action === 'block');
    return isAsked ? lookAt(id, change, nth) : null;
  });
  if (!told.some(({ kind }) => kind === 'refused')) return null;
  const changes = batch.changes.map((change, nth) => {
    const outcome = told[nth]!;
    return outcome.kind === 'refused' ? { ...change, refusal: outcome.refusal } : change;
  });
  return turned(batch, 'undone', changes, ports.clock.now());
}

/** A batch is kept for longer than its name may be repeated. */
const gone = refuse('not_found', 'There is no such batch.');

function begun({ changes, by }: CatalogInput<'events.batch'>, now: number): EventBatchRecord {
  return {
    state: 'preparing',
    open: true,
    by,
    changes: changes.map((change) => ({ ...change, answer: null, refusal: null })),
    createdAt: now,
    updatedAt: now,
    expiresAt: now + batchKeptMs,
  };
}

function shown({ state, changes }: EventBatchRecord): EventBatch {
  return { state, changes: changes.map(({ answer, refusal }) => ({ answer, refusal })) };
}

function advance(ports: Ports, document: Stored<EventBatchRecord>): Promise<EventBatchRecord | null> {
  switch (document.value.state) {
    case 'preparing':
      return prepare(ports, document);
    case 'applying':
      return apply(ports, document);
    case 'undoing':
      return undo(ports, document);
    default:
      return Promise.resolve(null);
  }
}

type Work = Stored<EventBatchRecord>;

async function prepare(ports: Ports, { id, value }: Work): Promise<EventBatchRecord | null> {
  const now = ports.clock.now();
  const told = await ofAll(ports, value, (change, nth) => (change.answer ? null : preparation(id, change, nth)));
  const refused = told.some(({ kind }) => kind === 'refused');
  const isLate = now >= value.createdAt + batchPrepareMs;
  const changes = value.changes.map((change, nth) => {
    const outcome = told[nth]!;
    if (outcome.kind === 'done') return { ...change, ...(outcome.value as Pick<BatchedChange, 'answer'> | null) };
    return outcome.kind === 'refused' || isLate ? { ...change, refusal: outcome.refusal } : change;
  });
  if (refused || (isLate && told.some(({ kind }) => kind === 'waiting'))) return turned(value, 'undoing', changes, now);
  if (told.every(({ kind }) => kind === 'done')) return turned(value, 'applying', changes, now);
  const isNews = told.some((outcome) => outcome.kind === 'done' && outcome.value !== null);
  return isNews ? turned(value, 'preparing', changes, now) : null;
}

async function apply(ports: Ports, { id, value }: Work): Promise<EventBatchRecord | null> {
  const told = await ofAll(ports, value, (change, nth) => application(id, change, nth));
  if (told.some(({ kind }) => kind === 'waiting')) return null;
  const changes = value.changes.map((change, nth) => {
    const { value: answer } = told[nth]! as { value: { blocked?: string[]; unblocked?: string[] } | null };
    const labels = answer?.blocked ?? answer?.unblocked;
    if (change.action === 'block' && labels === undefined) return change;
    return { ...change, answer: { labels: labels ?? [] } };
  });
  return turned(value, 'done', changes, ports.clock.now());
}

async function undo(ports: Ports, { id, value }: Work): Promise<EventBatchRecord | null> {
  const told = await ofAll(ports, value, (change, nth) => {
    if (change.action === 'unblock') return null;
    const of = { callId: nameOf(id, nth, 'prepare'), fingerprint: id };
    return { type: 'undo-block', callId: nameOf(id, nth, 'undo'), of };
  });
  const isWaiting = told.some(({ kind }) => kind === 'waiting');
  return isWaiting ? null : turned(value, 'undone', value.changes, ports.clock.now());
}

function lookAt(id: string, change: BatchChange, nth: number): Command {
  if (change.action === 'unblock') return preparation(id, change, nth);
  return { type: 'look-block', labels: change.labels, releaseAt: change.releaseAt };
}

function preparation(id: string, { action, labels, releaseAt, reason }: BatchChange, nth: number): Command {
  const callId = nameOf(id, nth, 'prepare');
  if (action === 'unblock') return { type: 'unblock', callId, labels, step: 'check' };
  return { type: 'block', callId, labels, releaseAt, reason, fingerprint: id, only: 'free' };
}

/** Null where nothing is left to do. */
function application(id: string, change: BatchedChange, nth: number): Command | null {
  const { action, labels, releaseAt, reason, answer } = change;
  const callId = nameOf(id, nth, 'apply');
  if (action === 'unblock') return { type: 'unblock', callId, labels, step: 'decided' };
  // A repeated block does not tell the units that were blocked before.
  const isPart = answer !== null && (answer.already !== undefined || answer.labels.length < labels.length);
  return isPart ? { type: 'block', callId, labels, releaseAt, reason, only: 'blocked' } : null;
}

function nameOf(id: string, nth: number, step: 'prepare' | 'apply' | 'undo'): string {
  return derivedId('call', id, String(nth), step);
}

type ChangeOutcome = { kind: 'done'; value: object | null } | { kind: 'refused' | 'waiting'; refusal: Refusal };

/** Changes of one event go one after the other, in their order. */
async function ofAll(
  { ask, clock }: Ports,
  { changes, by }: EventBatchRecord,
  commandOf: (change: BatchedChange, nth: number) => Command | null,
): Promise<ChangeOutcome[]> {
  const told: ChangeOutcome[] = [];
  const last = new Map<string, Promise<void>>();
  for (const [nth, change] of changes.entries()) {
    const { eventKey } = change;
    const one = async (): Promise<void> => {
      const command = commandOf(change, nth);
      if (command === null) {
        told[nth] = { kind: 'done', value: null };
        return;
      }
      const outcome: Outcome<object> = await ask(eventKey, command, by, clock.elapsed() + eventLockAskMs);
      told[nth] = toldOf(command, outcome);
    };
    last.set(eventKey, (last.get(eventKey) ?? Promise.resolve()).then(one));
  }
  await Promise.all(last.values());
  return told;
}

function toldOf(command: Command, outcome: Outcome<object>): ChangeOutcome {
  if (outcome.ok) return { kind: 'done', value: isPreparation(command) ? answerOf(outcome.value) : outcome.value };
  const { refusal } = outcome;
  // A shard of a former release fails at a look that it does not know. Its block decides.
  const isUnknown = command.type === 'look-block' && refusal.code === 'internal_error';
  if (refusal.retryable || refusal.outcome || isUnknown) return { kind: 'waiting', refusal };
  // Behind the decision only a deleted event refuses.
  return isPreparation(command) ? { kind: 'refused', refusal } : { kind: 'done', value: null };
}

function isPreparation(command: Command): boolean {
  if (command.type === 'block') return command.only === 'free';
  return command.type === 'look-block' || (command.type === 'unblock' && command.step === 'check');
}

function answerOf(value: { blocked?: string[]; unblocked?: string[]; already?: number }): {
  answer: NonNullable<BatchedChange['answer']>;
} {
  const { blocked, unblocked = [], already } = value;
  return { answer: { labels: blocked ?? unblocked, ...(already !== undefined && { already }) } };
}

function turned(
  value: EventBatchRecord,
  state: EventBatchRecord['state'],
  changes: BatchedChange[],
  now: number,
): EventBatchRecord {
  const isOpen = state !== 'done' && state !== 'undone';
  return { ...value, state, changes, open: isOpen || null, updatedAt: Math.max(now, value.updatedAt + 1) };
}
