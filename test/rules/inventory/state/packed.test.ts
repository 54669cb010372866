/** Values packed into bytes: every value comes back unchanged, and a packed map behaves like a map of objects. */
import type { Line } from '@parterre/shared/protocol/records';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { livingOf } from '../../../../services/inventory-shard/src/rules/packed/packed-entries.ts';
import { PackedMap, type Packing } from '../../../../services/inventory-shard/src/rules/packed/packed-map.ts';
import { Packer, Unpacker } from '../../../../services/inventory-shard/src/rules/packed/packing.ts';
import { finish } from '../../../../services/inventory-shard/src/rules/packed/steps.ts';
import type { Booking, Hold } from '../../../../services/inventory-shard/src/rules/state/holder.ts';
import { bookingPacking, holdPacking } from '../../../../services/inventory-shard/src/rules/state/packed-holders.ts';

const text = fc.string({ unit: 'binary', maxLength: 8 });
const unit = fc.nat(1_000_000);
const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
const price = fc.oneof(
  fc.constantFrom(0, 35, 49.5, 0.07, 1e15, -1, 19.999),
  fc.double({ noNaN: true }),
  fc.nat(100_000).map((cents) => cents / 100),
);
const accessSource = fc.constantFrom('public', 'promoter', 'partner', 'hosted_link', 'staff_override');
const line: fc.Arbitrary<Line> = fc.record(
  { unit, price, tierId: text, quantity: fc.nat(300), group: unit, channelId: text, releaseId: text, accessSource },
  { requiredKeys: ['unit', 'price'] },
);
/** A line and the lines after it that differ only in their units, as places of an area do. */
const run: fc.Arbitrary<Line[]> = fc
  .record({ line, count: fc.nat(5) })
  .map(({ line: first, count }) => [first, ...Array.from({ length: count }, (_, i) => behind(first, 1 + i))]);
const lines = fc.oneof(
  fc.array(line, { maxLength: 5 }),
  fc.array(run, { maxLength: 3 }).map((runs) => runs.flat()),
);
const units = fc.oneof(
  fc.array(unit, { maxLength: 4 }),
  lines.map((some) => some.map((one) => one.unit)),
);
const call = fc.option(fc.record({ callId: text, units }));

const booking: fc.Arbitrary<Booking> = fc.record({
  kind: fc.constant('booking'),
  ref: text,
  slot: fc.nat(),
  bookedAt: time,
  updatedAt: time,
  accessSource,
  lastCall: call,
  chosen: fc.option(fc.record({ fingerprint: text, units })),
  lines,
});
const hold: fc.Arbitrary<Hold> = fc
  .record({
    kind: fc.constant('hold' as const),
    id: text,
    slot: fc.nat(),
    status: fc.constantFrom('active', 'booked', 'released', 'expired'),
    createdAt: time,
    expiresAt: time,
    endedAt: fc.option(fc.nat(1_000_000)),
    extends: fc.nat(10),
    lastExtend: fc.option(text),
    lastRelease: call,
    bookingRef: fc.option(text),
    accessSource,
    reach: fc.option(text),
    sessionId: fc.option(text),
    partnerRef: fc.option(text),
    buyerRef: fc.option(text),
    visitors: fc.array(text, { maxLength: 2 }),
    fingerprint: fc.option(text),
    firstExpiresAt: time,
    lines,
    parted: fc.option(
      fc.record({ released: units, expired: units, booked: fc.array(fc.record({ ref: fc.string(), units })) }),
    ),
  })
  .map((each) => ({ ...each, endedAt: each.endedAt === null ? null : each.createdAt + each.endedAt }));

test('a booking comes back as it was packed, also when its last call names exactly its lines', () => {
  fc.assert(
    fc.property(booking, fc.boolean(), (each, isCalled) => {
      const called = { callId: 'c', units: each.lines.map((one) => one.unit) };
      const chosen = { fingerprint: 'f', units: called.units };
      const value = isCalled ? { ...each, lastCall: called, chosen } : each;
      expect(packedAndBack(bookingPacking, value)).toEqual(value);
    }),
  );
});

test('a hold comes back as it was packed', () => {
  fc.assert(
    fc.property(hold, (each) => {
      expect(packedAndBack(holdPacking, each)).toEqual(each);
    }),
  );
});

test('a run of places takes few bytes, whatever its length', () => {
  const places = Array.from({ length: 20_000 }, (_, i) =>
    behind({ unit: 70, price: 25, group: 70, releaseId: 'early' }, i),
  );
  const parted = { released: places.slice(0, 9_000).map((place) => place.unit), expired: [], booked: [] };
  const [held] = fc.sample(hold, 1);
  const bytesOf = (value: Hold) => {
    const map = new PackedMap(holdPacking);
    map.set(value);
    return map.liveBytes;
  };
  const many = bytesOf({ ...held!, lines: places, parted });
  const few = bytesOf({ ...held!, lines: places.slice(0, 1), parted: { released: [], expired: [], booked: [] } });
  expect(many - few).toBeLessThan(20);
});

