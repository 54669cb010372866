/**
 * A coordinator that dies at any of its awaits: the catalog ends each of its operations within seconds, all or none.
 * The test is the coordinator, with the product's own code, over NATS.
 */
import { createInbox } from '@nats-io/transport-node';
import type { Caller, Command, Reply } from '@parterre/shared/protocol/commands';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { createCoordinator } from '@parterre/shared/protocol/operations/coordinator';
import type { Coordinator, CoordinatorPorts } from '@parterre/shared/protocol/operations/ports';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode, encode } from '@parterre/shared/protocol/wire';
import { systemClock } from '@parterre/shared/runtime/clock';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectTo } from '../../support/servers/nats.ts';
import { partitionsOfTests } from '../../support/servers/server.ts';
import { sellSeason } from '../seasons/sold-season.ts';
import { type Json, openShop, type Shop } from '../shop.ts';
import { openRun, type Run } from './run.ts';

const partitions = partitionsOfTests;
let shop: Shop;
let run: Run;
let nats: Awaited<ReturnType<typeof connectTo>>;
beforeAll(async () => {
  shop = await openShop();
  nats = await connectTo(shop.server.natsUrl);
  run = await openRun(shop);
}, 120_000);
afterAll(async () => {
  await nats?.close();
  await shop?.stop();
});

const caller: Caller = { source: 'server', actor: 'key_test', accessSource: 'public' };
const deadlineAt = (): number => systemClock.elapsed() + 10_000;

/** Asks each partition: only the event's own has the event. */
async function perform(eventKey: string, command: Command): Promise<Outcome<never>> {
  for (let partition = 0; partition < partitions; partition++) {
    const payload = encode([{ id: 1, eventKey, caller, command }]);
    // A shard answers services alone, and joins the answers to one caller: each command is a caller of its own.
    const reply = `${createInbox('_INBOX.catalog')}.1`;
    const message = await nats.request(subjects.commands(partition), payload, { timeout: 5_000, noMux: true, reply });
    const [told] = decode<Reply[]>(message.data);
    if (told!.kind === 'ok') return done(told!.value as never);
    if (told!.kind === 'refused') return { ok: false, refusal: told!.refusal };
  }
  throw new Error(`no partition has ${eventKey}`);
}

/** A coordinator whose process dies when its last command was carried out, before the answer comes. */
function mortal(commandsMax: number): { coordinator: Coordinator; died: Promise<void> } {
  let left = commandsMax;
  let die = (): void => {};
  const died = new Promise<void>((resolve) => {
    die = resolve;
  });
  const never = new Promise<never>(() => {});
  const ask = async (eventKey: string, command: Command): Promise<Outcome<never>> => {
    if (left <= 0) return never;
    const isLast = --left === 0;
    const told = await perform(eventKey, command);
    if (!isLast) return told;
    die();
    return never;
  };
  return { coordinator: createCoordinator({ ask: ask as CoordinatorPorts['ask'], now: Date.now }), died };
}

const owner = () => ({ kind: 'group', key: run.key }) as const;
const draft = (operationId: string, label: string) => ({
  owner: owner(),
  operationId,
  revision: 1,
  parts: run.eventKeys.map((eventKey) => ({ eventKey, selections: [{ label }] })),
});
const stateOf = async (operationId: string): Promise<string> =>
  (await run.get(`/holds/${operationId}`)).body.hold?.state;

async function ends(operationId: string, label: string, state: string, status: string): Promise<void> {
  await vi.waitFor(
    async () => {
      expect(await stateOf(operationId)).toBe(state);
      expect(await run.statuses(label)).toEqual(run.eventKeys.map(() => status));
    },
    { timeout: 20_000, interval: 200 },
  );
}

describe('a dead coordinator', { timeout: 60_000 }, () => {
  test('of a hold, at its look, leaves nothing', async () => {
    const { coordinator, died } = mortal(2);
    void coordinator.hold(draft('pghop_look', 'A-13'), caller, deadlineAt());
    await died;
    expect((await run.get('/holds/pghop_look')).status).toBe(404);
    expect(await run.statuses('A-13')).toEqual(run.eventKeys.map(() => 'free'));
  });

  // Two looks come first.
  test.concurrent.each([
    [3, 'A-1', 'aborted', 'free'],
    [4, 'A-2', 'aborted', 'free'],
    [5, 'A-3', 'committed', 'held'],
  ])('of a hold, at its command %i', async (commands, label, state, status) => {
    const { coordinator, died } = mortal(commands);
    const operationId = `pghop_hold-${commands}`;
    void coordinator.hold(draft(operationId, label), caller, deadlineAt());
    await died;
    await ends(operationId, label, state, status);
  });

  test.concurrent.each([
    [1, 'A-4'],
    [2, 'A-5'],
    [3, 'A-6'],
    [4, 'A-7'],
    [5, 'A-8'],
  ])('of a booking, at its command %i', async (commands, label) => {
    const operationId = `pghop_book-${commands}`;
    const held = await mortal(99).coordinator.hold(draft(operationId, label), caller, deadlineAt());
    expect(held).toMatchObject({ ok: true, value: { state: 'committed' } });
    const { coordinator, died } = mortal(commands);
    const ref = { owner: owner(), operationId, eventKeys: run.eventKeys };
    void coordinator.book(ref, { actionId: `act-${commands}`, bookingRef: `order-${commands}` }, caller, deadlineAt());
    await died;
    await ends(operationId, label, 'booked', 'booked');
    const { booking } = (await run.get(`/bookings/act-${commands}`)).body;
    expect(booking).toMatchObject({ state: 'booked', bookingRef: `order-${commands}`, bookedPerformances: 3 });
  });

  test.concurrent.each([
    [1, 'A-9'],
    [2, 'A-10'],
  ])('of a release, at its command %i', async (commands, label) => {
    const operationId = `pghop_release-${commands}`;
    await mortal(99).coordinator.hold(draft(operationId, label), caller, deadlineAt());
    const { coordinator, died } = mortal(commands);
    void coordinator.release({ owner: owner(), operationId, eventKeys: run.eventKeys }, caller, deadlineAt());
    await died;
    await ends(operationId, label, 'expired', 'free');
  });

  test('of a season: its reads tell when to ask again, until the booking has ended', async () => {
    const season = await sellSeason(shop, 2);
    const { eventKeys, planActivationId } = season;
    const ref = { owner: { kind: 'season' as const, key: season.key }, operationId: 'sop_1', eventKeys };
    const parts = eventKeys.map((eventKey) => ({ eventKey, selections: [{ label: 'A-12' }] }));
    await mortal(99).coordinator.hold({ ...ref, planActivationId, parts }, caller, deadlineAt());
    const { coordinator, died } = mortal(1);
    void coordinator.book(ref, { actionId: 'act', bookingRef: 'order-s' }, caller, deadlineAt());
    await died;
    const read = async (path: string, stateIn: (body: Json) => string) => {
      const { body, headers } = await season.get(path);
      return [stateIn(body), headers.get('retry-after')];
    };
    const reads = () =>
      Promise.all([
        read('/operations', ({ operations }) => operations[0].state),
        read('/support-lookups?bookingRef=order-s', ({ lookup }) => lookup.bookings[0].state),
      ]);
    expect(await reads()).toEqual(Array(2).fill(['book_pending', '1']));
    await vi.waitFor(async () => expect(await reads()).toEqual(Array(2).fill(['booked', null])), 20_000);
  });
});
