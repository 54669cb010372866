/** Reads of an event's channels: the counts of each, the assignment of units, and the sales attributed to each. */
import type {
  Allocation,
  Answers,
  ChannelCounts,
  ChannelReportRow,
  InventoryReport,
} from '@parterre/shared/protocol/answers';
import type { Command } from '@parterre/shared/protocol/commands';
import { statusNames } from '@parterre/shared/protocol/records';
import { channelNumbered, eachBookedLine, heldLines, publicSale, type ReadState } from '../state/state.ts';

export function channels(state: ReadState): Answers['channels'] {
  const { byId, version } = state.channels;
  const [ofPublic, ...counts] = countsByNumber(state);
  return {
    assignmentVersion: version,
    publicSale: ofPublic!,
    channels: Array.from(byId.values(), (channel, index) => ({ ...channel, counts: counts[index]! })),
  };
}

export function channelStates({ channels: { byId }, version }: ReadState): Answers['channel-states'] {
  return { version, channels: Array.from(byId.values(), ({ id, state }) => ({ id, state })) };
}

/** The counts of public sale, then of each channel, in one pass over the units. */
function countsByNumber({ channels: { ids, of }, statuses }: ReadState): ChannelCounts[] {
  const counts = Array.from({ length: 1 + ids.length }, noCounts);
  for (let unit = 0; unit < statuses.length; unit++) {
    const row = counts[of?.[unit] ?? publicSale]!;
    row[statusNames[statuses[unit]!]!]++;
    row.allocated++;
  }
  for (const row of counts) row.units = row.allocated;
  return counts;
}

function noCounts(): ChannelCounts {
  return { allocated: 0, free: 0, held: 0, booked: 0, blocked: 0, units: 0 };
}

export function channelAllocation(
  { channels, plan }: ReadState,
  { afterLabel, limit }: Command & { type: 'channel-allocation' },
): Answers['channel-allocation'] {
  // A cursor whose label is not on the chart counts as unreadable: the list starts from the beginning.
  const after = afterLabel === undefined ? -1 : (plan.labels.unitOf(afterLabel) ?? -1);
  const allocations: Answers['channel-allocation']['allocations'] = [];
  let nextAfterLabel: string | null = null;
  const { of } = channels;
  for (let unit = after + 1; of !== null && unit < of.length; unit++) {
    const channel = channelNumbered(channels, of[unit]!);
    if (!channel) continue;
    if (allocations.length === limit) {
      nextAfterLabel = allocations.at(-1)?.label ?? null;
      break;
    }
    allocations.push({ label: plan.labels.at(unit), channelId: channel.id });
  }
  return { assignmentVersion: channels.version, allocations, nextAfterLabel };
}

/** Counts each booked line for the channel that the line has named since its sale. */
export function channelReport(state: ReadState): Answers['channel-report'] {
  const { ids, version } = state.channels;
  const counts = countsByNumber(state);
  const rows = [null, ...ids].map((channelId, number): ChannelReportRow => {
    return { channelId, allocation: counts[number]!, attribution: { sold: 0, units: 0, value: 0 } };
  });
  const rowOf = new Map(rows.map((row) => [row.channelId, row]));
  eachBookedLine(state.bookings, ({ channelId = null, price, quantity = 1 }) => {
    const { attribution } = rowOf.get(channelId)!;
    attribution.sold++;
    attribution.units += quantity;
    attribution.value += price * quantity;
  });
  return { assignmentVersion: version, rows };
}

/** By channel id, in the order of the report. Null is public sale. */
export type ChannelRows = Map<string | null, NonNullable<InventoryReport['byChannel']>[number]>;

/** Counts held units alone: the counts of booked units are 0. Has no rows if the event has no channels. */
export function heldByChannel(state: ReadState): ChannelRows {
  const { channels } = state;
  const rows: ChannelRows = new Map();
  if (channels.byId.size === 0) return rows;
  const none = { held: 0, booked: 0, bookedValue: 0 };
  rows.set(null, { channelId: null, name: 'Public sale', ...none });
  for (const { id: channelId, name } of channels.byId.values()) rows.set(channelId, { channelId, name, ...none });
  for (const hold of state.holds.active.values()) {
    for (const { channelId = null } of heldLines(state, hold)) rows.get(channelId)!.held++;
  }
  return rows;
}

/** Undefined while no unit is assigned. */
export function allocationOf({ channels: { of, version, ids, byId } }: ReadState): Allocation | undefined {
  if (of === null) return undefined;
  const closed = ids.filter((id) => byId.get(id)!.state !== 'active');
  return { version, channelIds: [...ids], closed, of: new Uint8Array(of.slice().buffer) };
}
