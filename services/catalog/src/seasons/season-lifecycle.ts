/**
 * The lifecycle of a season: the facts that its occurrences share, and the entries of its steps in audit and outbox.
 * lifecycles/lifecycle-machine.ts has activation and close with their failures. The archive is one write.
 */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import type { Lifecycle } from '@parterre/shared/protocol/catalog/lifecycles';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { SeasonNote, SeasonStep } from '@parterre/shared/protocol/catalog/seasons';
import type { CatalogInput } from '@parterre/shared/protocol/catalog-api';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { derivedId } from '@parterre/shared/protocol/ids';
import { factsOf } from '../lifecycles/event-locks.ts';
import { createLifecycleMachine, type LifecycleMachine, stateAt, type Turn } from '../lifecycles/lifecycle-machine.ts';
import { begun, lifecycleNamed } from '../lifecycles/rules/lifecycle-state.ts';
import type { Ports } from '../store/operations.ts';
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
  engine: LifecycleMachine<SeasonDocument>['engine'];
};

export function createSeasonLifecycle(ports: Ports): SeasonLifecycles {
  const { store, announce } = ports;
  const machine = createLifecycleMachine<SeasonDocument>(ports, {
    kind: 'season',
    collection: seasons,
    operationId: ({ key, expectedRevision }, kind) => operationIdOf(key, kind, expectedRevision),
    change: ({ scope, key }, operationId, decide) =>
      changeSeason(ports, { scope, seasonKey: key }, operationId, decide),
    check(season, from, expectedRevision) {
      const current = checkRevision(season, expectedRevision);
      return current.ok ? checkStructure(season, from) : current;
    },
    factsOf: (season, scope) => sharedFacts(ports, season, scope),
    hasFacts: (season) => hasFacts(ports, season),
    turned,
    async beforeWrite({ id, value }, next) {
      // The documents of the last change are written before this change takes their place.
      if (next.notes !== value.notes) await keepNotes(store, id, value, value.notes);
    },
    written: (seasonKey) => announce({ kind: 'season', seasonKey }),
  });
  const step = (move: 'activate' | 'close') => async (input: Step) => {
    const taken = await machine[move]({ ...input, key: input.seasonKey });
    if (!taken.ok) return taken;
    const { document, operationId } = taken.value;
    await keepNotes(store, document.id, document.value, document.value.notes);
    return stepOf(document, operationId);
  };
  return {
    activate: step('activate'),
    close: step('close'),
    archive: (input) => archive(ports, input),
    async read(input) {
      const found = await findSeason(store, input);
      return found.ok ? stepOf(found.value, input.operationId) : found;
    },
    engine: machine.engine,
  };
}

/** A repeated step at the same revision finds the first one. */
function operationIdOf(seasonKey: string, kind: Lifecycle['kind'], expectedRevision: number): string {
  return derivedId('slc', seasonKey, kind, String(expectedRevision));
}

function stepOf(season: Stored<SeasonDocument>, operationId: string): Outcome<SeasonStep> {
  const lifecycle = lifecycleNamed(season.value, operationId);
  if (!lifecycle) return refuse('not_found', 'The season has no such lifecycle operation. Check its id.');
  return done({ ...seasonOf(season), lifecycle });
}

/** The events are judged again: they were free to change while the season was a draft. */
async function sharedFacts(
  ports: Ports,
  season: SeasonDocument,
  scope: Scope,
): Promise<Outcome<Partial<SeasonDocument>>> {
  const { issues, events } = await readSelection(ports.store, { ...scope, mode: season.mode }, season, latestIn(ports));
  if (issues.length > 0) return incompatible(issues);
  const { planHash, chartId, chartVersion, currency } = events[0]!;
  const venue = sharedValue(events, (event) => event.venue);
  const timezone = sharedValue(events, (event) => event.timezone);
  return done({ planHash, chartId, chartVersion, currency, venue, timezone });
}

async function hasFacts(ports: Ports, season: SeasonDocument): Promise<boolean> {
  const { organisationId, mode, workspaceId, environment, eventKeys } = season;
  const scope: Scope = { organisationId, mode, workspaceId, environment, actor: 'lifecycle', role: null };
  const { issues, events } = await readSelection(ports.store, scope, { eventKeys }, latestIn(ports));
  return (
    issues.length === 0 &&
    events.every(({ chartId, chartVersion }) => chartId === season.chartId && chartVersion === season.chartVersion)
  );
}

/** An event that does not answer keeps its record. Its lock then compares again. */
function latestIn(ports: Ports) {
  return async (event: EventRecord): Promise<EventRecord> => {
    const facts = await factsOf(ports, event.key);
    if (!facts.ok) return event;
    const { chartId = event.chartId, chartVersion, planHash, currency } = facts.value;
    return { ...event, chartId, chartVersion: chartVersion ?? event.chartVersion, planHash, currency };
  };
}

const actions = {
  locking: 'season.activation.begun',
  active: 'season.activated',
  failed: 'season.activation.failed',
  draining: 'season.close.begun',
  closed: 'season.closed',
} as const satisfies Record<Turn, string>;

/** The begin of a step is for the audit, its end for audit and outbox. The begin has the name of the call. */
function turned(season: SeasonDocument, turn: Turn, scope: Scope | null, now: number): SeasonDocument {
  const { operationId, code } = season.lifecycles.at(-1)!;
  const isBegin = turn === 'locking' || turn === 'draining';
  const fields: Partial<SeasonDocument> = { structureState: stateAt[turn] };
  if (turn === 'draining') fields.salesState = 'ended';
  const note: SeasonNote = {
    callId: isBegin ? operationId : `${operationId} ended`,
    action: actions[turn],
    actorKind: scope ? actorKindOf(scope) : 'timer',
    details: { operationId },
    at: now,
  };
  if (turn === 'locking') note.details = { operationId, eventKeys: season.eventKeys };
  if (turn === 'failed') note.details = { operationId, code };
  if (turn !== 'locking' && turn !== 'draining') note.occurrence = { eventName: actions[turn], data: { operationId } };
  return revised(season, fields, [note], now);
}

/** The note has the name of the call, and a repeated call finds it. */
async function archive(ports: Ports, input: Step): Promise<Outcome<SeasonStep>> {
  const { scope, seasonKey, expectedRevision } = input;
  const operationId = operationIdOf(seasonKey, 'ARCHIVE', expectedRevision);
  const written = await changeSeason(ports, input, operationId, (season) => {
    const current = checkRevision(season, expectedRevision);
    if (!current.ok) return current;
    const closed = checkStructure(season, 'closed');
    if (!closed.ok) return closed;
    const now = ports.clock.now();
    const over = begun(season, { operationId, kind: 'ARCHIVE', step: 'archived' }, now);
    const action = 'season.archived' as const;
    const data = { operationId };
    const occurrence = { eventName: action, data };
    const note = { callId: operationId, action, actorKind: actorKindOf(scope), details: data, at: now, occurrence };
    return done(revised(over, { structureState: 'archived' }, [note], now));
  });
  return written.ok ? stepOf(written.value, operationId) : written;
}
