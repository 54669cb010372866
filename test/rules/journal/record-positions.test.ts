/**
 * Records by position: their bytes never change, every record comes back equal, and bytes that are damaged or of a
 * later version are refused, except fields that a later version appends. `Real` of the model reads back all that the
 * rules make.
 */
import { encodePart, readGroup } from '@parterre/shared/protocol/journal/messages';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import { decodeKept, encodeKept } from '@parterre/shared/protocol/wire';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { everyRecord } from '../../support/journal/every-record.ts';
import { noLink } from '../../support/journal/links.ts';

const head = { event: 'gala', from: 7, at: 1_790_000_000_123, plan: 'hash', link: noLink };
const headBytes = 1 + 5 + 8 + 8 + 5 + noLink.length;
const examples = Object.values(everyRecord);

const encode = (...records: object[]): Uint8Array => encodePart({ ...head, records: records as JournalRecord[] });
const decode = (data: Uint8Array): JournalRecord[] => readGroup(data).records;

/** The records of a part as any msgpack library reads them. */
function listsOf(part: Uint8Array): unknown {
  return decodeKept(part.subarray(headBytes));
}

/** A part whose records are these lists. */
function partOf(...lists: unknown[]): Uint8Array {
  return Buffer.concat([encode(examples[0]!.required).subarray(0, headBytes), encodeKept(lists)]);
}

describe('the bytes of a hold and a booking stay readable', () => {
  const by = { source: 'server', actor: 'key_1' } as const;
  const lines = [{ unit: 300, price: 40 }];
  const records: JournalRecord[] = [
    { type: 'held', holdId: 'hld_1', expiresAt: 1_790_000_600_000, accessSource: 'public', lines, by },
    { type: 'booked', bookingRef: 'ö-1', callId: 'call_1', holdId: 'hld_1', accessSource: 'public', lines, by },
  ];
  const byPosition =
    '92960192' +
    '00a56b65795f31a5686c645f31cb427a0c45993c0000009192cd012c28' +
    '97059200a56b65795f31a4c3b62d31a663616c6c5f31a5686c645f31009192cd012c28';
  const partHead = `0467616c61401c000000000000427a0c4506c7b0000468617368${'00'.repeat(noLink.length)}`;

  test('by position, as parts are written', () => {
    const { from, at, plan, link } = head;
    const hex = `01${partHead}${byPosition}`;
    expect(readGroup(Buffer.from(hex, 'hex'))).toEqual({ from, at, plan, link: Buffer.from(link), records });
    expect(Buffer.from(encode(...records)).toString('hex')).toBe(hex);
  });
});

