/**
 * The steps of a season's life: activation locks every event, close waits for the live operations and unlocks them,
 * archive is one write. The season's document is the coordinator's state (lifecycles/lifecycles.ts).
 *
 * States of an activation: decided (locks are asked for) → active; or, when an event refuses its lock or an answer stays
 * away too long, given up (`aborting`; locks are taken back) → ended with a `code`, the season a draft again.
 * States of a close: decided (locks drain: no operation begins any more) → closed, once no event has a live operation and
 * every lock is gone.
 *
 * Failure at each await: the store or an event does not answer → the step is done again; two processes do one step →
 * each command is harmless when repeated, and one of their writes is stale; a late copy of a lock → it acts within
 * `activationLockMs` of the decision alone, and after that time the locks of a given-up activation are taken back once
 * more (`lateLocks`). The lock names its activation, so this takes no lock of a later activation.
 */

import type { SeasonLifecycle, SeasonNote, SeasonStep } from '@parterre/shared/catalog/seasons';
import type { CatalogInput } from '@parterre/shared/catalog-api';
import type { Caller } from '@parterre/shared/commands';
import { done, type Outcome, type Refusal, refuse } from '@parterre/shared/errors';
import { derivedId } from '@parterre/shared/ids';
import { begun, createLifecycles, lifecycleNamed, moved, openLifecycle } from '../lifecycles/lifecycles.ts';
import type { Ports } from '../store/operations.ts';
import { activationLockMs, lifecycleCallMs, lockAnswerMs } from '../store/rules/bounds.ts';
import type { SeasonDocument } from '../store/rules/season-records.ts';
import { seasons } from '../store/season-collections.ts';
import type { Stored } from '../store/store.ts';
import { sharedValue } from './rules/compatibility.ts';
import { actorKindOf, checkRevision, checkStructure, revised } from './rules/season-state.ts';
import { changeSeason, findSeason, seasonOf } from './season-access.ts';
import { keepNotes } from './season-notes.ts';
import { incompatible, readSelection } from './season-selections.ts';

type Step = CatalogInput<'seasons.activate'>;

export type SeasonLifecycles = {
  activate(input: Step): Promise<Outcome<SeasonStep>>;
  close(input: Step): Promise<Outcome<SeasonStep>>;
  archive(input: Step): Promise<Outcome<SeasonStep>>;
  read(input: CatalogInput<'seasons.lifecycle'>): Promise<Outcome<SeasonStep>>;
  /** Looks for open steps until `stop`. */
  watch(): void;
  stop(): Promise<void>;
};

export function createSeasonLifecycle(ports: Ports): SeasonLifecycles {
  const { store, clock, announce } = ports;
  const engine = createLifecycles<SeasonDocument>({
    ...ports,
    collection: seasons,
    async advance(document) {
      const next = await advance(ports, document);
      if (next) await keepNotes(store, document.id, document.value, document.value.notes);
      return next;
    },
  });

  async function begin(
    input: Step,
    kind: SeasonLifecycle['kind'],
    decide: (season: SeasonDocument, operationId: string, now: number) => Promise<Outcome<SeasonDocument>>,
  ): Promise<Outcome<SeasonStep>> {
    const { seasonKey, expectedRevision } = input;
    const operationId = derivedId('slc', seasonKey, kind, String(expectedRevision));
    const written = await changeSeason(ports, input, operationId, async (season) => {
      const current = checkRevision(season, expectedRevision);
      return current.ok ? decide(season, operationId, clock.now()) : current;
    });
    if (!written.ok) return written;
    announce({ kind: 'season', seasonKey });
    const after = (await engine.carryOn(seasonKey, lifecycleCallMs)) ?? written.value;
    await keepNotes(store, seasonKey, after.value, after.value.notes);
    announce({ kind: 'season', seasonKey });
    return stepOf(after, operationId);
  }

  return {
    activate: (input) =>
      begin(input, 'ACTIVATION', (season, operationId, now) => beginActivation(ports, input, season, operationId, now)),
    close: (input) =>
      begin(input, 'CLOSE', async (season, operationId, now) => beginClose(input, season, operationId, now)),
    archive: (input) =>
      begin(input, 'ARCHIVE', async (season, operationId, now) => archived(input, season, operationId, now)),
    async read(input) {
      const found = await findSeason(store, input);
      return found.ok ? stepOf(found.value, input.operationId) : found;
    },
    watch: engine.watch,
    stop: engine.stop,
  };
}

