/** Commands and replies that are larger than one message may be. */
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command, Envelope, Reply, ReplyPart } from '@parterre/shared/protocol/commands';
import { done } from '@parterre/shared/protocol/errors';
import { replyPartBytes } from '@parterre/shared/protocol/limits';
import { decode, encode } from '@parterre/shared/protocol/wire';
import { expect, it } from 'vitest';
import type { CommandBusHandlers } from '../../../services/frontdoor/src/shards/command-bus.ts';
import { createShardClient } from '../../../services/frontdoor/src/shards/shard-client.ts';
import { repliesBytesMax } from '../../../services/inventory-shard/src/partition/bounds.ts';
import { payloadsOf } from '../../../services/inventory-shard/src/partition/replies.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const caller: Caller = { source: 'server', actor: 'key_1', accessSource: 'public' };
const event = { key: 'a', region: 'africa', organisationId: 'org_1' };
const ROOM = 1_000_000;

function setUp() {
  const sent: { bytes: number; envelopes: Envelope[] }[] = [];
  const turnEnds: (() => void)[] = [];
  const faults: unknown[] = [];
  let handlers!: CommandBusHandlers;
  const client = createShardClient({
    bus: {
      linkTo: () => null,
      payloadBytesMax: () => ROOM,
      send: (_partition, _epoch, _batch, payload) => {
        sent.push({ bytes: payload.length, envelopes: decode<Envelope[]>(payload) });
      },
      reportOrphan() {},
      openLinks: () => 0,
      listen(given) {
        handlers = given;
      },
      close() {},
    },
    placement: () => 0,
    clock: new ManualClock(),
    configOf: () => Promise.reject(new Error('not asked for')),
    onVersion: () => {},
    atTurnEnd: (run) => turnEnds.push(run),
    isHopeless: () => false,
    onFault: (fault) => faults.push(fault),
  });
  return {
    client,
    sent,
    faults,
    endTurn: () => turnEnds.splice(0).forEach((run) => void run()),
    receive: (payload: Uint8Array) => handlers.onReplies(payload),
  };
}

const rulesOf = (bytes: number): Command & { type: 'set-availability' } => ({
  type: 'set-availability',
  callId: 'c1',
  rules: { front: { mode: 'hidden', labels: Array(4).fill('x'.repeat(bytes / 4)) } },
});

it('splits commands that do not fit into one message, and refuses a command that fits into none', async () => {
  const { client, sent, endTurn, receive } = setUp();
  const answers = [rulesOf(ROOM / 2), rulesOf(ROOM), rulesOf(ROOM * 0.6)].map((command) =>
    client.submit(event, caller, command, Number.POSITIVE_INFINITY),
  );
  endTurn();
  expect(await answers[1]).toMatchObject({ ok: false, refusal: { code: 'payload_too_large' } });
  expect(sent.map(({ envelopes }) => envelopes.length)).toEqual([1, 1]);
  for (const { bytes, envelopes } of sent) {
    expect(bytes).toBeLessThanOrEqual(ROOM);
    receive(encode([{ id: envelopes[0]!.id, kind: 'ok', value: bytes }]));
  }
  expect(await Promise.all([answers[0], answers[2]])).toMatchObject([{ ok: true }, { ok: true }]);
  expect(client.inFlight()).toBe(0);
});

const view = (id: number, copy?: number): Reply => {
  const labels = Array.from({ length: 50_000 }, (_, nth) => `${nth}`.padStart(120, `copy ${copy} `));
  const value = { rules: { front: { mode: 'hidden', labels } }, hidden: ['front'], closed: [], version: 1 };
  return { id, ...(copy === undefined ? {} : { copy }), kind: 'ok', value };
};

it('takes a reply in parts like a reply in one message', async () => {
  const { client, sent, endTurn, receive, faults } = setUp();
  const answered = client.submit(event, caller, { type: 'availability' }, Number.POSITIVE_INFINITY);
  endTurn();
  const reply = view(sent[0]!.envelopes[0]!.id);
  const payloads = payloadsOf([reply]);
  expect(encode([reply]).length).toBeGreaterThan(repliesBytesMax);
  expect(payloads).toHaveLength(Math.ceil(encode([reply]).length / replyPartBytes));
  for (const payload of payloads) expect(payload.length).toBeLessThan(repliesBytesMax);
  for (const payload of payloads) receive(payload);
  expect(await answered).toEqual(done((reply as Reply & { value: Answers['availability'] }).value));
  // The command no longer waits.
  for (const payload of payloads) receive(payload);
  expect(faults).toEqual([]);
});

it('neither mixes the parts of two copies of a reply nor takes a reply with a part missing', async () => {
  const { client, sent, endTurn, receive, faults } = setUp();
  const answered = client.submit(event, caller, { type: 'availability' }, Number.POSITIVE_INFINITY);
  endTurn();
  const { id } = sent[0]!.envelopes[0]!;
  const first = payloadsOf([view(id)]);
  const second = payloadsOf([view(id, 2)]);
  receive(first[0]!);
  receive(second[0]!);
  for (const payload of first.slice(1)) receive(payload);
  expect(client.inFlight()).toBe(1);
  receive(first[0]!);
  for (const payload of first.slice(2)) receive(payload);
  expect(client.inFlight()).toBe(1);
  for (const payload of second) receive(payload);
  expect(await answered).toMatchObject({ ok: true, value: { version: 1 } });
  expect((decode(second[0]!) as ReplyPart).copy).toBe(2);
  expect(faults).toEqual([]);
});