test('whole numbers, steps, amounts, texts and units come back', () => {
  const whole = fc.oneof(fc.nat(), fc.maxSafeNat());
  const step = fc.integer({ min: -(2 ** 50), max: 2 ** 50 });
  fc.assert(
    fc.property(whole, step, price, fc.option(text), fc.option(units), (...values) => {
      const packer = new Packer();
      packer.whole(values[0]);
      packer.step(values[1]);
      packer.amount(values[2]);
      packer.text(values[3]);
      packer.units(values[4]);
      const unpacker = new Unpacker();
      unpacker.bytes = packer.bytes;
      const read = [unpacker.whole(), unpacker.step(), unpacker.amount(), unpacker.text(), unpacker.units()];
      expect(read).toEqual(values);
      expect(unpacker.at).toBe(packer.length);
    }),
  );
});

type Entry = { key: string; value: string };

const entryPacking: Packing<Entry> = {
  keyOf: ({ key }) => key,
  pack: (packer, { value }) => packer.text(value),
  unpack: (unpacker, key) => ({ key, value: unpacker.text()! }),
};

/** Few keys of any characters, so that many steps use the same key; values of any size, some larger than a chunk. */
const keys = fc.constantFrom(
  '',
  'a',
  'b',
  'ab',
  '\u0141',
  '\ud83d',
  ...Array.from({ length: 40 }, (_, i) => `key-${i}`),
);
const sizes = fc.oneof(
  { weight: 20, arbitrary: fc.nat(2_000) },
  { weight: 1, arbitrary: fc.constantFrom(65_520, 70_000) },
);
const steps = fc.array(
  fc.oneof(fc.record({ key: keys, size: sizes }), fc.record({ key: keys, size: fc.constant(null) })),
  { maxLength: 200, size: 'max' },
);

test('a packed map has the values set last, in the order of setting, after any deletions', () => {
  fc.assert(
    fc.property(steps, (all) => {
      const map = new PackedMap(entryPacking);
      const expected = new Map<string, string>();
      for (const [n, { key, size }] of all.entries()) {
        expected.delete(key);
        if (size === null) {
          map.delete(key);
        } else {
          const value = `${n} `.repeat(size / 4);
          map.set({ key, value });
          expected.set(key, value);
        }
        expect(map.get(key)?.value).toBe(expected.get(key));
      }
      for (const each of [map, PackedMap.from(entryPacking, finish(livingOf(map.capture())))]) {
        expect(each.size).toBe(expected.size);
        expect(Array.from(each.values(), ({ key, value }) => [key, value])).toEqual([...expected]);
        expect(each.first()?.key).toBe([...expected.keys()][0]);
        for (const [key, value] of expected) expect(each.get(key)).toEqual({ key, value });
        expect(each.has('nobody')).toBe(false);
      }
    }),
    { numRuns: 30 },
  );
});

test('a captured map keeps its values while the map goes on changing, between two steps of the copy as well', () => {
  fc.assert(
    fc.property(steps, steps, fc.nat(40), (before, after, left) => {
      const map = new PackedMap(entryPacking);
      const perform = (all: typeof before, name: string): void => {
        for (const [n, { key, size }] of all.entries()) {
          if (size === null) map.delete(key);
          else map.set({ key, value: `${name}${n} `.repeat(size / 4) });
        }
      };
      perform(before, 'before');
      const expected = [...map.values()];
      const copy = livingOf(map.capture());
      const second = map.capture();
      // A removal of everything empties the last chunk, whose room is then used again.
      for (const { key } of expected.slice(left)) map.delete(key);
      const first = copy.next();
      perform(after, 'after');
      expect([...PackedMap.from(entryPacking, first.done ? first.value : finish(copy)).values()]).toEqual(expected);
      expect([...PackedMap.from(entryPacking, finish(livingOf(second))).values()]).toEqual(expected);
    }),
    { numRuns: 30 },
  );
});

test('a packed map frees the room of replaced and deleted values', () => {
  const map = new PackedMap(entryPacking);
  const value = 'x'.repeat(100);
  for (let n = 0; n < 10_000; n++) {
    map.set({ key: `${n % 100}`, value: `${value}${n}` });
    map.set({ key: `passing ${n}`, value });
    map.delete(`passing ${n - 10}`);
  }
  expect(map.size).toBe(110);
  expect(map.bytes).toBeLessThan(250_000);
});

function packedAndBack<V>(packing: Packing<V>, value: V): V {
  const map = new PackedMap(packing);
  map.set(value);
  expect(map.size).toBe(1);
  return map.get(packing.keyOf(value))!;
}

function behind(line: Line, by: number): Line {
  return { ...line, unit: line.unit + by };
}