test('every field of every type keeps its position', () => {
  const by = [2, 'usr_1'];
  const units = [0, 127, 128, 255, 256, 65_535, 65_536, 249_999];
  const lines = [
    [3, 12.5],
    [4, 0, 'child', null, 3, 'chn_1', 'rel_1', 1],
    [300, 40, null, 4],
  ];
  const freed = [2, lines];
  const reach = [['chn_1', 'chn_2'], false];
  const overridden = [[3], 'Käse'];
  const { created, configured, 'releases-set': releases } = everyRecord;
  const { 'availability-set': availability, 'channel-created': channel, 'channel-changed': changed } = everyRecord;
  const { 'sale-settings-set': sale } = everyRecord;
  const { 'channels-assigned': assigned, 'chart-updated': chart, 'event-configured': rules, renumbered } = everyRecord;
  const at = 1_790_000_600_000;
  const owner = [0, 'pg_1'];
  const tag = ['op_1', owner, 'pghop_1', 'act_1'];
  const action = ['act_1', 0, 'o-1'];
  const headOf = ['op_1', owner, 'pghop_1', ['gala', 'encore'], 1, 3, 'spa_1'];
  const positions: Record<JournalRecord['type'], unknown[]> = {
    created: [0, by, created.required.config],
    held: [
      1,
      by,
      'hld_1',
      at,
      0,
      lines,
      'ses_1',
      reach,
      'partner',
      'buyer',
      'print',
      at - 1,
      2,
      ['floor'],
      overridden,
      tag,
      ['ses_1', 'address'],
      'A friend came later',
    ],
    extended: [2, by, 'hld_1', 'call_1', at, units, tag],
    released: [3, by, 'hld_1', units, 'call_1', [1], tag, freed, 'Abandoned'],
    expired: [4, by, 'hld_1', at, units, [], tag, freed],
    booked: [
      5,
      by,
      'o-1',
      'call_1',
      null,
      2,
      lines,
      'partner',
      'buyer',
      { chn_1: 'club' },
      'ses_1',
      reach,
      'print',
      true,
      'Paid in cash',
      ['floor'],
      overridden,
      tag,
      'A friend came later',
      [3],
      true,
    ],
    unbooked: [6, by, 'o-1', 'call_1', units, ['lst_1', 'o-2'], tag, freed],
    exchanged: [
      37,
      by,
      'exc_1',
      'o-1',
      'call_1',
      units,
      null,
      2,
      lines,
      'Käse',
      ['floor'],
      { chn_1: 'club' },
      'partner',
      'buyer',
      overridden,
      freed,
      [3],
    ],
    'exchanged-with': [
      65,
      by,
      'exc_1',
      'o-1',
      'call_1',
      units,
      null,
      2,
      lines,
      'Käse',
      ['floor'],
      { chn_1: 'club' },
      'partner',
      'buyer',
      overridden,
      freed,
      [3],
      5,
      { amount: -5, reason: 'A pillar' },
      'o-2',
      { side: 'to', eventKey: 'gala-2', labels: ['B-1'], priceDifference: -5 },
    ],
    'exchange-pinned': [66, by, 'exc_1', 'exc_1.1', 'o-1', units, 'gala-2'],
    'exchange-unpinned': [67, by, 'exc_1', 'exc_1.1', 'o-1', units],
    'exchange-refused': [68, by, 'exc_1', 'exc_1.1'],
    blocked: [7, by, units, null, 'Käse', 'call_1', 'print', overridden],
    unblocked: [8, by, [], 1, 'call_1'],
    'hold-ttl-set': [9, by, 60_000, 'call_1'],
    'status-set': [10, by, 1, 'call_1', false],
    configured: [11, by, 'call_1', 'CHF', configured.optional.sectionStates, configured.optional.facts],
    'event-configured': [39, by, 'call_1', rules.required.selectionRules, 'CHF', rules.optional.sectionStates],
    'public-sale-set': [12, by, 'call_1', { maxPerHold: 8, maxHeldPerAddress: null }],
    'releases-set': [13, by, 'call_1', releases.required.releases],
    'release-closed': [14, by, 'call_1', 'rel_1', 5],
    'availability-set': [15, by, 'call_1', availability.required.rules, 2],
    revealed: [16, [3, null], ['floor']],
    'sold-out': [17, by, 300],
    'resale-listed': [18, by, 'call_1', 'lst_1', 'o-1', units],
    'resale-removed': [19, by, 'call_1', 'lst_1', units, 'o-1'],
    'channel-created': [20, by, 'call_1', channel.required.channel, null],
    'channel-changed': [21, by, 'call_1', 'chn_1', changed.required.change, 'Käse'],
    'channel-state-set': [22, by, 'call_1', 'chn_1', 1, 3, null],
    'channels-assigned': [23, by, 'call_1', null, units, 4, 9, assigned.required.buckets, 'Käse'],
    'channel-archived': [24, by, 'call_1', 'chn_1', null, units, 5, 'Käse'],
    'clock-set': [25, by, at],
    'chart-updated': [
      26,
      by,
      'call_1',
      'a',
      'b',
      2,
      9,
      'Käse',
      ['floor'],
      [1, 2],
      [['chn_1', [5, 6]]],
      chart.optional.droppedPrices,
      true,
      [
        [8, 9],
        [4, 5],
      ],
    ],
    'chart-set': [48, by, 'call_1', 'cht_1'],
    renumbered: [49, by, 'call_1', 'o-1', 'exc_1', 1, renumbered.required.labels, lines, { chn_1: 'club' }],
    'part-held': [27, by, headOf, 'hld_1', 'print'],
    'part-pinned': [28, by, 'op_1', 'hld_1', action, units],
    'part-unpinned': [29, by, 'op_1', 'hld_1', 'act_1', at, units, true],
    'operation-aborted': [30, by, ['op_1', owner, 'pghop_1', ['gala']], at],
    'action-refused': [31, by, 'op_1', 'act_1'],
    locked: [32, by, owner, 'pgl_1'],
    'lock-drained': [33, by, owner, 'pgl_1'],
    unlocked: [34, by, [1, 'sea_1'], 'pgl_1'],
    reserved: [35, by, 'sro_1', owner, 'call_1', lines],
    unreserved: [36, by, 'sro_1', 'call_1', units, 'o-1', owner],
    'call-named': [40, by, 'call_1', 'body', units, { extends: 1 }],
    accepted: [41, by, 'Käse', 8, 70_000],
    'holds-ended': [60, by, 'call_1', units, 'Abandoned'],
    'reservation-made': [61, by, 'call_1', 'rsv_1', 'Class 4b', units, at, null],
    'reservation-changed': [62, by, 'call_1', 'rsv_1', 'Class 4b', units, [9], at, 'Invoice'],
    'reservation-ended': [63, by, 'rsv_1', 'Class 4b', units, 1, 'call_1'],
    'reservation-booked': [64, by, 'call_1', 'rsv_1', 'Class 4b', 'o-1', units],
    restored: [42, by, 'Käse', 70_000, 2, 'bGluaw'],
    'sale-settings-set': [43, by, 'call_1', sale.required.settings],
    'hold-kept': [38, by, 'hld_1', 'call_1', at, units, 'body'],
  };
  for (const { required, optional } of examples) {
    const record = { ...required, ...optional };
    expect(listsOf(encode(record)), required.type).toEqual([positions[required.type]]);
  }
});

