/** Where an event lives. */
import type { EventRecord } from '@parterre/shared/catalog-api';
import { partitionOf } from '@parterre/shared/subjects';

/** What of an event says where it lives. Neither ever changes. */
export type EventAddress = Pick<EventRecord, 'key' | 'region'>;

export type Placement = (event: EventAddress) => number;

export function createPlacement(partitions: number): Placement {
  return ({ key }) => partitionOf(key, partitions);
}