function stepOf(season: Stored<SeasonDocument>, operationId: string): Outcome<SeasonStep> {
  const lifecycle = lifecycleNamed<SeasonLifecycle>(season.value, operationId);
  if (!lifecycle) return refuse('not_found', 'The season has no such lifecycle operation. Check its id.');
  return done({ ...seasonOf(season), lifecycle });
}

/** The events are judged again: they were free to change while the season was a draft. */
async function beginActivation(
  { store }: Ports,
  { scope }: Step,
  season: SeasonDocument,
  operationId: string,
  now: number,
): Promise<Outcome<SeasonDocument>> {
  const draft = checkStructure(season, 'draft');
  if (!draft.ok) return draft;
  const { issues, events } = await readSelection(store, { ...scope, mode: season.mode }, season);
  if (issues.length > 0) return incompatible(issues);
  const { planHash, chartVersion, currency } = events[0]!;
  const facts = {
    ...{ planHash, chartVersion, currency, lockId: operationId },
    venue: sharedValue(events, ({ venue }) => venue),
    timezone: sharedValue(events, ({ timezone }) => timezone),
  };
  const open = opened(season, operationId, 'ACTIVATION', now);
  const details = { operationId, eventKeys: season.eventKeys };
  const note = {
    callId: operationId,
    action: 'season.activation.begun',
    actorKind: actorKindOf(scope),
    details,
    at: now,
  };
  return done(revised(open, facts, [note], now));
}

function beginClose(
  { scope }: Step,
  season: SeasonDocument,
  operationId: string,
  now: number,
): Outcome<SeasonDocument> {
  const active = checkStructure(season, 'active');
  if (!active.ok) return active;
  const open = opened(season, operationId, 'CLOSE', now);
  const actorKind = actorKindOf(scope);
  const note = { callId: operationId, action: 'season.close.begun', actorKind, details: { operationId }, at: now };
  return done(revised(open, { structureState: 'closing', salesState: 'ended' }, [note], now));
}

function archived({ scope }: Step, season: SeasonDocument, operationId: string, now: number): Outcome<SeasonDocument> {
  const closed = checkStructure(season, 'closed');
  if (!closed.ok) return closed;
  const open = opened(season, operationId, 'ARCHIVE', now);
  const over = moved<SeasonLifecycle, SeasonDocument>(open, { phase: 'archived', terminal: true }, now);
  const note = ended(operationId, 'season.archived', actorKindOf(scope), now);
  return done(revised(over, { structureState: 'archived' }, [note], now));
}

function opened(
  season: SeasonDocument,
  operationId: string,
  kind: SeasonLifecycle['kind'],
  now: number,
): SeasonDocument {
  const totalLocks = kind === 'ARCHIVE' ? 0 : season.eventKeys.length;
  const operation = { operationId, kind, phase: 'decided' as const, totalLocks };
  return begun<SeasonLifecycle, SeasonDocument>(season, operation, now);
}

/** The end of a step, for audit and outbox. */
function ended(operationId: string, action: string, actorKind: string, at: number): SeasonNote {
  const data = { operationId };
  return {
    callId: `${operationId} ended`,
    action,
    actorKind,
    details: data,
    at,
    occurrence: { eventName: action, data },
  };
}

async function advance(ports: Ports, { id, value }: Stored<SeasonDocument>): Promise<SeasonDocument | null> {
  const operation = openLifecycle<SeasonLifecycle>(value);
  if (operation?.terminal === false) {
    if (operation.kind === 'CLOSE') return advanceClose(ports, id, value, operation);
    return value.aborting ? giveUp(ports, id, value, value.aborting) : advanceActivation(ports, id, value, operation);
  }
  return takeLateLocks(ports, id, value);
}

const byTimer: Caller = { source: 'timer', actor: null, accessSource: 'public' };

async function advanceActivation(
  { ask, clock, announce }: Ports,
  key: string,
  season: SeasonDocument,
  { operationId, createdAt, ackedLocks }: SeasonLifecycle,
): Promise<SeasonDocument | null> {
  const { chartVersion, currency, eventKeys } = season;
  const actsUntil = createdAt + activationLockMs;
  const lock = { owner: { kind: 'season' as const, key }, lockId: operationId, actsUntil };
  const command = { type: 'lock' as const, ...lock, expects: { chartVersion, currency } };
  const deadlineAt = clock.elapsed() + lockAnswerMs;
  const answers = await Promise.all(eventKeys.map((eventKey) => ask(eventKey, command, byTimer, deadlineAt)));
  const now = clock.now();
  const acked = answers.filter(({ ok }) => ok).length;
  if (acked === answers.length) {
    const over = moved<SeasonLifecycle, SeasonDocument>(
      season,
      { phase: 'active', terminal: true, ackedLocks: acked },
      now,
    );
    const open = season.lateLocks.length > 0 ? true : over.open;
    const fields = { structureState: 'active' as const, activatedAt: now, open };
    announce({ kind: 'season', seasonKey: key });
    return revised(over, fields, [ended(operationId, 'season.activated', 'timer', now)], now);
  }
  const refusal = answers.map(decisive).find((each) => each !== null);
  if (refusal) return { ...season, aborting: refusal.reason ?? refusal.code };
  if (now >= actsUntil) return { ...season, aborting: 'shard_unavailable' };
  return acked === ackedLocks ? null : moved<SeasonLifecycle, SeasonDocument>(season, { ackedLocks: acked }, now);
}

