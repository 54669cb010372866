/** Rows of direct links carry what the named form carries. */
import type { LineItem } from '@parterre/shared/protocol/answers';
import type { Caller, Command, Envelope, Reply, Visitor } from '@parterre/shared/protocol/commands';
import { AnswerText, commandOfRow, replyOfRow, rowOfCommand, rowOfReply } from '@parterre/shared/protocol/link/link';
import { decode, encode } from '@parterre/shared/protocol/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const sent = <T>(message: unknown): T => decode<T[]>(encode([message]))[0]!;
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const texts = fc.array(text, { minLength: 1, maxLength: 4 });
const count = fc.integer({ min: 1, max: 2 ** 40 });

const bound = fc.option(count);
const visitor: fc.Arbitrary<Visitor> = fc.record(
  {
    isSession: fc.constant(true as const),
    address: text,
    bounds: fc.record({ maxPerHold: bound, maxHeldPerSession: bound, maxHeldPerAddress: bound }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
);
const caller: fc.Arbitrary<Caller> = fc.record(
  {
    source: fc.constantFrom('server', 'buyer', 'operator', 'timer'),
    actor: fc.option(text),
    accessSource: fc.constantFrom('public', 'promoter', 'staff_override'),
    reach: fc.record({ channelIds: texts, includePublic: fc.boolean() }),
    override: fc.record({ reason: text }),
    session: fc.record({ id: text, maxQuantity: fc.option(count) }),
    partnerRef: text,
    buyerRef: text,
    visitor,
  },
  { requiredKeys: ['source', 'actor', 'accessSource'] },
);
const plainCaller: fc.Arbitrary<Caller> = fc.record(
  {
    source: fc.constantFrom('server' as const, 'buyer' as const),
    actor: fc.option(text),
    accessSource: fc.constant('public' as const),
    visitor,
  },
  { requiredKeys: ['source', 'actor', 'accessSource'] },
);
const plain = fc.array(fc.record({ label: text }), { minLength: 1, maxLength: 4 });
const selections = fc.array(
  fc.record({ label: text, tierId: fc.option(text), quantity: count, times: count }, { requiredKeys: ['label'] }),
  { minLength: 1, maxLength: 3 },
);
const command = fc.oneof(
  fc.record(
    {
      type: fc.constant('hold'),
      holdId: text,
      selections: fc.oneof(plain, selections),
      ttlMs: count,
      replaceHoldId: text,
      fingerprint: text,
    },
    { requiredKeys: ['type', 'holdId', 'selections'] },
  ),
  fc.record({ type: fc.constant('hold'), holdId: text, selections: plain }),
  fc.record({ type: fc.constant('book'), callId: text, bookingRef: text, holdId: text }),
  fc.record({ type: fc.constant('book'), callId: text, bookingRef: text, holdId: text, labels: texts }),
  fc.record({ type: fc.constant('release'), holdId: text, callId: text }),
  fc.record({ type: fc.constant('release'), holdId: text, callId: text, labels: texts }),
  fc.record({ type: fc.constant('book-direct'), callId: text, bookingRef: text, selections }),
  fc.record({ type: fc.constant('count') }),
) as fc.Arbitrary<Command>;
const envelope: fc.Arbitrary<Envelope> = fc.record(
  {
    id: count,
    eventKey: text,
    caller: fc.oneof(plainCaller, caller),
    command,
    copy: fc.integer({ min: 2, max: 9 }),
  },
  { requiredKeys: ['id', 'eventKey', 'caller', 'command'] },
);

const item = fc.record(
  {
    label: text,
    objectId: text,
    objectType: fc.constantFrom('seat', 'booth', 'ga', 'table'),
    categoryKey: text,
    tierId: fc.option(text),
    unitPrice: fc.double({ noNaN: true, noDefaultInfinity: true }),
    currency: text,
    quantity: count,
    labels: texts,
    bookingMode: fc.constantFrom('individual', 'whole', 'variable'),
    capacity: count,
    minOccupancy: count,
    maxOccupancy: count,
    channelId: fc.option(text),
    accessSource: fc.constantFrom('public', 'promoter'),
    releaseId: fc.option(text),
  },
  {
    requiredKeys: [
      ...(['label', 'objectId', 'objectType', 'categoryKey', 'tierId', 'unitPrice', 'currency'] as const),
      ...(['bookingMode', 'channelId', 'accessSource', 'releaseId'] as const),
    ],
  },
) as fc.Arbitrary<LineItem>;
const seat = item.map(({ quantity, labels, capacity, minOccupancy, maxOccupancy, ...rest }) => rest);
const held = fc.record({
  holdId: text,
  expiresAt: count,
  items: fc.array(fc.oneof(seat, item), { minLength: 1, maxLength: 3 }),
  labels: texts,
  currency: text,
});

/** The reply with the value that its text spells. The named form carries this value. */
function named(reply: Reply): Reply {
  return reply.kind === 'ok' && reply.value instanceof AnswerText
    ? { ...reply, value: JSON.parse(reply.value.text) }
    : reply;
}

describe('rows', () => {
  test('carry every command unchanged', () => {
    fc.assert(
      fc.property(envelope, (each) => {
        expect(commandOfRow(sent(rowOfCommand(each)))).toEqual(each);
      }),
    );
  });

  test('leave a command with more fields in the named form', () => {
    const plainHold = { type: 'hold' as const, holdId: 'h', selections: [{ label: 'A-1' }] };
    const server: Caller = { source: 'server', actor: 'key_1', accessSource: 'public' };
    expect(rowOfCommand({ id: 1, eventKey: 'a', caller: server, command: plainHold })).toBeInstanceOf(Array);
    const tiered = { ...plainHold, selections: [{ label: 'A-1', tierId: null }] };
    for (const more of [{ ...plainHold, ttlMs: 1 }, tiered]) {
      expect(rowOfCommand({ id: 1, eventKey: 'a', caller: server, command: more })).not.toBeInstanceOf(Array);
    }
  });

  test('spell a hold as JSON does', () => {
    fc.assert(
      fc.property(held, count, fc.option(count, { nil: undefined }), (value, id, version) => {
        const reply: Reply = { id, kind: 'ok', value, ...(version && { version }) };
        const read = replyOfRow(sent(rowOfReply(reply, 'hold')));
        expect(((read as { value: AnswerText }).value as AnswerText).text).toBe(JSON.stringify(value));
        expect(named(read)).toEqual({ ...reply, value: JSON.parse(JSON.stringify(value)) });
      }),
    );
  });

  test('carry bookings, releases and refusals unchanged', () => {
    const conflicts = [{ label: 'A-1', status: 'booked' }];
    const refused = (more: object): Reply =>
      ({ id: 7, copy: 2, kind: 'refused', refusal: { code: 'conflict', message: 'No.', ...more } }) as Reply;
    const replies: [Reply, 'book' | 'release' | 'hold'][] = [
      [{ id: 5, kind: 'ok', version: 9, value: { booked: ['A-1', 'Ü"\\'] } }, 'book'],
      [{ id: 6, copy: 3, kind: 'ok', value: { released: [] } }, 'release'],
      [refused({ details: { conflicts } }), 'hold'],
      [{ ...refused({ details: { conflicts } }), stands: [50, 3, 7] } as Reply, 'hold'],
      [refused({ details: { conflicts, reason: 'x' }, reason: 'chart_changed' }), 'hold'],
      [refused({ details: { conflicts }, retryable: true }), 'hold'],
      [refused({}), 'book'],
      [{ id: 8, kind: 'moved' }, 'hold'],
      [{ id: 9, kind: 'absent' }, 'hold'],
    ];
    for (const [reply, type] of replies) expect(named(replyOfRow(sent(rowOfReply(reply, type))))).toEqual(reply);
  });

  test('leave large and other answers in the named form, which may leave in parts', () => {
    const booked = Array.from({ length: 65 }, (_, n) => `A-${n}`);
    const reply: Reply = { id: 1, kind: 'ok', value: { booked } };
    expect(rowOfReply(reply, 'book')).toBe(reply);
    expect(rowOfReply({ id: 1, kind: 'ok', value: { booked: ['A-1'] } }, 'book-direct')).not.toBeInstanceOf(Array);
  });
});
