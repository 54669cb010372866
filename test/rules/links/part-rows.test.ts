/** Rows of operations over several events carry what the named form carries. */
import type { Answers, LineItem } from '@parterre/shared/protocol/answers';
import type { Caller, Command, Envelope, Reply } from '@parterre/shared/protocol/commands';
import { commandOfRow, replyOfRow, rowOfCommand, rowOfReply } from '@parterre/shared/protocol/link/link';
import { decode, encode } from '@parterre/shared/protocol/wire';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const sent = <T>(message: unknown): T => decode<T[]>(encode([message]))[0]!;
const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const texts = fc.array(text, { minLength: 1, maxLength: 4 });
const count = fc.integer({ min: 1, max: 2 ** 50 });
const orNull = <T>(some: fc.Arbitrary<T>) => fc.option(some);

const server: Caller = { source: 'server', actor: 'key_1', accessSource: 'public' };
const buyer: Caller = {
  source: 'buyer',
  actor: 'bas_1',
  accessSource: 'promoter',
  session: { id: 'bas_1', maxQuantity: 4 },
};
const callers: Caller[] = [
  server,
  buyer,
  { ...buyer, session: { id: 'bas_1', maxQuantity: null } },
  { ...buyer, session: { id: 'another', maxQuantity: 4 } },
  { ...buyer, reach: { channelIds: ['ch_1'], includePublic: true } },
  { ...buyer, partnerRef: 'partner' },
  { ...buyer, buyerRef: 'buyer' },
  { ...buyer, visitor: { isSession: true, address: 'network', bounds: { maxPerHold: 4, maxHeldPerAddress: null } } },
  { ...buyer, visitor: {} },
  { ...server, override: { reason: 'because' } },
];

const head = fc.record(
  {
    id: text,
    owner: fc.record({ kind: fc.constantFrom('group' as const, 'season' as const), key: text }),
    operationId: text,
    eventKeys: texts,
    selectionMode: fc.constantFrom('same_seat', 'per_performance'),
    revision: count,
    planActivationId: text,
  },
  { requiredKeys: ['id', 'owner', 'operationId', 'eventKeys'] },
);
const action = fc.record({ id: text, kind: fc.constantFrom('book', 'extend'), bookingRef: orNull(text) });
const selections = fc.oneof(
  fc.array(fc.record({ label: text }), { minLength: 1, maxLength: 3 }),
  fc.array(fc.record({ label: text, tierId: orNull(text), quantity: count }, { requiredKeys: ['label'] }), {
    minLength: 1,
  }),
);
const command = fc.oneof(
  fc.record({
    type: fc.constant('hold-part'),
    head,
    selections,
    expiresAt: count,
    actsUntil: count,
    fingerprint: text,
  }),
  fc.record(
    { type: fc.constant('pin-part'), id: text, action, actsUntil: count, eventKeys: texts },
    { requiredKeys: ['type', 'id', 'action', 'actsUntil'] },
  ),
  fc.record({ type: fc.constant('book-part'), id: text, actionId: text, bookingRef: text }),
) as fc.Arbitrary<Command>;
const envelope: fc.Arbitrary<Envelope> = fc.record(
  {
    id: count,
    eventKey: text,
    caller: fc.constantFrom(...callers),
    command,
    copy: fc.integer({ min: 2, max: 9 }),
  },
  { requiredKeys: ['id', 'eventKey', 'caller', 'command'] },
);

const item = fc.record(
  {
    label: text,
    objectId: text,
    objectType: fc.constantFrom('seat', 'ga'),
    categoryKey: text,
    quantity: count,
    tierId: orNull(text),
    unitPrice: fc.double({ noNaN: true, noDefaultInfinity: true }),
    currency: text,
    bookingMode: fc.constantFrom('individual', 'whole'),
    channelId: orNull(text),
    releaseId: orNull(text),
    accessSource: fc.constantFrom('public', 'promoter'),
  },
  {
    requiredKeys: [
      ...(['label', 'objectId', 'objectType', 'categoryKey', 'tierId', 'unitPrice', 'currency'] as const),
      ...(['bookingMode', 'channelId', 'accessSource', 'releaseId'] as const),
    ],
  },
) as fc.Arbitrary<LineItem>;
const standing = {
  state: fc.constantFrom('held', 'pinned', 'booked', 'released'),
  holdId: orNull(text),
  createdAt: count,
  expiresAt: count,
  endedAt: orNull(count),
  extends: fc.nat(9),
  action: orNull(action),
  lastExtend: orNull(text),
  refused: fc.array(text, { maxLength: 2 }),
};
const part = fc.record(standing) as fc.Arbitrary<Answers['pin-part']>;
const heldPart = fc.record(
  {
    ...standing,
    items: fc.array(item, { maxLength: 3 }),
    currency: text,
    accessSource: fc.constantFrom('public', 'partner'),
    sessionId: text,
    partnerRef: text,
    buyerRef: text,
  },
  { requiredKeys: [...(Object.keys(standing) as (keyof typeof standing)[]), 'items', 'currency', 'accessSource'] },
) as fc.Arbitrary<Answers['hold-part']>;

test('a row carries every command of a part unchanged', () => {
  fc.assert(
    fc.property(envelope, (each) => {
      expect(commandOfRow(sent(rowOfCommand(each)))).toEqual(each);
    }),
  );
});

test('the commands of a usual sale are rows; a buyer with rights of their own keeps the named form', () => {
  const usual = { id: 'op_1', owner: { kind: 'group' as const, key: 'pg_1' }, operationId: 'p', eventKeys: ['a', 'b'] };
  const times = { expiresAt: 3, actsUntil: 2, fingerprint: 'f' };
  const hold: Command = { type: 'hold-part', head: usual, selections: [{ label: 'A-1' }], ...times };
  const pin: Command = {
    type: 'pin-part',
    id: 'op_1',
    action: { id: 'x', kind: 'book', bookingRef: 'o' },
    actsUntil: 2,
  };
  const book: Command = { type: 'book-part', id: 'op_1', actionId: 'x', bookingRef: 'o' };
  const isRow = (caller: Caller, one: Command) =>
    Array.isArray(rowOfCommand({ id: 1, eventKey: 'a', caller, command: one }));
  expect(callers.map((caller) => isRow(caller, hold))).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
    false,
    true,
    true,
    false,
  ]);
  expect([pin, book].map((one) => isRow(server, one))).toEqual([true, true]);
  expect(isRow(server, { ...hold, selections: [{ label: 'A-1', tierId: null }] })).toBe(false);
  expect(isRow(server, { ...hold, expectedTotal: 40 })).toBe(false);
});

test('a row carries every answer about a part unchanged, with the version of its event', () => {
  const answer = fc.oneof(
    fc.tuple(fc.constantFrom('pin-part' as const, 'book-part' as const), part),
    fc.tuple(fc.constant('hold-part' as const), heldPart),
  );
  fc.assert(
    fc.property(answer, count, fc.option(count, { nil: undefined }), ([type, value], id, version) => {
      const reply: Reply = { id, kind: 'ok', value, ...(version && { version }) };
      const row = rowOfReply(reply, type);
      expect(row).toBeInstanceOf(Array);
      expect(replyOfRow(sent(row))).toEqual(reply);
    }),
  );
});

test('a part with many items keeps the named form, which may leave in parts', () => {
  const [value] = fc.sample(heldPart, 1);
  const [one] = fc.sample(item, 1);
  const reply: Reply = { id: 1, kind: 'ok', value: { ...value, items: Array(65).fill(one) } };
  expect(rowOfReply(reply, 'hold-part')).toBe(reply);
});
