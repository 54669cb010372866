/**
 * Viewers converge (I7). The run sells, assigns seats, pauses channels, hides and closes sections, kills shards and
 * front doors, and cuts sockets. Afterwards the map of every viewer is the fold of the journal, seen through the
 * viewer's reach. CONVERGENCE_SECONDS sets the duration; TEST_SEED repeats the choices of a run.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { scopeState, scopeStatesOf } from '@parterre/shared/charts/scopes';
import { createCatalogClient } from '@parterre/shared/runtime/catalog-client';
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import { inForce } from '../../services/inventory-shard/src/rules/availability/availability.ts';
import type { EventState } from '../../services/inventory-shard/src/rules/state/event-state.ts';
import type { Json } from '../end-to-end/shop.ts';
import { type FoldedEvent, foldJournals } from '../support/partition/journal-fold.ts';
import { testSeed as seed } from '../support/runner/seed.ts';
import { type Cluster, startCluster } from '../support/servers/cluster.ts';
import { connectTo } from '../support/servers/nats.ts';
import { createEvents } from './load/aftermath.ts';
import { MapViewer } from './load/feed-viewers.ts';

const seconds = Number(process.env.CONVERGENCE_SECONDS ?? 12);
const partitions = 2;
const sellers = 4;
const shopOrigin = 'https://shop.example';

/** Mulberry32, a seeded generator of numbers in [0, 1). */
function chanceOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Reach = { channels: string[]; includePublic: boolean } | null;

