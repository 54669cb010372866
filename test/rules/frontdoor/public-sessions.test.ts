/** Sessions of public sale: pages that come together share a question to the catalog. */
import { done, refuse } from '@parterre/shared/protocol/errors';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import { expect, it } from 'vitest';
import { createPublicSessions } from '../../../services/frontdoor/src/api/calls/public-sessions.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const sale = {
  organisationId: 'org_1',
  workspaceId: 'ws_1',
  mode: 'test',
  eventKey: 'gala',
  origin: 'https://a.example',
  keyId: 'key_1',
} as const;
const nothingKept = { minting: () => () => {} };
const turns = async (count = 20) => {
  for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
};

/** A catalog that tells the number of sessions of each question. */
function catalogOf(answers: (count: number) => unknown) {
  const counts: number[] = [];
  const catalog = async (_operation: string, { count }: { count: number }) => {
    counts.push(count);
    return answers(count);
  };
  return { counts, catalog: catalog as unknown as CatalogClient };
}

it('A page alone is asked for at once; the pages that come meanwhile share the next question after a short rest', async () => {
  const clock = new ManualClock();
  let made = 0;
  const { counts, catalog } = catalogOf((count) =>
    done({ tokens: Array.from({ length: count }, () => `bse_${++made}`), session: { expiresAt: 7 } }),
  );
  const open = createPublicSessions(catalog, clock, nothingKept);
  expect(await open(sale)).toEqual(done({ token: 'bse_1', expiresAt: 7 }));
  const others = Array.from({ length: 1_500 }, () => open(sale));
  const elsewhere = open({ ...sale, origin: 'https://b.example' });
  await turns();
  expect(counts).toEqual([1, 1]);
  expect(await elsewhere).toEqual(done({ token: 'bse_2', expiresAt: 7 }));
  clock.advance(10);
  const opened = await Promise.all(others);
  expect(counts).toEqual([1, 1, 1_000, 500]);
  expect(new Set(opened.map((one) => one.ok && one.value.token)).size).toBe(1_500);
});

it('A refusal is the answer of all pages of its question', async () => {
  const { catalog } = catalogOf(() => refuse('buyer_access_invalid', 'Revoked.'));
  const open = createPublicSessions(catalog, new ManualClock(), nothingKept);
  const opened = await Promise.all([open(sale), open(sale)]);
  for (const one of opened) expect(one).toMatchObject({ ok: false, refusal: { code: 'buyer_access_invalid' } });
});

it('A catalog of an earlier version, which mints one session for a question, is asked again for the rest', async () => {
  let made = 0;
  const { counts, catalog } = catalogOf(() => done({ token: `bse_${++made}`, session: { expiresAt: 7 } }));
  const clock = new ManualClock();
  const open = createPublicSessions(catalog, clock, nothingKept);
  expect(await open(sale)).toEqual(done({ token: 'bse_1', expiresAt: 7 }));
  const others = Promise.all([open(sale), open(sale), open(sale)]);
  await turns();
  clock.advance(10);
  expect((await others).map((one) => one.ok && one.value.token)).toEqual(['bse_2', 'bse_3', 'bse_4']);
  expect(counts).toEqual([1, 3, 2, 1]);
});

it('The front door knows each session of an answer under its own id; of an earlier catalog the first alone', async () => {
  const kept: [string, string][] = [];
  const minting =
    () =>
    (token: string, { sessionId }: { sessionId: string }) =>
      void kept.push([token, sessionId]);
  const session = { sessionId: 'ses_1', expiresAt: 7 };
  const answers = [
    { token: 'bse_1', tokens: ['bse_1', 'bse_2'], sessionIds: ['ses_1', 'ses_2'], session },
    { token: 'bse_3', tokens: ['bse_3', 'bse_4'], session: { ...session, sessionId: 'ses_3' } },
  ];
  const { catalog } = catalogOf(() => done(answers.shift()!));
  const clock = new ManualClock();
  const open = createPublicSessions(catalog, clock, { minting });
  await Promise.all([open(sale), open(sale)]);
  clock.advance(10);
  await turns();
  await Promise.all([open(sale), open(sale)]);
  expect(kept).toEqual([
    ['bse_1', 'ses_1'],
    ['bse_2', 'ses_2'],
    ['bse_3', 'ses_3'],
  ]);
});
