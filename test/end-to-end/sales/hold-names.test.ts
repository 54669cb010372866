/** An Idempotency-Key over HTTP is the name of a hold. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Answer, openShop, type Shop } from '../shop.ts';

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 120_000);
afterAll(() => shop?.stop());

const named = (key: string) => ({ 'Idempotency-Key': key });
const refusal = ({ status, body }: Answer) => [status, body.code, body.reason];
const reused = [409, 'conflict', 'idempotency_key_reused'];

it("A repeated key returns the first answer, whatever the hold's state is now", async () => {
  const event = await shop.event();
  const hold = () => event.post('hold', { labels: ['A-1', 'A-2'] }, named('cart'));
  const first = (await hold()).body;
  const doings = [
    ['extend', { holdId: first.holdId }],
    ['release', { holdId: first.holdId, labels: ['A-2'] }],
    ['book', { holdId: first.holdId, bookingRef: 'order-1' }],
    ['unbook', { bookingRef: 'order-1' }],
    ['close', undefined],
  ] as const;
  for (const [action, body] of doings) {
    expect([action, (await event.post(action, body)).status]).toEqual([action, 200]);
    expect((await hold()).body).toEqual(first);
  }
  expect((await event.get()).body.counts).toMatchObject({ held: 0, booked: 0 });
});

it('Concurrent calls with one key make one hold', async () => {
  const event = await shop.event();
  const hold = () => event.post('hold', { labels: ['A-1'] }, named('cart'));
  const answers = await Promise.all(Array.from({ length: 20 }, hold));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.holdId} ${body.expiresAt}`)).size).toBe(1);
  expect((await event.get()).body.counts.held).toBe(1);
});

it('A key with another body or another way of holding is refused', async () => {
  const event = await shop.event();
  await event.post('hold', { labels: ['A-1'] }, named('cart'));
  expect(refusal(await event.post('hold', { labels: ['A-2'] }, named('cart')))).toEqual(reused);
  expect(refusal(await event.post('hold', { labels: ['A-1'], ttlMs: 60_000 }, named('cart')))).toEqual(reused);
  expect(refusal(await event.post('best-available', { qty: 1 }, named('cart')))).toEqual(reused);
  await event.post('best-available', { qty: 1 }, named('best'));
  expect(refusal(await event.post('hold', { labels: ['A-9'] }, named('best')))).toEqual(reused);
  expect((await event.get()).body.counts.held).toBe(2);
});

it('The same key in another event makes another hold', async () => {
  const one = await shop.event();
  const other = await shop.event();
  const hold = async (event: typeof one) => (await event.post('hold', { labels: ['A-1'] }, named('cart'))).body.holdId;
  expect(await hold(one)).not.toBe(await hold(other));
  const foreign = await one.get(`/holds/${await hold(other)}`);
  expect([foreign.status, foreign.body.code]).toEqual([404, 'hold_not_found']);
});