test('the words of records keep their numbers', () => {
  const sources = ['server', 'buyer', 'operator', 'timer'];
  const access = ['public', 'promoter', 'partner', 'hosted_link', 'staff_override'];
  const statuses = ['active', 'closed', 'archived', 'deleted'];
  const numbersOf = (words: string[], record: (word: string) => object, read: (list: unknown[]) => unknown) =>
    words.map((word) => read((listsOf(encode(record(word))) as unknown[][])[0]!));
  const { held, 'status-set': status, 'sold-out': soldOut } = everyRecord;
  expect(
    numbersOf(
      sources,
      (source) => ({ ...soldOut.required, by: { source, actor: null } }),
      (list) => (list[1] as unknown[])[0],
    ),
  ).toEqual([0, 1, 2, 3]);
  expect(
    numbersOf(
      access,
      (accessSource) => ({ ...held.required, accessSource }),
      (list) => list[4],
    ),
  ).toEqual([0, 1, 2, 3, 4]);
  expect(
    numbersOf(
      statuses,
      (word) => ({ ...status.required, status: word }),
      (list) => list[2],
    ),
  ).toEqual([0, 1, 2, 3]);
});

test('every record comes back equal, with any of its optional fields', () => {
  const some = fc
    .constantFrom(...examples)
    .chain(({ required, optional }) =>
      fc.subarray(Object.entries(optional)).map((kept) => ({ ...required, ...Object.fromEntries(kept) })),
    );
  fc.assert(
    fc.property(fc.array(some, { maxLength: 40 }), (records) => {
      expect(decode(encode(...records))).toStrictEqual(records);
    }),
  );
});

const wellFormed = fc.string({ unit: 'binary', maxLength: 400 });
const long = fc
  .tuple(fc.constantFrom('a', 'ü', '€', '😀'), fc.constantFrom(31, 32, 63, 64, 85, 86, 255, 256, 21_846, 65_536))
  .map(([letter, length]) => letter.repeat(length));

