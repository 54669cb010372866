/** Places an event on a partition of its region's range. */
import type { EventRecord } from '../protocol/catalog/events.ts';
import { partitionOf } from '../protocol/subjects.ts';
import { regions } from '../protocol/vocabulary.ts';
import { type ClusterLayout, partitionsOfRegion } from './cluster-layout.ts';

/** The fields that place an event, and its tenant. They never change. */
export type EventAddress = Pick<EventRecord, 'key' | 'region' | 'organisationId'>;

export type Placement = (event: Pick<EventRecord, 'key' | 'region'>) => number;

export function createPlacement(layout: ClusterLayout): Placement {
  const byRegion = new Map(regions.map((region) => [region as string, partitionsOfRegion(layout, region)]));
  const usual = partitionsOfRegion(layout, '');
  return ({ key, region }) => partitionOf(key, byRegion.get(region) ?? usual);
}