/** The refusal of an event that has decided; null for a success, and where the event may not have been heard. */
function decisive(answer: Outcome<unknown>): Refusal | null {
  if (answer.ok || answer.refusal.retryable || answer.refusal.outcome === 'unknown') return null;
  return answer.refusal;
}

/** A late copy of a lock may come until `activationLockMs` have passed. The locks are then taken back once more. */
async function giveUp(ports: Ports, key: string, season: SeasonDocument, code: string): Promise<SeasonDocument | null> {
  const { operationId, createdAt } = season.lifecycles.at(-1)!;
  if (!(await unlockAll(ports, key, season, operationId))) return null;
  const now = ports.clock.now();
  const over = moved<SeasonLifecycle, SeasonDocument>(season, { terminal: true, ackedLocks: 0, code }, now);
  const lateLocks = [...season.lateLocks, { lockId: operationId, until: createdAt + 2 * activationLockMs }];
  const note = { ...ended(operationId, 'season.activation.failed', 'timer', now), details: { operationId, code } };
  return revised(over, { aborting: null, lockId: null, lateLocks, open: true }, [note], now);
}

async function takeLateLocks(ports: Ports, key: string, season: SeasonDocument): Promise<SeasonDocument | null> {
  const [next, ...others] = season.lateLocks;
  if (!next) return { ...season, open: null };
  if (ports.clock.now() < next.until || !(await unlockAll(ports, key, season, next.lockId))) return null;
  return { ...season, lateLocks: others, open: others.length > 0 ? true : null };
}

/** True once no event has the lock. An event that is gone has none. */
async function unlockAll(
  { ask, clock }: Ports,
  key: string,
  { eventKeys }: SeasonDocument,
  lockId: string,
): Promise<boolean> {
  const command = { type: 'unlock' as const, owner: { kind: 'season' as const, key }, lockId };
  const deadlineAt = clock.elapsed() + lockAnswerMs;
  const answers = await Promise.all(eventKeys.map((eventKey) => ask(eventKey, command, byTimer, deadlineAt)));
  return answers.every((answer) => answer.ok || answer.refusal.code === 'not_found');
}

async function advanceClose(
  ports: Ports,
  key: string,
  season: SeasonDocument,
  { operationId, remainingOperations, totalLocks }: SeasonLifecycle,
): Promise<SeasonDocument | null> {
  const { ask, clock, announce } = ports;
  const lockId = season.lockId!;
  const command = { type: 'drain-lock' as const, owner: { kind: 'season' as const, key }, lockId };
  const deadlineAt = clock.elapsed() + lockAnswerMs;
  const answers = await Promise.all(season.eventKeys.map((eventKey) => ask(eventKey, command, byTimer, deadlineAt)));
  if (!answers.every(({ ok }) => ok)) return null;
  // Each event counts its parts, and an operation has one part in an event: the most is a number of operations.
  const live = Math.max(0, ...answers.map((answer) => (answer.ok ? (answer.value.lock?.live ?? 0) : 0)));
  const now = clock.now();
  if (live > 0) {
    if (live === remainingOperations) return null;
    return moved<SeasonLifecycle, SeasonDocument>(season, { remainingOperations: live }, now);
  }
  if (!(await unlockAll(ports, key, season, lockId))) return null;
  const ending = { phase: 'closed' as const, terminal: true, ackedLocks: totalLocks, remainingOperations: 0 };
  const over = moved<SeasonLifecycle, SeasonDocument>(season, ending, now);
  const open = season.lateLocks.length > 0 ? true : over.open;
  announce({ kind: 'season', seasonKey: key });
  const fields = { structureState: 'closed' as const, closedAt: now, lockId: null, open };
  return revised(over, fields, [ended(operationId, 'season.closed', 'timer', now)], now);
}
