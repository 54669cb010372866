/** Public files of a front door: how openings name them, and the work that a stranger can ask for. */
import { createSecretKey } from 'node:crypto';
import { compilePlan } from '@parterre/shared/charts/compile';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { expect, it } from 'vitest';
import { namedFiles, publicChartOf, publicChartsRoutes } from '../../../services/frontdoor/src/api/public-charts.ts';
import { createPublicCharts } from '../../../services/frontdoor/src/caches/caches.ts';
import { buyerAudience, publicAudience } from '../../../services/frontdoor/src/pictures/pictures.ts';
import { chart, rectangle, row, section } from '../../support/charts.ts';
import { ManualClock } from '../../support/manual-clock.ts';

it('A file is named with the version that it shows, also if a reveal comes while the file is made', async () => {
  const facts = { hash: 'file-1', bytes: 7, parts: ['base'] };
  const replica = {
    plan: { hash: 'plan' },
    scopes: { hidden: ['box'] },
    version: 4,
    picture: { channels: { numbers: new Map() } },
  };
  const publicCharts = {
    factsOf: () => undefined,
    of: async () => {
      replica.scopes = { hidden: [] };
      replica.version = 5;
      return done({ facts });
    },
    note: () => {},
  };
  const ports = { publicCharts, addressKey: createSecretKey(Buffer.alloc(32)), clock: new ManualClock() };
  const call = { ports, request: { deadlineAt: 1_000 } } as never as Parameters<typeof publicChartOf>[0];
  const made = await publicChartOf(call, 'gala', replica as never);
  if (!made.ok) throw new Error('a refusal');
  const seen = { known: { event: { key: 'gala' } }, replica, audience: publicAudience, sale: null };
  const fields = namedFiles(call.ports, seen as never, made.value);
  expect(JSON.parse(`{${fields}}`)).toMatchObject({ files: [{ hash: 'file-1' }], snapshotVersion: 4 });
});

it('The text of an opening is made once for the facts that it tells, and anew for each fact that has changed', () => {
  const replica = {
    version: 1,
    status: 'active',
    salesPaused: false,
    picture: { channels: { numbers: new Map([['chn', 1]]) } },
  };
  const event = { key: 'gala', name: 'Gala', accessEpoch: 0 };
  const facts = { hash: 'file-1', bytes: 7, parts: ['base'] };
  const sale = { state: 'on-sale', opensAt: null };
  const seen = { known: { event }, replica, audience: publicAudience, sale };
  const club = buyerAudience({ channelIds: ['chn'], includePublic: false });
  const ports = { addressKey: createSecretKey(Buffer.alloc(32)) };
  const told = (more: object, of: object = facts) =>
    JSON.parse(`{${namedFiles(ports as never, { ...seen, ...more } as never, { chart: of, version: 1 } as never)}}`);
  const first = told({});
  expect(first).toMatchObject({ event: { name: 'Gala', state: 'on-sale', salesClosed: false }, files: [{ bytes: 7 }] });
  expect(told({ known: { event: { ...event, name: 'Ball' } } }).event.name).toBe('Ball');
  expect(told({ sale: { ...sale, state: 'low' } }).event.state).toBe('low');
  expect(told({}, { ...facts, hash: 'file-2' }).files[0].hash).toBe('file-2');
  replica.salesPaused = true;
  expect(told({}).event.salesClosed).toBe(true);
  const ofClub = told({ audience: club }).statusesUrl;
  expect(ofClub).not.toBe(first.statusesUrl);
  expect(told({ audience: club, known: { event: { ...event, accessEpoch: 1 } } }).statusesUrl).not.toBe(ofClub);
  replica.picture = { channels: { numbers: new Map([['chn', 2]]) } };
  expect(told({ audience: club }).statusesUrl).toContain('scope=2&');
  expect(told({}).statusesUrl).toBe(first.statusesUrl);
});

const hall = chart([section({ id: 'box', outline: rectangle(-10, -10, 300, 40) }), row()]);

it('Few files are made at once. Openings of other events wait for their turn', async () => {
  let [asked, asking, most] = [0, 0, 0];
  const charts = createPublicCharts(async () => {
    const nth = ++asked;
    most = Math.max(most, ++asking);
    await new Promise(setImmediate);
    asking--;
    if (nth === 3) throw new Error('a bug');
    return done(Buffer.from(JSON.stringify(hall)));
  });
  const plans = Array.from({ length: 20 }, (_, at) => compilePlan(hall, `hash-${at}`));
  const made = await Promise.allSettled([...plans, ...plans].map((plan) => charts.of(plan, [])));
  expect(most).toBe(4);
  expect(asked).toBe(20);
  expect(made.filter((one) => one.status === 'fulfilled' && one.value.ok)).toHaveLength(2 * 19);
});

it('An earlier file is served while it is kept, and never made again', async () => {
  const plan = compilePlan(hall, 'hash');
  const doorOf = () => {
    let asked = 0;
    const publicCharts = createPublicCharts(async () => {
      asked++;
      return done(Buffer.from(JSON.stringify(hall)));
    });
    const replica = { plan, scopes: { hidden: [] }, version: 4, catchUpNow: async () => true };
    const known = done({ event: { key: 'gala', status: 'active' } });
    const ports = {
      publicCharts,
      addressKey: createSecretKey(Buffer.alloc(32)),
      clock: new ManualClock(),
      events: { get: () => known },
      feeds: { replicaOf: async () => done(replica) },
    };
    const request = { deadlineAt: 1_000, acceptEncoding: '', ifNoneMatch: '' };
    const read = (hash: string) =>
      publicChartsRoutes[0]!.handle({ ports, request, path: { hash }, query: {} } as never) as Promise<
        Outcome<unknown>
      >;
    return { publicCharts, read, asked: () => asked };
  };
  const [first, other] = [doorOf(), doorOf()];
  const earlier = await first.publicCharts.of(plan, ['box']);
  if (!earlier.ok) throw new Error('a refusal');
  const { facts } = earlier.value;
  for (const { publicCharts } of [first, other]) publicCharts.note(facts, 'gala');
  expect((await first.read(facts.hash)).ok).toBe(true);
  expect(await other.read(facts.hash)).toMatchObject({ ok: false, refusal: { code: 'not_found' } });
  // The file of today alone.
  expect(other.asked()).toBe(1);
});
