/**
 * The lies of a journal (I9). From one moment on, the stream of a partition has other messages than the servers had
 * acknowledged:
 *
 *   tail             the last messages are gone
 *   middle           messages inside are gone, or have another byte
 *   another history  an older copy is put back, and another owner has written behind it, perhaps past every snapshot
 *   new stream       the stream is empty under the same name
 *   new storage      all streams are empty, and the snapshots, leases and identities are gone too
 *
 * The last message of a `middle` stays. All shards live on, are cut off for a moment, or die with the old stream.
 */
import { linkOf } from '@parterre/shared/protocol/journal/links';
import { encodeEpochRecord, headOf } from '@parterre/shared/protocol/journal/messages';
import { subjects } from '@parterre/shared/protocol/subjects';
import type { SimulatedStream, Stored } from '../world/log.ts';
import type { Random } from '../world/scheduler.ts';

export const lieKinds = ['tail', 'middle', 'another history', 'new stream', 'new storage'] as const;
export type LieKind = (typeof lieKinds)[number];

const tailMost = 60;
const middleMost = 4;
const ghostMost = 90;

/** The messages of the lying stream, by sequence from 1 on. */
export function drawLie(kind: LieKind, stream: SimulatedStream, random: Random): (Stored | null)[] {
  const last = stream.lastSequence;
  const messages = Array.from({ length: last }, (_, index) => stream.at(index + 1));
  if (kind === 'new stream' || kind === 'new storage') return [];
  if (kind === 'tail') return messages.slice(0, Math.max(1, last - Math.ceil(random.delay(0, tailMost))));
  if (kind === 'another history') {
    const kept = messages.slice(0, Math.max(1, last - Math.ceil(random.delay(0, tailMost))));
    return [...kept, ...ghostsBehind(kept.at(-1)!, stream, random)];
  }
  for (let lost = random.int(1, middleMost); lost > 0; lost--) {
    // Rather the last commits: earlier messages are mostly records of fences.
    const index = Math.max(0, last - 2 - Math.floor(random.delay(0, last - 1)));
    messages[index] = random.chance(0.5) ? null : changed(messages[index] ?? null, random);
  }
  return messages;
}

/** Epoch records of an owner that nobody knows. */
function ghostsBehind(tail: Stored, stream: SimulatedStream, random: Random): Stored[] {
  const { partition } = stream;
  const { epoch, low } = headOf(tail.payload);
  const first = headOf(stream.at(1)!.payload);
  const identity = 'stream' in first ? first.stream : '';
  const ghosts: Stored[] = [];
  let before = tail;
  for (let left = Math.ceil(random.delay(0, ghostMost)); left > 0; left--) {
    const record = { epoch: epoch + ghosts.length + 1, owner: 'ghost', at: 0, low, stream: identity };
    const payload = encodeEpochRecord({ ...record, link: linkOf(before.payload) });
    const sequence = before.sequence + 1;
    before = { sequence, subject: subjects.epoch(partition), payload, id: `${record.epoch}.${sequence}` };
    ghosts.push(before);
  }
  return ghosts;
}

function changed(stored: Stored | null, random: Random): Stored | null {
  if (!stored) return null;
  const payload = Buffer.from(stored.payload);
  payload[random.int(0, payload.length - 1)]! ^= 1 << random.int(0, 7);
  return { ...stored, payload };
}
