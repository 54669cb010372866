/**
 * The steps of a season's life: activation locks every event, close waits for the live operations and unlocks them,
 * archive is one write. The season's document is the coordinator's state (lifecycles/lifecycles.ts).
 *
 * States of an activation: decided (locks are asked for) → active; or, when an event refuses its lock or an answer
 * stays away too long, given up (`aborting`; locks are taken back) → ended with a `code`, the season a draft again.
 * States of a close: decided (locks drain: no operation begins any more) → closed, once no event has a live operation
 * and every lock is gone.
 *
 * Failure at each await: the store or an event does not answer → the step is done again; two processes do one step →
 * each command is harmless when repeated, and one of their writes is stale; a late copy of a lock → it acts within
 * `eventLocksMs` of the decision alone, and after that time the locks of a given-up activation are taken back once
 * more (`lateLocks`). The lock names its activation, so this takes no lock of a later activation.
 */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { SeasonLifecycle, SeasonNote, SeasonStep } from '@parterre/shared/protocol/catalog/seasons';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { derivedId } from '@parterre/shared/protocol/ids';
import { drainActors, factsOf, lockActors, noteLocks, unlockAll } from '../lifecycles/event-locks.ts';
import { createLifecycles, type Lifecycles } from '../lifecycles/lifecycles.ts';
import { begun, lifecycleNamed, moved, openLifecycle } from '../lifecycles/rules/lifecycle-state.ts';
import type { Ports } from '../store/operations.ts';
import { eventLocksMs, lifecycleCallMs } from '../store/rules/bounds.ts';
import type { LockNote } from '../store/rules/records.ts';
import type { SeasonDocument } from '../store/rules/season-records.ts';
import { seasons } from '../store/season-collections.ts';
import type { Stored } from '../store/store.ts';
import { sharedValue } from './rules/compatibility.ts';
import { actorKindOf, checkAtRest, checkRevision, checkStructure, revised } from './rules/season-state.ts';
import { changeSeason, findSeason, seasonOf } from './season-access.ts';
import { keepNotes } from './season-notes.ts';
import { incompatible, readSelection } from './season-selections.ts';

type Step = CatalogInput<'seasons.activate'>;

export type SeasonLifecycles = {
  activate(input: Step): Promise<Outcome<SeasonStep>>;
  close(input: Step): Promise<Outcome<SeasonStep>>;
  archive(input: Step): Promise<Outcome<SeasonStep>>;
  read(input: CatalogInput<'seasons.lifecycle'>): Promise<Outcome<SeasonStep>>;
  engine: Lifecycles<SeasonDocument>;
};

