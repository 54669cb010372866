/**
 * The layout of a deployment: the number of partitions of its inventory, and the partitions of each region's events.
 * The layout is fixed when a deployment is first started (standing-layout.ts keeps it): under another layout, services
 * would look for events on the wrong partitions. Only the form of the journal may rise later. Pure rules: read the
 * layout that is asked for, compare it with the standing one, place events.
 *
 * A region's events are spread over its range by `hash mod size`, so a range may have any size. An event of a region
 * without a range falls to the default range: the range of the name `default`, else all partitions that belong to no
 * region, else the first region's. Regions share no partition with each other; the default range may overlap them.
 */
import { z } from 'zod';
import { journalForm } from '../protocol/journal/heads.ts';
import { partitionsMax } from '../protocol/limits.ts';
import { regions as knownRegions } from '../protocol/vocabulary.ts';
import { SettingFault, wholeNumber } from './environment.ts';

/** The first and the last partition of a range. */
type PartitionRange = [first: number, last: number];
/** Keys are region names, and `default`. */
type RegionRanges = Record<string, PartitionRange>;

/**
 * The stored layout. The order of the regions matters where the first region's range is the default range. `form` is
 * the form in which journals are written: a program that cannot read the form refuses to start. `deployment` names this
 * deployment: its streams and its catalog carry the name, and those of another deployment are refused (I9).
 */
export type ClusterLayout = { deployment: string; form: number; partitions: number; regions: RegionRanges };

/**
 * The settings of the environment; null accepts the standing value. `partitionsAtFirst` counts only where no layout
 * stands and nothing else is asked.
 */
export type AskedLayout = {
  partitions: number | null;
  partitionsAtFirst: number | null;
  regions: RegionRanges | null;
  form: number | null;
};

const PARTITIONS_DEFAULT = 8;
const DEFAULT_RANGE = 'default';

const keptLayout = z.object({
  deployment: z.string().min(1),
  form: z.int().min(1).max(journalForm),
  partitions: z.number(),
  regions: z.record(z.string(), z.tuple([z.number(), z.number()])),
});

/** Reads the variables below. Throws a `SettingFault` that names the variable. */
export function askedLayout(environment: NodeJS.ProcessEnv): AskedLayout {
  const { PARTERRE_REGIONS, JOURNAL_FORM } = environment;
  return {
    partitions: partitionCount(environment, 'JOURNAL_PARTITIONS'),
    partitionsAtFirst: partitionCount(environment, 'JOURNAL_PARTITIONS_AT_FIRST'),
    regions: PARTERRE_REGIONS ? regionRanges(PARTERRE_REGIONS) : null,
    form: JOURNAL_FORM ? readForm(JOURNAL_FORM) : null,
  };
}

function readForm(text: string): number {
  const form = Number(text);
  if (Number.isInteger(form) && form >= 1 && form <= journalForm) return form;
  throw new SettingFault(
    `read JOURNAL_FORM: "${text}" is not a form that this version reads. The highest is ${journalForm}`,
  );
}

function partitionCount(environment: NodeJS.ProcessEnv, variable: string): number | null {
  if (!environment[variable]) return null;
  const partitions = wholeNumber(environment, variable, 0);
  if (partitions >= 1 && partitions <= partitionsMax && (partitions & (partitions - 1)) === 0) return partitions;
  throw new SettingFault(`read ${variable}: ${partitions} is not a power of two from 1 to ${partitionsMax}`);
}

/** `western-europe=0-15,north-america-east=16-31`: ranges with both ends. */
function regionRanges(text: string): RegionRanges {
  const ranges: RegionRanges = {};
  for (const part of text.split(',')) {
    const [, name = '', first, last = first] = /^\s*([a-z-]+)=(\d{1,6})(?:-(\d{1,6}))?\s*$/.exec(part) ?? [];
    if (first === undefined) throw regionsFault(`"${part.trim()}" is not of the form western-europe=0-15`);
    if (name !== DEFAULT_RANGE) knownRegion('PARTERRE_REGIONS', name);
    if (name in ranges) throw regionsFault(`${name} is named twice`);
    if (Number(last) < Number(first)) throw regionsFault(`${name}=${first}-${last} ends before it begins`);
    ranges[name] = [Number(first), Number(last)];
  }
  const inOrder = Object.entries(ranges)
    .filter(([name]) => name !== DEFAULT_RANGE)
    .sort(([, a], [, b]) => a[0] - b[0]);
  for (const [index, [name, [first]]] of inOrder.entries()) {
    const before = inOrder[index - 1];
    if (before && before[1][1] >= first) throw regionsFault(`${before[0]} and ${name} share partition ${first}`);
  }
  return ranges;
}

function regionsFault(problem: string): SettingFault {
  return new SettingFault(`read PARTERRE_REGIONS: ${problem}`);
}

/** Reads PARTERRE_REGION: comma-separated names of the regions whose partitions a shard prefers. */
export function preferredRegions(environment: NodeJS.ProcessEnv): string[] {
  const names = (environment.PARTERRE_REGION ?? '').split(',').map((name) => name.trim());
  return names.filter(Boolean).map((name) => knownRegion('PARTERRE_REGION', name));
}

/** The tags of the NATS servers that keep a region's streams; `default` for all other streams and for the buckets. */
export type PlacementTags = Record<string, string[]>;

