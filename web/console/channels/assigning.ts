/**
 * Seats that are painted into a channel: which move, which stay, and the units of each channel before and after. Held
 * and sold seats stay in their channel, as the server upholds it. Null is public sale. Pure.
 */
import type { Area } from '../../src/rules/hall.ts';
import type { TrueStatus } from '../event/hall/live.ts';

export type ChannelId = string | null;

export type Assigning = {
  /** Labels that move, by the channel that they leave. */
  leaving: ReadonlyMap<ChannelId, readonly string[]>;
  moving: number;
  held: number;
  booked: number;
  alreadyThere: number;
  /** Units of each channel that gains or loses some; the free ones among them. */
  changes: ReadonlyMap<ChannelId, { units: number; free: number }>;
};

/** `labels` are those of single places. */
export function assigning(
  labels: Iterable<string>,
  target: ChannelId,
  { channelOf, statusOf }: { channelOf(label: string): ChannelId; statusOf(label: string): TrueStatus },
): Assigning {
  const leaving = new Map<ChannelId, string[]>();
  const changes = new Map<ChannelId, { units: number; free: number }>();
  const told = { moving: 0, held: 0, booked: 0, alreadyThere: 0 };
  const change = (channel: ChannelId, by: 1 | -1, isFree: boolean): void => {
    const { units, free } = changes.get(channel) ?? { units: 0, free: 0 };
    changes.set(channel, { units: units + by, free: free + (isFree ? by : 0) });
  };
  for (const label of labels) {
    const [from, status] = [channelOf(label), statusOf(label)];
    if (from === target) told.alreadyThere++;
    else if (status === 'held' || status === 'booked') told[status]++;
    else {
      told.moving++;
      const its = leaving.get(from) ?? [];
      its.push(label);
      leaving.set(from, its);
      change(from, -1, status === 'free');
      change(target, 1, status === 'free');
    }
  }
  return { leaving, changes, ...told };
}

/** The labels of an area's places. */
export function placesOfArea({ segments }: Pick<Area, 'segments'>): string[] {
  return segments.flatMap(({ sourceAreaId, startIndex, count }) => {
    const stem = `__sl_ga__${encodeURIComponent(sourceAreaId)}__`;
    return Array.from({ length: count }, (_, index) => `${stem}${startIndex + index + 1}`);
  });
}

/** Choices as single places: the label of an area stands for all its places. */
export function singlePlaces(chosen: Iterable<string>, areas: readonly Area[]): string[] {
  const areaOf = new Map(areas.map((area) => [area.label, area]));
  return [...chosen].flatMap((label) => {
    const area = areaOf.get(label);
    return area ? placesOfArea(area) : [label];
  });
}