async function openTheatre(cluster: Cluster) {
  const { demo, urls } = cluster;
  const access = { url: urls[0]!, token: demo.keys.secretTest };
  const { plan, eventKeys } = await createEvents(access, demo.chartId, 1);
  const eventKey = eventKeys[0]!;
  const chance = chanceOf(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;

  /** Null when no answer came. The outcome of such a call is in the journal. */
  async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: Json } | null> {
    try {
      const response = await fetch(`${pick(urls)}/v1/events/${eventKey}/${path}`, {
        method,
        headers: { Authorization: `Bearer ${access.token}`, 'Content-Type': 'application/json' },
        signal: AbortSignal.timeout(15_000),
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.json() };
    } catch {
      return null;
    }
  }

  const channels: string[] = [];
  for (const name of ['Fan club', 'Partners']) {
    const made = await call('POST', 'channels', { name });
    expect(made).toMatchObject({ status: 201 });
    channels.push(made!.body.channel.id);
  }
  return { access, plan, eventKey, chance, pick, call, channels, labels: plan.labels.all() };
}

type Theatre = Awaited<ReturnType<typeof openTheatre>>;

/** Sells and gives back at random until told to stop. */
async function sell({ call, chance, pick, labels, channels }: Theatre, running: { now: boolean }): Promise<number> {
  const holds: string[] = [];
  const bookings: string[] = [];
  let answered = 0;
  const Access = { ignoreChannelRestrictions: true, reason: 'a test' };
  for (let turn = 0; running.now; turn++) {
    const first = Math.floor(chance() * labels.length);
    const some = labels.slice(first, first + 1 + Math.floor(chance() * 4));
    const what = chance();
    let done = null;
    if (what < 0.4) {
      const scope = chance() < 0.5 ? Access : { channelIds: [pick(channels)] };
      done = await call('POST', 'hold', { labels: some, ...scope });
      if (done?.status === 200) holds.push(done.body.holdId);
    } else if (what < 0.6 && holds.length > 0) {
      const bookingRef = `order-${turn}-${Math.floor(chance() * 1e9)}`;
      done = await call('POST', 'book', { holdId: holds.pop(), bookingRef });
      bookings.push(bookingRef);
    } else if (what < 0.75 && holds.length > 0) done = await call('POST', 'release', { holdId: holds.shift() });
    else if (what < 0.85 && bookings.length > 0) done = await call('POST', 'unbook', { bookingRef: bookings.shift() });
    else if (what < 0.95) done = await call('POST', 'block', { labels: some });
    else done = await call('POST', 'unblock', { labels: some });
    if (done?.status === 200) answered++;
  }
  return answered;
}

/** Assigns seats, pauses channels, hides and closes sections at random until told to stop. */
async function operate({ call, chance, pick, labels, channels, plan }: Theatre, running: { now: boolean }) {
  const scopes = [...plan.scopeIds];
  const done: Record<string, number> = {};
  const count = (what: string, answer: { status: number } | null) => {
    const name = `${what} ${answer?.status ?? 'unanswered'}`;
    done[name] = (done[name] ?? 0) + 1;
  };
  while (running.now) {
    const what = chance();
    if (what < 0.5) {
      const { assignmentVersion } = (await call('GET', 'channels'))?.body ?? {};
      const first = Math.floor(chance() * labels.length);
      const some = labels.slice(first, first + 1 + Math.floor(chance() * 80));
      const targetChannelId = pick([...channels, 'public']);
      count('assign', await call('POST', 'channels/assignments', { targetChannelId, labels: some, assignmentVersion }));
    } else if (what < 0.75)
      count('turn', await call('POST', `channels/${pick(channels)}/${pick(['pause', 'unpause', 'unpause'])}`, {}));
    else {
      const rules =
        scopes.length === 0 || chance() < 0.4 ? {} : { [pick(scopes)]: { mode: pick(['hidden', 'closed']) } };
      count('rules', await call('POST', 'availability', { rules }));
    }
    await pause(100 + chance() * 400);
  }
  return done;
}

/** Kills shards and front doors and cuts sockets at random until told to stop. */
async function break_(cluster: Cluster, { chance, pick }: Theatre, viewers: MapViewer[], running: { now: boolean }) {
  const killed: string[] = [];
  while (running.now) {
    for (const viewer of viewers) if (chance() < 0.3) viewer.cut();
    if (chance() < 0.3) {
      const name = pick(['inventory-shard-1', 'inventory-shard-2', 'frontdoor-1', 'frontdoor-2']);
      cluster.kill(name);
      killed.push(name);
      await cluster.untilReady(name);
    }
    await pause(300 + chance() * 700);
  }
  return killed;
}

/** The map that a caller with this reach must see, by label and by area. Reach null sees every status unchanged. */
function seenThrough({ state }: FoldedEvent, reach: Reach) {
  const { plan, statuses, channels } = state;
  const scopes = scopeStatesOf(plan, inForce(state));
  const seats = new Map<string, string>();
  const ga: Record<string, { free: number }> = {};
  for (let unit = 0; unit < plan.unitCount; unit++) {
    const object = plan.objectOfUnit[unit]!;
    const scope = scopes?.[object] ?? scopeState.open;
    if (reach !== null && scope === scopeState.hidden) continue;
    const channel = channels.of?.[unit] ? channels.byId.get(channels.ids[channels.of[unit]! - 1]!)! : null;
    const isMine =
      reach === null ||
      (channel ? channel.state === 'active' && reach.channels.includes(channel.id) : reach.includePublic);
    const shown = wordOf(state, unit, reach, isMine && scope === scopeState.open);
    seats.set(plan.labels.at(unit), shown);
    const { id, type } = plan.objects[object]!;
    if (type !== 'gaArea') continue;
    ga[id] ??= { free: 0 };
    if (shown === 'free') ga[id].free++;
  }
  return { seats, ga, version: state.version };

  function wordOf(of: EventState, unit: number, through: Reach, isOpen: boolean): string {
    const word = ['free', 'held', 'booked', 'blocked'][statuses[unit]!]!;
    if (through === null) return word;
    if (!isOpen || word === 'blocked') return 'not_for_sale';
    return word === 'free' && of.plan.categories[plan.categoryOfUnit[unit]!]!.notForSale ? 'not_for_sale' : word;
  }
}

test(`every viewer has the journal's map after ${seconds} s of sales and faults`, {
  timeout: (seconds + 240) * 1_000,
}, async () => {
  console.log(`TEST_SEED=${seed}`);
  const env = { PARTERRE_NATS_SERVERS: '1', PARTERRE_SHARDS: '2', PARTERRE_FRONTDOORS: '2', JOURNAL_PARTITIONS: '2' };
  const cluster = await startCluster({
    env: { ...env, PARTERRE_NATS_SYNC: '2m', PARTERRE_BUDGETS: 'off' },
  });
  const nats = await connectTo(cluster.natsUrls.join(','));
  const viewers: MapViewer[] = [];
  try {
    const theatre = await openTheatre(cluster);
    const { eventKey, chance, channels, plan } = theatre;
    const catalog = createCatalogClient(nats, createLog('test', 'silent'));
    const sessionOf = async (channelIds: string[], includePublic: boolean): Promise<string> => {
      const scope = {
        organisationId: cluster.demo.organisation,
        mode: 'test' as const,
        workspaceId: null,
        environment: null,
        actor: 'test',
        role: null,
      };
      const draft = { channelIds, includePublic, allowedOrigin: shopOrigin, expiresInSeconds: 14_400 };
      const made = await catalog('buyer-sessions.create', { scope, eventKey, draft, accessSource: 'promoter' });
      if (!made.ok) throw new Error(made.refusal.message);
      return made.value.token;
    };
    const club = [channels[0]!];
    const kinds: { name: string; reach: Reach; token: string; origin: string | null }[] = [
      {
        name: 'public',
        reach: { channels: [], includePublic: true },
        token: await sessionOf([], true),
        origin: shopOrigin,
      },
      {
        name: 'club',
        reach: { channels: club, includePublic: false },
        token: await sessionOf(club, false),
        origin: shopOrigin,
      },
      {
        name: 'both',
        reach: { channels: club, includePublic: true },
        token: await sessionOf(club, true),
        origin: shopOrigin,
      },
      { name: 'server', reach: null, token: cluster.demo.keys.secretTest, origin: null },
    ];
    const watched = kinds.flatMap((kind) =>
      [false, true, false, true].map((binary) => {
        const name = `${kind.name} ${binary ? 'binary' : 'text'}`;
        const viewer = new MapViewer({ ...kind, name, eventKey, urls: cluster.urls, binary, chance });
        viewers.push(viewer);
        return { viewer, reach: kind.reach };
      }),
    );

    const running = { now: true };
    const selling = Array.from({ length: sellers }, () => sell(theatre, running));
    const operating = operate(theatre, running);
    const breaking = break_(cluster, theatre, viewers, running);
    await pause(seconds * 1_000);
    running.now = false;
    const sold = (await Promise.all(selling)).reduce((sum, count) => sum + count, 0);
    const operated = await operating;
    const killed = await breaking;
    const heard = viewers.map(({ options, heard: what }) => `${options.name} ${JSON.stringify(what)}`);
    console.log(`${sold} sales, ${JSON.stringify(operated)}, killed: ${killed.join(', ')}\n${heard.join('\n')}`);
    expect(sold).toBeGreaterThan(seconds * 5);

    const folded = (await foldJournals(cluster.natsUrls.join(','), partitions, () => plan)).get(eventKey)!;
    expect(folded.violations).toEqual([]);
    for (const { viewer, reach } of watched) {
      const expected = seenThrough(folded, reach);
      const { name } = viewer.options;
      // Compare shown statuses, not versions: a buyer does not learn the version of a change that the reach hides.
      const shown = () => {
        const wrong = [...expected.seats].filter(([label, word]) => viewer.statusOf(label) !== word);
        const told = wrong.map(([label, word]) => `${label} is ${word}, seen as ${viewer.statusOf(label)}`);
        return { wrong: told.slice(0, 10), ga: viewer.ga };
      };
      await expect.poll(shown, { timeout: 40_000, message: name }).toEqual({ wrong: [], ga: expected.ga });
      expect(viewer.version).toBeLessThanOrEqual(expected.version);
      expect(viewer.complaints).toEqual([]);
    }
  } finally {
    await Promise.all(viewers.map((viewer) => viewer.stop()));
    await nats.close();
    await cluster.stop();
  }
});
