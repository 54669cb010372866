import { activityEntriesMax, activityLabelsMax } from '@parterre/shared/limits';
import { statusNames } from '@parterre/shared/records';
import { z } from 'zod';
import { logEntry } from '../history/answers.ts';
import { buyerStatus, count, freePlaces, ok, optional } from '../records/records.ts';

export const unitList = z.object({ id: z.string(), units: z.array(z.string()).describe('Labels by number, from 0.') });

const status = z
  .union([buyerStatus, z.enum(statusNames)])
  .describe('Buyers see not_for_sale where servers see blocked.');

const scopes = z.array(z.string());

const map = { hidden: scopes, closed: scopes, ga: freePlaces };

const protocol = z.literal(1);

/** What sockets and streams carry. */
export const frame = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('snapshot'),
      protocol,
      snapshotVersion: count,
      default: status.describe('The status of every unit that `seats` does not name.'),
      seats: z.record(z.string(), status),
      ...map,
    }),
    z.object({
      type: z.literal('delta'),
      protocol,
      snapshotVersion: count,
      changes: z.array(z.object({ label: z.string(), status })),
      ga: optional(freePlaces),
      resumed: optional(ok.describe('What was missed since the version that sv.<n> named.')),
    }),
    z
      .object({ type: z.literal('hidden'), protocol, hidden: scopes, closed: scopes })
      .describe('What is hidden or closed has changed; buyers get a snapshot next.'),
    z
      .object({ type: z.literal('allocation'), protocol, allocationVersion: count })
      .describe(
        'Seats were assigned to other channels, or a channel was paused or archived; buyers get a snapshot next.',
      ),
    z
      .object({ type: z.literal('activity'), protocol, entries: z.array(logEntry) })
      .describe(
        'To consoles, who have their ticket of /v1: what was done since, newest first, at most twice a second; no more than the ' +
          `latest ${activityEntriesMax} entries, each with ${activityLabelsMax} labels.`,
      ),
    z
      .object({ type: z.literal('presence'), protocol, shoppingSessions: count, activeHolds: count })
      .describe(
        'Buyers who watch, over all front doors, and holds under way. At most every two seconds, and where it changed.',
      ),
    z.object({ type: z.literal('pong'), protocol }),
  ])
  .describe('snapshotVersion only grows. A viewer that knows a later one than a frame has ignores the frame.');

const unitStatus = z.int().min(0).max(3).describe('0 free, 1 held, 2 booked, 3 not_for_sale, to servers blocked.');

const binaryMap = { hidden: scopes, closed: scopes, ga: freePlaces };

/** What sockets of the binary protocol carry, each frame one msgpack map in one binary message. */
export const binaryFrame = z
  .discriminatedUnion('t', [
    z.object({
      t: z.literal('s'),
      v: count.describe('snapshotVersion'),
      u: z
        .string()
        .describe('The id of the list of units, as GET …/units has it, that this and the deltas after it go by.'),
      n: count.describe('How many units.'),
      s: z.unknown().describe('Bytes: 2 bits a unit in the order of the list, four units a byte, lowest bits first.'),
      ...binaryMap,
    }),
    z.object({
      t: z.literal('d'),
      v: count.describe('snapshotVersion'),
      c: z.array(z.union([count, unitStatus])).describe('A unit and its status, by turns.'),
      ga: optional(freePlaces),
      resumed: optional(ok),
    }),
    z.object({ t: z.literal('h'), hidden: scopes, closed: scopes }).describe('hidden'),
    z.object({ t: z.literal('a'), a: count.describe('allocationVersion') }).describe('allocation'),
    z.object({ t: z.literal('p'), shoppingSessions: count, activeHolds: count }).describe('presence'),
    z.object({ t: z.literal('o') }).describe('pong'),
  ])
  .describe('The Frames of parterre.v1.bin as msgpack: snapshot, delta, hidden, allocation, presence and pong.');
