/** The moves that a season and a group offer in each state. */
import { expect, test } from 'vitest';
import type { Words } from '../../../web/console/messages/words.ts';
import type { Season } from '../../../web/console/seasons/records.ts';
import { groupMoves, seasonMoves } from '../../../web/console/seasons/season-moves.ts';

const words = { text: (key: string) => key } as unknown as Words;
const season = (fields: Partial<Season>): Season =>
  ({
    name: 'Pass',
    revision: 3,
    occurrenceCount: 2,
    structureState: 'active',
    salesState: 'closed',
    ...fields,
  }) as Season;
const movesOf = (fields: Partial<Season>): string[] => seasonMoves(season(fields), words).map(({ path }) => path);
const published = [{ publicationState: 'published' }] as Season['plans'] & object;

test('a season offers the moves of its state', () => {
  expect(movesOf({ structureState: 'draft' })).toEqual(['activate']);
  expect(movesOf({})).toEqual(['close']);
  expect(movesOf({ plans: published })).toEqual(['sales/open', 'close']);
  expect(movesOf({ plans: published, salesState: 'open' })).toEqual(['sales/pause', 'sales/end', 'close']);
  expect(movesOf({ plans: published, salesState: 'paused' })).toEqual(['sales/resume', 'sales/end', 'close']);
  expect(movesOf({ plans: published, salesState: 'ended' })).toEqual(['close']);
  expect(movesOf({ structureState: 'closing' })).toEqual([]);
  expect(movesOf({ structureState: 'closed' })).toEqual(['archive']);
});

test('a pause is taken back at the revision that it has made', () => {
  const [pause] = seasonMoves(season({ plans: published, salesState: 'open' }), words);
  expect(pause!.revision).toBe(3);
  expect(pause!.undo!.path).toBe('sales/resume');
  expect(pause!.undo!.revisionOf({ season: { revision: 4 } })).toBe(4);
});

test('a group is activated from its draft, and closed for good while it is active', () => {
  const group = { name: 'Run', revision: 1, performanceCount: 2 };
  expect(groupMoves({ ...group, state: 'draft' } as never, words).map(({ path }) => path)).toEqual(['activate']);
  expect(groupMoves({ ...group, state: 'active' } as never, words)).toMatchObject([{ path: 'close', isDanger: true }]);
  expect(groupMoves({ ...group, state: 'closed' } as never, words)).toEqual([]);
});