/** Reads JOURNAL_PLACEMENT_TAGS: `western-europe=eu,default=eu+ssd`. A server has all tags of an entry. */
export function placementTags(environment: NodeJS.ProcessEnv): PlacementTags {
  const tags: PlacementTags = {};
  for (const part of (environment.JOURNAL_PLACEMENT_TAGS ?? '').split(',').filter((text) => text.trim())) {
    const [, name = '', list] = /^\s*([a-z-]+)=([^\s=,]+)\s*$/.exec(part) ?? [];
    if (list === undefined) {
      throw new SettingFault(`read JOURNAL_PLACEMENT_TAGS: "${part.trim()}" is not of the form western-europe=eu+ssd`);
    }
    if (name !== DEFAULT_RANGE) knownRegion('JOURNAL_PLACEMENT_TAGS', name);
    if (name in tags) throw new SettingFault(`read JOURNAL_PLACEMENT_TAGS: ${name} is named twice`);
    tags[name] = list.split('+').filter(Boolean);
  }
  return tags;
}

/** The form of NATS. An empty cluster is any cluster. */
type ServerPlacement = { cluster: string; tags: string[] };

/** Where a new stream of this partition, or without a partition a bucket, is made; nothing where no tag is asked. */
export function placementOf(
  tags: PlacementTags,
  layout?: ClusterLayout,
  partition?: number,
): { placement?: ServerPlacement } {
  const region = layout && partition !== undefined ? regionOfPartition(layout, partition) : null;
  const asked = (region !== null && tags[region]) || tags[DEFAULT_RANGE];
  return asked ? { placement: { cluster: '', tags: asked } } : {};
}

function knownRegion(variable: string, name: string): string {
  if (knownRegions.some((known) => known === name)) return name;
  throw new SettingFault(`read ${variable}: "${name}" is not a region. The regions are ${knownRegions.join(', ')}`);
}

/** The layout of a deployment that is started for the first time. Throws when a range does not fit the partitions. */
export function firstLayout(asked: AskedLayout, deployment: string): ClusterLayout {
  const atFirst = (asked.regions === null ? asked.partitionsAtFirst : null) ?? PARTITIONS_DEFAULT;
  const partitions = asked.partitions ?? atFirst;
  const regions = asked.regions ?? {};
  for (const [name, [, last]] of Object.entries(regions)) {
    if (last >= partitions)
      throw regionsFault(`${name} ends with partition ${last}, and the last one is ${partitions - 1}`);
  }
  return { deployment, form: asked.form ?? journalForm, partitions, regions };
}

/** Parses a stored layout; null for an unknown form of the journal, and for other bytes. */
export function readLayout(text: string): ClusterLayout | null {
  try {
    return keptLayout.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * The reason, with the remedy, why a process that asks for `asked` must not start under `standing`; null when it may.
 * Another form than the standing one is no reason: a shard raises the form, and no form goes back.
 */
export function whyRefused(standing: ClusterLayout, asked: AskedLayout): string | null {
  const { partitions, regions } = standing;
  if (asked.partitions !== null && asked.partitions !== partitions) {
    return (
      `start with JOURNAL_PARTITIONS=${asked.partitions}: this deployment has had ${partitions} partitions since its ` +
      `first start, and they hold its events. Set JOURNAL_PARTITIONS=${partitions} or unset it; another number needs a new deployment`
    );
  }
  if (asked.regions === null || samePlaces(standing, { ...standing, regions: asked.regions })) return null;
  const stands = regionsText(regions);
  return (
    `start with PARTERRE_REGIONS=${regionsText(asked.regions)}: this deployment has had ${stands || 'no regions'} since its first ` +
    `start, and the partitions hold its events. ${stands ? `Set PARTERRE_REGIONS=${stands} or unset it` : 'Unset it'}; other ranges need a new deployment`
  );
}

function regionsText(regions: RegionRanges): string {
  return Object.entries(regions)
    .map(([name, [first, last]]) => `${name}=${first}-${last}`)
    .join(',');
}

/** True when both layouts place every event on the same partition. */
function samePlaces(a: ClusterLayout, b: ClusterLayout): boolean {
  return [...knownRegions, DEFAULT_RANGE].every(
    (name) => String(partitionsOfRegion(a, name)) === String(partitionsOfRegion(b, name)),
  );
}

/** The partitions of a region's events: the default range for a region without a range. */
export function partitionsOfRegion(layout: ClusterLayout, region: string): number[] {
  const own = ownRange(layout, region) ?? ownRange(layout, DEFAULT_RANGE);
  if (own) return numbersOf(own);
  const free = numbersOf([0, layout.partitions - 1]).filter(
    (partition) => regionOfPartition(layout, partition) === null,
  );
  return free.length > 0 ? free : numbersOf(Object.values(layout.regions)[0]!);
}

/** The region that has this partition; null for a partition of no region, or of the default range only. */
export function regionOfPartition(layout: ClusterLayout, partition: number): string | null {
  for (const [name, [first, last]] of Object.entries(layout.regions)) {
    if (name !== DEFAULT_RANGE && partition >= first && partition <= last) return name;
  }
  return null;
}

function ownRange({ regions }: ClusterLayout, name: string): PartitionRange | null {
  return Object.hasOwn(regions, name) ? regions[name]! : null;
}

function numbersOf([first, last]: PartitionRange): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
