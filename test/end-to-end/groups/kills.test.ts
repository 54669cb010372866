/**
 * Sales of a group while its processes are killed: every operation ends the same in all performances, as its caller was
 * told, and a repetition gets the first answer.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ServiceName } from '../../support/servers/server.ts';
import { type Answer, openShop, type Shop } from '../shop.ts';
import { draftRun, openRun, type Page, type Run } from './run.ts';

let shop: Shop;
let run: Run;
let page: Page;
beforeAll(async () => {
  shop = await openShop();
  run = await openRun(shop, 3);
  page = await run.page();
}, 120_000);
afterAll(() => shop?.stop());

const victims: ServiceName[] = ['inventory-shard', 'frontdoor', 'catalog', 'inventory-shard', 'frontdoor'];

async function kill(service: ServiceName): Promise<void> {
  const pid = await vi.waitFor(() => shop.pidOf(service), { timeout: 30_000, interval: 100 });
  process.kill(pid, 'SIGKILL');
}

/** Repeats the call until it has a final answer. */
async function sure(call: () => Promise<Answer>): Promise<Answer> {
  return vi.waitFor(
    async () => {
      const answer = await call();
      if (answer.status >= 500 || answer.status === 202) throw new Error(JSON.stringify(answer.body));
      return answer;
    },
    { timeout: 60_000, interval: 200 },
  );
}

const seatStatus = { committed: 'held', booked: 'booked', expired: 'free' } as const;
type End = keyof typeof seatStatus;

/** One buyer's sale. The first answer of each call may be lost. */
async function sell(label: string, end: End): Promise<void> {
  const operationId = `pghop_${label}`;
  const hold = () => page.hold(operationId, [label]);
  await hold().catch(() => null);
  expect((await sure(hold)).body).toMatchObject({ operation: { state: 'committed' } });
  if (end === 'committed') return;
  const last = () =>
    end === 'booked'
      ? run.post(`/holds/${operationId}/book`, { bookActionId: label, bookingRef: label })
      : page.post(`/operations/${operationId}/release`);
  await last().catch(() => null);
  const told = await sure(last);
  expect(told.body.booking?.state ?? told.body.operation.state).toBe(end);
}

test('holds, bookings and releases beside kills of every process', { timeout: 240_000 }, async () => {
  const ends: End[] = ['booked', 'expired', 'booked', 'committed'];
  const sales: [label: string, end: End][] = ['A', 'B'].flatMap((row) =>
    Array.from({ length: 20 }, (_, index): [string, End] => [`${row}-${index + 1}`, ends[index % ends.length]!]),
  );
  const left = [...sales];
  const buyer = async () => {
    for (let next = left.shift(); next; next = left.shift()) await sell(...next);
  };
  const killing = async () => {
    for (const victim of victims) {
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      await kill(victim);
    }
  };
  await Promise.all([buyer(), buyer(), buyer(), killing()]);
  for (const [label, end] of sales) {
    const polled = await sure(() => page.get(`/operations/pghop_${label}`));
    expect([polled.body.operation.state, polled.headers.get('retry-after')], label).toEqual([end, null]);
    expect(await run.statuses(label), label).toEqual(run.eventKeys.map(() => seatStatus[end]));
    if (end !== 'booked') continue;
    const booking = await sure(() => run.get(`/bookings/${label}`));
    expect(booking.body.booking).toMatchObject({ state: 'booked', bookingRef: label, bookedPerformances: 3 });
    const again = await run.post(`/holds/pghop_${label}/book`, { bookActionId: label, bookingRef: label });
    expect(again.body).toEqual(booking.body);
  }
});

test.each(['catalog', 'frontdoor', 'inventory-shard'] as const)(
  'an activation goes on when the %s is killed in its middle',
  { timeout: 120_000 },
  async (victim) => {
    const draft = await draftRun(shop, 3);
    const activate = (expectedRevision: number) => draft.post('/activate', { expectedRevision });
    await Promise.all([activate(1).catch(() => null), kill(victim)]);
    // A lost call has begun nothing, and an activation that waited too long for an event has ended: it begins anew.
    const isActive = async () => {
      const { state, revision } = await draft.group();
      if (state === 'draft') await activate(revision);
      expect(state).toBe('active');
    };
    await vi.waitFor(isActive, { timeout: 60_000, interval: 200 });
    const page = await draft.page();
    expect((await sure(() => page.hold('pghop_1', ['A-1']))).body.operation.state).toBe('committed');
  },
);
