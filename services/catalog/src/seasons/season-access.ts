/** Finds and changes seasons within the caller's scope. A season outside the scope, and a deleted draft, is unknown. */
import { inScope } from '@parterre/shared/protocol/catalog/owner-scope';
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { change, type Ports } from '../store/operations.ts';
import { unlessRepeated } from '../store/repeats.ts';
import type { SeasonDocument } from '../store/rules/season-records.ts';
import { seasons } from '../store/season-collections.ts';
import type { Store, Stored } from '../store/store.ts';
import { finishAmendment } from './finish-amendment.ts';
import { recordOf } from './rules/season-state.ts';
import { isNoted, keepNotes } from './season-notes.ts';

export type SeasonPorts = Pick<Ports, 'store' | 'clock' | 'announce'>;
export type SeasonTarget = { scope: Scope; seasonKey: string };

export function seasonUnknown(): Outcome<never> {
  return refuse('not_found', 'There is no such season. Check its key.');
}

/** The season as the scope sees it. A deleted draft is still there for the repeat of the call that deleted it. */
function seasonInScope(season: SeasonDocument, scope: Scope): Outcome<SeasonDocument> {
  return inScope('season', season, scope, seasonUnknown);
}

export async function findSeason(
  store: Store,
  { scope, seasonKey }: SeasonTarget,
): Promise<Outcome<Stored<SeasonDocument>>> {
  const found = await store.get(seasons, seasonKey);
  if (!found || found.value.gone) return seasonUnknown();
  const known = seasonInScope(found.value, scope);
  return known.ok ? done(found) : known;
}

/**
 * Changes a season within the scope, and tells the caches. `decide` returns the same document where nothing changes. A
 * named call (`callId`) whose change stands already is not decided again.
 */
export async function changeSeason(
  ports: SeasonPorts,
  { scope, seasonKey }: SeasonTarget,
  callId: string | undefined,
  decide: (season: SeasonDocument) => Outcome<SeasonDocument> | Promise<Outcome<SeasonDocument>>,
): Promise<Outcome<Stored<SeasonDocument>>> {
  const { store } = ports;
  const written = await change(store, seasons, seasonKey, seasonUnknown, (season) =>
    unlessRepeated(seasonInScope(season, scope), {
      isRepeated: () => callId !== undefined && isStanding(store, seasonKey, season, callId),
      async decide() {
        if (season.gone) return seasonUnknown();
        // The documents of the last change are written before this change takes their place.
        await keepNotes(store, seasonKey, season, season.notes);
        await finishAmendment(ports, season.amending);
        return decide(season);
      },
    }),
  );
  if (!written.ok) return written;
  ports.announce({ kind: 'season', seasonKey });
  const { value } = written.value;
  await keepNotes(store, seasonKey, value, value.notes);
  await finishAmendment(ports, value.amending);
  return written;
}

async function isStanding(store: Store, seasonKey: string, season: SeasonDocument, callId: string): Promise<boolean> {
  return season.notes.some((note) => note.callId === callId) || (await isNoted(store, seasonKey, callId));
}

export function seasonOf({ id, value }: Stored<SeasonDocument>): { season: SeasonRecord } {
  return { season: recordOf(id, value) };
}
