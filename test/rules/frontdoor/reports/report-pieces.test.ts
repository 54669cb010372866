/** A report in several answers shows one version of its event. */

import type { Plan } from '@parterre/shared/charts/plan';
import type { UnitColumns } from '@parterre/shared/protocol/answers';
import { done, refuse } from '@parterre/shared/protocol/errors';
import { reportFileTriesMax } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { readPieces } from '../../../../services/frontdoor/src/api/reports.ts';

const plan = { hash: 'p', unitCount: 6 } as Plan;

/** Answers of two units. `versionAt` is the event's version at each question. */
function event(versionAt: (question: number) => number, planHash = 'p') {
  const asked: number[] = [];
  return {
    asked,
    plan: async () => done(plan),
    unitsFrom: async (from: number) => {
      asked.push(from);
      const piece = { planHash, version: versionAt(asked.length), from, statuses: new Uint8Array(2) };
      return done(piece as unknown as UnitColumns);
    },
  };
}

test('answers of one version make a report', async () => {
  const source = event(() => 7);
  expect(await readPieces(source)).toMatchObject({
    ok: true,
    value: { pieces: [{ from: 0 }, { from: 2 }, { from: 4 }] },
  });
  expect(source.asked).toEqual([0, 2, 4]);
});

test('a sale between two answers begins the report again', async () => {
  const source = event((question) => (question < 3 ? question : 9));
  const read = await readPieces(source);
  expect(source.asked).toEqual([0, 2, 0, 2, 4]);
  expect(read).toMatchObject({ ok: true, value: { pieces: [{ version: 9 }, { version: 9 }, { version: 9 }] } });
});

test('an event that never stands still gets 503, not a report of two moments', async () => {
  const source = event((question) => question);
  expect(await readPieces(source)).toMatchObject({ ok: false, refusal: { code: 'overloaded', retryable: true } });
  expect(source.asked).toHaveLength(2 * reportFileTriesMax);
});

test('the report of an event that sells all the time is of its first version, as long as that is kept', async () => {
  const source = event((question) => question);
  const { unitsFrom } = source;
  const kept = async (from: number, version?: number) => {
    const piece = await unitsFrom(from);
    return piece.ok && version !== undefined ? done({ ...piece.value, version }) : piece;
  };
  expect(await readPieces({ ...source, unitsFrom: kept })).toMatchObject({
    ok: true,
    value: { pieces: [{ version: 1 }, { version: 1 }, { version: 1 }] },
  });
  expect(source.asked).toEqual([0, 2, 4]);
});

test('a refusal of the event is the answer', async () => {
  const refused = refuse('shard_unavailable', 'Try again.');
  const source = { ...event(() => 1), unitsFrom: async () => refused };
  expect(await readPieces(source)).toBe(refused);
});