export function createSeasonLifecycle(ports: Ports): SeasonLifecycles {
  const { store, clock, log, announce } = ports;
  const engine = createLifecycles<SeasonDocument>({
    store,
    clock,
    log,
    collection: seasons,
    async advance(document) {
      const { id, value } = document;
      const next = await advance(ports, document);
      // The documents of the last change are written before this change takes their place.
      if (next && next.notes !== value.notes) await keepNotes(store, id, value, value.notes);
      return next;
    },
    written: (seasonKey) => announce({ kind: 'season', seasonKey }),
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
    const after = (await engine.carryOn(seasonKey, lifecycleCallMs, isAtRest)) ?? written.value;
    await keepNotes(store, seasonKey, after.value, after.value.notes);
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
    engine,
  };
}

/** Late locks of an earlier activation keep no caller waiting. */
function isAtRest(season: SeasonDocument): boolean {
  return checkAtRest(season).ok;
}

function stepOf(season: Stored<SeasonDocument>, operationId: string): Outcome<SeasonStep> {
  const lifecycle = lifecycleNamed<SeasonLifecycle>(season.value, operationId);
  if (!lifecycle) return refuse('not_found', 'The season has no such lifecycle operation. Check its id.');
  return done({ ...seasonOf(season), lifecycle });
}

/** The events are judged again: they were free to change while the season was a draft. */
async function beginActivation(
  ports: Ports,
  { scope }: Step,
  season: SeasonDocument,
  operationId: string,
  now: number,
): Promise<Outcome<SeasonDocument>> {
  const draft = checkStructure(season, 'draft');
  if (!draft.ok) return draft;
  const { issues, events } = await readSelection(ports.store, { ...scope, mode: season.mode }, season, latestIn(ports));
  if (issues.length > 0) return incompatible(issues);
  const { planHash, chartVersion, currency } = events[0]!;
  const facts = {
    planHash,
    chartVersion,
    currency,
    lockId: operationId,
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
  const over = movedOn(open, { phase: 'archived', terminal: true }, now);
  // The begin of an archive is its end. So its note has the name of the call, and a repeated call finds it.
  const note = { ...ended(operationId, 'season.archived', actorKindOf(scope), now), callId: operationId };
  return done(revised(over, { structureState: 'archived', open: openWith(season.lateLocks) }, [note], now));
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
  if (operation?.terminal !== false) return takeLateLocks(ports, id, value);
  const lock = { owner: { kind: 'season' as const, key: id }, lockId: value.lockId! };
  if (operation.kind === 'CLOSE') return advanceClose(ports, lock, value, operation);
  if (value.aborting) return giveUp(ports, lock, value, value.aborting);
  return advanceActivation(ports, lock, value, operation);
}

/** Locked events keep their facts. So a look at them behind the locks stays true. */
async function advanceActivation(
  ports: Ports,
  lock: LockNote,
  season: SeasonDocument,
  { operationId, createdAt, ackedLocks }: SeasonLifecycle,
): Promise<SeasonDocument | null> {
  const { eventKeys } = season;
  const actsUntil = createdAt + eventLocksMs;
  if (ports.clock.now() >= actsUntil) return { ...season, aborting: 'shard_unavailable' };
  const locked = await lockActors(ports, lock, eventKeys, actsUntil, season);
  if (locked.refused) return { ...season, aborting: locked.refused.code };
  const now = ports.clock.now();
  if (locked.waiting) {
    return locked.acked === ackedLocks ? null : movedOn(season, { ackedLocks: locked.acked }, now);
  }
  const noted = await noteLocks(ports, lock, eventKeys);
  if (noted.waiting) return null;
  if (noted.refused || !(await isAsDecided(ports, season))) return { ...season, aborting: 'incompatible_events' };
  const over = movedOn(season, { phase: 'active', terminal: true, ackedLocks: locked.acked }, now);
  const fields = { structureState: 'active' as const, activatedAt: now, open: openWith(season.lateLocks) };
  return revised(over, fields, [ended(operationId, 'season.activated', 'timer', now)], now);
}

async function isAsDecided(ports: Ports, season: SeasonDocument): Promise<boolean> {
  const selection = { eventKeys: season.eventKeys };
  const { issues, events } = await readSelection(ports.store, systemScope(season), selection, latestIn(ports));
  return issues.length === 0 && events.every(({ chartVersion }) => chartVersion === season.chartVersion);
}

/** An event that does not answer keeps its record. Its lock then compares again. */
function latestIn(ports: Ports) {
  return async (event: EventRecord): Promise<EventRecord> => {
    const told = await factsOf(ports, event.key);
    if (!told.ok) return event;
    const { chartVersion, planHash, currency } = told.value;
    return { ...event, chartVersion: chartVersion ?? event.chartVersion, planHash, currency };
  };
}

function systemScope({ organisationId, mode, workspaceId, environment }: SeasonDocument): Scope {
  return { organisationId, mode, workspaceId, environment, actor: 'lifecycle', role: null };
}

async function giveUp(
  ports: Ports,
  lock: LockNote,
  season: SeasonDocument,
  code: string,
): Promise<SeasonDocument | null> {
  const unlocked = await unlockAll(ports, lock, season.eventKeys);
  if (unlocked.waiting || unlocked.refused) return null;
  const { operationId, createdAt } = season.lifecycles.at(-1)!;
  const now = ports.clock.now();
  const over = movedOn(season, { terminal: true, ackedLocks: 0, code }, now);
  const lateLocks = [...season.lateLocks, { lockId: lock.lockId, until: createdAt + 2 * eventLocksMs }];
  const note = { ...ended(operationId, 'season.activation.failed', 'timer', now), details: { operationId, code } };
  return revised(over, { aborting: null, lockId: null, lateLocks, open: true }, [note], now);
}

async function takeLateLocks(ports: Ports, key: string, season: SeasonDocument): Promise<SeasonDocument | null> {
  const [next, ...others] = season.lateLocks;
  if (!next) return { ...season, open: null };
  if (ports.clock.now() < next.until) return null;
  const lock = { owner: { kind: 'season' as const, key }, lockId: next.lockId };
  const unlocked = await unlockAll(ports, lock, season.eventKeys);
  return unlocked.waiting || unlocked.refused ? null : { ...season, lateLocks: others, open: openWith(others) };
}

async function advanceClose(
  ports: Ports,
  lock: LockNote,
  season: SeasonDocument,
  { operationId, remainingOperations }: SeasonLifecycle,
): Promise<SeasonDocument | null> {
  const drained = await drainActors(ports, lock, season.eventKeys);
  if (drained.waiting || drained.refused) return null;
  const now = ports.clock.now();
  if (drained.live > 0) {
    return drained.live === remainingOperations ? null : movedOn(season, { remainingOperations: drained.live }, now);
  }
  // An operation that lives after all refuses its unlock: the close waits for it again.
  const unlocked = await unlockAll(ports, lock, season.eventKeys);
  if (unlocked.waiting || unlocked.refused) return null;
  const ending = { phase: 'closed' as const, terminal: true, ackedLocks: unlocked.acked, remainingOperations: 0 };
  const over = movedOn(season, ending, now);
  const fields = { structureState: 'closed' as const, closedAt: now, lockId: null, open: openWith(season.lateLocks) };
  return revised(over, fields, [ended(operationId, 'season.closed', 'timer', now)], now);
}

function movedOn(season: SeasonDocument, change: Parameters<typeof moved>[1], now: number): SeasonDocument {
  return moved<SeasonLifecycle, SeasonDocument>(season, change as Partial<SeasonLifecycle>, now);
}

function openWith(lateLocks: SeasonDocument['lateLocks']): true | null {
  return lateLocks.length > 0 ? true : null;
}