test('texts, numbers and lists of every length come back equal', () => {
  const text = fc.oneof(wellFormed, long);
  const number = fc.oneof(fc.nat(), fc.maxSafeInteger(), fc.double({ noNaN: true })).map((value) => value + 0);
  const units = fc.array(fc.nat({ max: 249_999 }), { maxLength: 70_000, size: 'max' });
  fc.assert(
    fc.property(text, text, number, fc.option(text), units, (holdId, callId, expiresAt, actor, units) => {
      const by = { source: 'server', actor };
      const records = [
        { type: 'extended', holdId, callId, expiresAt, units, by },
        { type: 'extended', holdId: callId, callId: holdId, expiresAt, units: [], by },
      ];
      expect(decode(encode(...records))).toStrictEqual(records);
    }),
    { numRuns: 20 },
  );
});

test('callers whose names have the same length are told apart', () => {
  const { required } = everyRecord['sold-out'];
  const records = ['key_1', 'key_2', 'key_1', 'kéy1', 'key_', 'key_11'].map((actor) => {
    return { ...required, by: { source: 'server', actor } };
  });
  expect(decode(encode(...records))).toEqual(records);
  for (const plan of ['hash', 'hush', 'hash'])
    expect(readGroup(encodePart({ ...head, plan, records: [] })).plan).toBe(plan);
});

test('a part keeps its bytes while others are written, and a part that fails spoils none', () => {
  const { required } = everyRecord['resale-listed'];
  const records = Array.from({ length: 300 }, (_, n) => ({ ...required, callId: `call_${'x'.repeat(7 * n)}${n}` }));
  const parts = records.map((record, n) => {
    if (n % 7 === 0) expect(() => encode(record, { ...required, units: [1, null] })).toThrow('resale-listed');
    return encode(record);
  });
  for (const [n, part] of parts.entries()) expect(decode(part)).toEqual([records[n]]);
});

test('a record without a required field is not written', () => {
  for (const { required } of examples) {
    for (const name of Object.keys(required)) {
      if (name === 'type') continue;
      const { [name]: _, ...rest } = required as unknown as Record<string, unknown>;
      const isNamed = [
        'config',
        'rules',
        'releases',
        'channel',
        'change',
        'buckets',
        'sectionStates',
        'selectionRules',
        'publicSale',
        'settings',
      ];
      if (!isNamed.includes(name))
        expect(() => encode(rest), `${required.type} without ${name}`).toThrow(required.type);
    }
  }
});

test('positions that a later version appends are passed over', () => {
  const later = [null, 5, -1, 2.5, true, 'x'.repeat(300), [1, ['2']], { a: { b: [] } }, Buffer.from('bytes')];
  for (const { required, optional } of examples) {
    const record = { ...required, ...optional };
    const [list] = listsOf(encode(record)) as unknown[][];
    expect(decode(partOf([...list!, ...later]))).toEqual([record]);
  }
  const by = [2, 'usr_1', 'later'];
  expect(decode(partOf([17, by, 300]))).toEqual([everyRecord['sold-out'].required]);
});

test('types, words and schemas of a later version are refused', () => {
  const by = [2, 'usr_1'];
  expect(() => decode(partOf([99, by]))).toThrow('type 99');
  expect(() => decode(partOf([10, by, 9]))).toThrow('word 9');
  expect(() => decode(partOf([17, by]))).toThrow('1 of at least 2');
  const part = Buffer.from(encode());
  part[0] = 3;
  expect(() => decode(part)).toThrow('schema 3');
});

test('a part that is cut short or has bytes behind its end is refused', () => {
  for (const { required, optional } of examples) {
    const part = encode({ ...required, ...optional });
    for (let length = 1; length < part.length; length++) {
      expect(() => decode(part.subarray(0, length)), `${required.type}, ${length} bytes`).toThrow();
    }
    expect(() => decode(Buffer.concat([part, Buffer.of(0)])), required.type).toThrow();
  }
});
