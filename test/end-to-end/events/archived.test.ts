/** An archived event: it reads as before, also from a shard that has only its snapshot. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectTo } from '../../support/servers/nats.ts';
import { type Json, openShop, type Shop } from '../shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

type Event = Awaited<ReturnType<Shop['event']>>;

/**
 * An event with a hold in every state, a partly cancelled booking, a block, a ticket release and an availability rule.
 */
async function soldEvent(): Promise<{ event: Event; holdIds: string[] }> {
  const event = await shop.event();
  const hold = async (...labels: string[]) => (await event.post('hold', { labels })).body.holdId as string;
  await shop.call('PUT', `${event.path}/releases`, {
    token: shop.token,
    body: { releases: [{ name: 'Early', price: 5, action: 'buy', quota: 3 }] },
  });
  const holdIds = [await hold('A-1', 'A-2'), await hold('A-3'), await hold('A-4')];
  await event.post('book', { holdId: holdIds[1], bookingRef: 'order-1' });
  await event.post('release', { holdId: holdIds[2] });
  await event.post('book', { labels: ['B-1', 'B-2'], bookingRef: 'order-1' });
  await event.post('unbook', { labels: ['B-2'], bookingRef: 'order-1' });
  await event.post('block', { labels: ['A-5'] });
  await event.post('availability', { rules: { __ungrouped__: { mode: 'closed' } } });
  return { event, holdIds };
}

type EventReadings = { report: Json; file: string; rest: Json[]; log: Json[] };

async function readAll({ event, holdIds }: Awaited<ReturnType<typeof soldEvent>>): Promise<EventReadings> {
  const get = async (what: string): Promise<Json> => {
    const { status, body } = await event.get(what);
    expect([what, status]).toEqual([what, 200]);
    return body;
  };
  const rest = [];
  const paths = ['/bookings', '/bookings/order-1', '/releases', '/availability', '/hold-ttl'];
  for (const what of [...paths, ...holdIds.map((id) => `/holds/${id}`)]) rest.push(await get(what));
  const headers = { Authorization: `Bearer ${shop.token}` };
  const file = await (await fetch(`${shop.url}${event.path}/report.csv`, { headers })).text();
  const { event: _, ...report } = await get('/report');
  return { report, file, rest, log: (await get('/log?limit=200')).entries };
}

/** Records each read of a journal, by a new consumer or message by message: its subject and its first sequence. */
async function listenForReplays(natsUrl: string) {
  const nats = await connectTo(natsUrl);
  const begun: { subject: string; from: number }[] = [];
  nats.subscribe('$JS.API.STREAM.MSG.GET.>', {
    callback: (_error, message) => {
      const { seq, next_by_subj: subject } = message.json<{ seq?: number; next_by_subj?: string }>();
      if (subject?.startsWith('journal.')) begun.push({ subject, from: seq ?? 1 });
    },
  });
  nats.subscribe('$JS.API.CONSUMER.>', {
    callback: (_error, message) => {
      if (!/CONSUMER\.(DURABLE\.)?CREATE\.JOURNAL-/.test(message.subject)) return;
      const { config } = message.json<{ config: Json }>();
      begun.push({ subject: config.filter_subject ?? '', from: config.opt_start_seq ?? 1 });
    },
  });
  await nats.flush();
  return { begun, end: () => nats.close() };
}

it('An archived event reads as before, also from its snapshot alone after its shard was killed', {
  timeout: 90_000,
}, async () => {
  const sold = await soldEvent();
  const before = await readAll(sold);
  const archived = await sold.event.post('archive');
  expect([archived.status, archived.body.snapshot.counts]).toEqual([200, { free: 65, held: 2, booked: 2, blocked: 1 }]);
  const after = await readAll(sold);
  const { log: entries, ...told } = after;
  expect(told).toEqual({ report: before.report, file: before.file, rest: before.rest });
  expect(entries.slice(1)).toEqual(before.log);

  const other = await shop.event();
  await other.post('book', { labels: ['A-1'], bookingRef: 'order-9' });
  const replays = await listenForReplays(shop.server.natsUrl);
  try {
    const killed = shop.pidOf('inventory-shard');
    process.kill(killed, 'SIGKILL');
    const isServed = async () => (await other.get()).status === 200 && runningShard() !== killed;
    await expect.poll(isServed, { timeout: 30_000 }).toBe(true);
    expect(await readAll(sold)).toEqual(after);
    const journalOf = (event: Event) => replays.begun.filter(({ subject }) => subject.endsWith(`.${event.key}`));
    // The other event has no snapshot, so the shard reads its journal. The recording shows this read.
    expect(journalOf(other)[0]).toMatchObject({ from: 1 });
    expect(journalOf(sold.event)).toEqual([]);
  } finally {
    await replays.end();
  }
});

/** Null while no shard runs. */
function runningShard(): number | null {
  try {
    return shop.pidOf('inventory-shard');
  } catch {
    return null;
  }
}
