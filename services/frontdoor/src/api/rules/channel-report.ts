/** The report of an event's channels: their units, and the sales in their name. Pure. */
import type { Answers, ChannelCounts, Counts } from '@parterre/shared/protocol/answers';
import type { Channel } from '@parterre/shared/protocol/records';

/** The row for the units without a channel. */
export const publicSale = { id: 'public', name: 'Public sale', state: 'active' } as const;

export const reportMethodology =
  'Allocation counts the units that a channel has now, by their status. Attribution counts the units that are booked ' +
  'now, under the channel in which each unit was sold, even if the unit belongs to another channel since. sold ' +
  'counts units of the chart. units counts guests and places. bookedValue and revenue are the prices of these ' +
  'sales without fees on top, in units of priceUnit. sellThrough is sold divided by allocated.';

type Attribution = { sold: number; units: number; value: number };

export function channelReportOf(told: Answers['channel-report'], channels: readonly Channel[], withMoney: boolean) {
  const known = new Map(channels.map((channel) => [channel.id, channel]));
  const rows = told.rows.map(({ channelId, allocation, attribution }) => {
    const { name, externalRef, state } = (channelId !== null && known.get(channelId)) || ofPublicSale;
    return { channelId, name, externalRef, state, ...figuresOf(allocation, attribution, withMoney) };
  });
  const allocation = told.rows.reduce((sum, row) => added(sum, row.allocation), noUnits);
  const attribution = told.rows.reduce((sum, row) => added(sum, row.attribution), nothingSold);
  return {
    assignmentVersion: told.assignmentVersion,
    includesBookedValue: withMoney,
    methodology: reportMethodology,
    rows,
    totals: figuresOf(allocation, attribution, withMoney),
  };
}

const ofPublicSale = { ...publicSale, externalRef: null };
const noUnits: ChannelCounts = { allocated: 0, free: 0, held: 0, booked: 0, blocked: 0, units: 0 };
const nothingSold: Attribution = { sold: 0, units: 0, value: 0 };

function figuresOf(allocation: ChannelCounts, { sold, units, value }: Attribution, withMoney: boolean) {
  const money = withMoney ? value : null;
  return {
    allocation,
    attribution: { sold, units, bookedValue: money, revenue: money },
    sellThrough: allocation.allocated === 0 ? null : sold / allocation.allocated,
  };
}

function added<Figures extends Record<string, number>>(one: Figures, other: Figures): Figures {
  const sums = Object.entries(one).map(([name, figure]) => [name, figure + other[name]!]);
  return Object.fromEntries(sums) as Figures;
}

export function countsOf({ free, held, booked, blocked }: ChannelCounts): Counts {
  return { free, held, booked, blocked };
}
