/**
 * The states of a season, and the checks of its changes. Every change but an amendment makes the next revision. Pure.
 */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type {
  SalesMove,
  SalesState,
  SeasonNote,
  SeasonRecord,
  StructureState,
} from '@parterre/shared/protocol/catalog/seasons';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { openLifecycle } from '../../lifecycles/rules/lifecycle-state.ts';
import { listsOf } from '../../store/rules/lists.ts';
import type { SeasonDocument } from '../../store/rules/season-records.ts';

/** The document of the next revision. */
export function revised(
  season: SeasonDocument,
  fields: Partial<SeasonDocument>,
  notes: SeasonNote[],
  now: number,
): SeasonDocument {
  return noted({ ...season, revision: season.revision + 1 }, fields, notes, now);
}

/** The changed document at the same revision. */
export function noted(
  season: SeasonDocument,
  fields: Partial<SeasonDocument>,
  notes: SeasonNote[],
  now: number,
): SeasonDocument {
  // The notes of the last change stand in the outbox already.
  const untold = notes.some(({ occurrence }) => occurrence) || null;
  const next = { ...season, ...fields, notes, untold };
  return listed({ ...next, updatedAt: Math.max(now, season.updatedAt + 1) });
}

export function listed(season: SeasonDocument): SeasonDocument {
  const { organisationId, mode, workspaceId, structureState } = season;
  return { ...season, lists: season.gone ? [] : listsOf(organisationId, [mode, workspaceId, structureState]) };
}

export function recordOf(key: string, season: SeasonDocument): SeasonRecord {
  const { lifecycles: _1, open: _2, lists: _3, gone: _4, notes: _5, amending: _6, ...more } = season;
  const { lockId: _7, amendments: _8, untold: _9, ...record } = more;
  return { key, ...record };
}

/** Refuses a change that was made from an older revision, and any change while a lifecycle operation is open. */
export function checkRevision(season: SeasonDocument, expectedRevision: number): Outcome<true> {
  if (season.revision !== expectedRevision) {
    return refuse('conflict', 'The season has changed since you read it. Read it again, and send its revision.', {
      reason: 'stale_revision',
      details: { revision: season.revision },
    });
  }
  return checkAtRest(season);
}

export function checkAtRest(season: SeasonDocument): Outcome<true> {
  if (openLifecycle(season) === null) return done(true);
  return refuse('conflict', 'A lifecycle operation of the season is under way. Wait for its end.', {
    reason: 'lifecycle_in_progress',
    details: { revision: season.revision },
  });
}

export function checkStructure(season: SeasonDocument, ...allowed: StructureState[]): Outcome<true> {
  if (allowed.includes(season.structureState)) return done(true);
  return refuse(
    'invalid_season_state',
    `The season is ${season.structureState}. The call needs a season that is ${allowed.join(' or ')}.`,
    { details: { state: season.structureState } },
  );
}

const moves: Record<SalesMove, { from: SalesState[]; to: SalesState }> = {
  open: { from: ['closed'], to: 'open' },
  pause: { from: ['open'], to: 'paused' },
  resume: { from: ['paused'], to: 'open' },
  end: { from: ['open', 'paused'], to: 'ended' },
};

/** The sales state after the move. */
export function movedSales(season: SeasonDocument, move: SalesMove): Outcome<SalesState> {
  const structure = checkStructure(season, 'active');
  if (!structure.ok) return structure;
  const { from, to } = moves[move];
  if (!from.includes(season.salesState)) {
    return refuse(
      'invalid_season_state',
      `The sales are ${season.salesState}. The call needs sales that are ${from.join(' or ')}.`,
      { details: { state: season.salesState } },
    );
  }
  const isSold = season.plans.some(({ publicationState }) => publicationState === 'published');
  if (move === 'open' && !isSold) {
    return refuse('invalid_season_state', 'Sales need a published plan. Publish a plan first.', {
      reason: 'no_published_plan',
    });
  }
  return done(to);
}

export function actorKindOf({ role }: Pick<Scope, 'role'>): string {
  return role === null ? 'server' : 'operator';
}
