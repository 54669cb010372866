/**
 * `npm run bench -- record-forms`: bytes and CPU of the records of a hold and its booking, with field names (msgpack
 * maps) and by position (parts of the journal). The forms take turns. Prints the lowest figures of the rounds: other
 * work on the machine only adds to them.
 */
import { linkOf } from '@parterre/shared/protocol/journal/links';
import { encodePart, readGroup } from '@parterre/shared/protocol/journal/messages';
import type { JournalRecord, Part } from '@parterre/shared/protocol/records';
import { decodeKept, encodeKept } from '@parterre/shared/protocol/wire';
import { readArguments } from '../arguments.ts';

const options = readArguments({
  rounds: { type: 'string', default: '20' },
  each: { type: 'string', default: '50000' },
});
const each = Number(options.each);
const samples = 256;

const by = { source: 'server', actor: 'key_3fWq0ZkLr7XbT1sYd9MhUe' } as const;

function recordsOf(n: number): JournalRecord[] {
  const id = String(n).padStart(22, 'aB3dE6gH9j');
  const lines = [{ unit: 1_234 + n, price: 40 }];
  const accessSource = 'public';
  // The fields are written one by one, as the rules do: V8 reads an object after a spread slowly.
  return [
    { type: 'held', holdId: `hld_${id}`, expiresAt: 1_790_000_600_000 + n, accessSource, lines, by },
    {
      type: 'booked',
      bookingRef: `order-12-${n}`,
      callId: `call_${id}`,
      holdId: `hld_${id}`,
      accessSource,
      lines,
      by,
    },
  ];
}

const parts: Part[] = Array.from({ length: samples }, (_, n) => ({
  event: 'ev_4hk2pq9x0c7b',
  from: 1_000 + n,
  at: 1_790_000_000_000 + n,
  plan: 'Jx0q3yVdT5mW8nRz1cK6bGfLs2HpUa7EoXiNt4Yvk9Q',
  link: linkOf('before'),
  records: recordsOf(n),
}));

type Form = { encode(part: Part): Uint8Array; decode(data: Uint8Array): unknown };
const forms: Record<string, Form> = {
  'with names': { encode: encodeKept, decode: decodeKept },
  'by position': { encode: encodePart, decode: readGroup },
};

/** Nanoseconds of CPU for one call. */
function cpuOf(work: (index: number) => unknown): number {
  const before = process.cpuUsage();
  for (let i = 0; i < each; i++) kept = work(i % samples);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / each;
}

/** The last result, so that no work is left out. */
let kept: unknown;
const lowest = new Map<string, { encode: number; decode: number }>();
for (let round = 0; round < Number(options.rounds); round++) {
  for (const [name, { encode, decode }] of Object.entries(forms)) {
    const encoded = parts.map(encode);
    const now = {
      encode: cpuOf((i) => encode(parts[i]!)),
      decode: cpuOf((i) => decode(encoded[i]!)),
    };
    const before = lowest.get(name) ?? now;
    lowest.set(name, {
      encode: Math.min(before.encode, now.encode),
      decode: Math.min(before.decode, now.decode),
    });
  }
}
for (const [name, { encode }] of Object.entries(forms)) {
  const bytes = encode(parts[0]!).length;
  const { encode: encoding, decode: decoding } = lowest.get(name)!;
  console.log(`${name.padEnd(12)} ${bytes} B, encode ${encoding.toFixed(0)} ns, decode ${decoding.toFixed(0)} ns`);
}
if (!kept) throw new Error('nothing was decoded');
