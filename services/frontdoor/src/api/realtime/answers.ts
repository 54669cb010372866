/** Answers of the live map. */
import { activityEntriesMax, activityLabelsMax } from '@parterre/shared/limits';
import { statusNames } from '@parterre/shared/records';
import { z } from 'zod';
import { logEntry } from '../history/history.ts';
import { buyerStatus, count, freePlaces, ok, optional, price } from '../records/records.ts';

export const unitList = z.object({ id: z.string(), units: z.array(z.string()).describe('Labels by number, from 0.') });

const status = z
  .union([buyerStatus, z.enum(statusNames)])
  .describe('Buyers see not_for_sale where servers see blocked.');

const scopes = z.array(z.string());

const bookedValue = z
  .object({ gross: price })
  .describe('The value of all booked units. For servers, and for consoles with event:reports.');

const map = { hidden: scopes, closed: scopes, ga: freePlaces };

const protocol = z.literal(1);

/** The frames of sockets and streams. */
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
      bookedValue: optional(bookedValue),
      resumed: optional(ok.describe('Set if the changes begin after the version that sv.<n> named.')),
    }),
    z
      .object({ type: z.literal('hidden'), protocol, hidden: scopes, closed: scopes })
      .describe('The hidden or closed divisions have changed. Buyers get a snapshot next.'),
    z
      .object({ type: z.literal('allocation'), protocol, allocationVersion: count })
      .describe(
        'Seats were assigned to other channels, or a channel was paused or archived. Buyers get a snapshot next.',
      ),
    z
      .object({ type: z.literal('activity'), protocol, entries: z.array(logEntry) })
      .describe(
        'For consoles with a ticket of /v1: the new entries of the log, newest first, at most twice a second. At ' +
          `most the latest ${activityEntriesMax} entries, each with at most ${activityLabelsMax} labels.`,
      ),
    z
      .object({ type: z.literal('presence'), protocol, shoppingSessions: count, activeHolds: count })
      .describe('Buyers who watch, over all front doors, and active holds. Sent on change, at most every two seconds.'),
    z.object({ type: z.literal('pong'), protocol }),
  ])
  .describe('snapshotVersion only grows. A viewer ignores a frame that is older than the version it has.');

const unitStatus = z.int().min(0).max(3).describe('0 free, 1 held, 2 booked, 3 not_for_sale (blocked, for servers).');

const binaryMap = { hidden: scopes, closed: scopes, ga: freePlaces };

/** The frames of the binary protocol, each a msgpack map in one binary message. */
export const binaryFrame = z
  .discriminatedUnion('t', [
    z.object({
      t: z.literal('s'),
      v: count.describe('snapshotVersion'),
      u: z
        .string()
        .describe('The id of the list of units for this snapshot and the deltas after it; GET …/units has the list.'),
      n: count.describe('The number of units.'),
      s: z
        .unknown()
        .describe('Bytes: 2 bits for each unit in the order of the list, four units a byte, lowest bits first.'),
      ...binaryMap,
    }),
    z.object({
      t: z.literal('d'),
      v: count.describe('snapshotVersion'),
      c: z.array(z.union([count, unitStatus])).describe('Unit numbers and statuses in turn.'),
      ga: optional(freePlaces),
      bookedValue: optional(bookedValue),
      resumed: optional(ok),
    }),
    z.object({ t: z.literal('h'), hidden: scopes, closed: scopes }).describe('hidden'),
    z.object({ t: z.literal('a'), a: count.describe('allocationVersion') }).describe('allocation'),
    z.object({ t: z.literal('l'), entries: z.array(logEntry) }).describe('activity'),
    z.object({ t: z.literal('p'), shoppingSessions: count, activeHolds: count }).describe('presence'),
    z.object({ t: z.literal('o') }).describe('pong'),
  ])
  .describe(
    'The Frames of parterre.v1.bin as msgpack: snapshot, delta, hidden, allocation, activity, presence and pong.',
  );
