/** The event, secret and owner that both sides of bench/door/door.ts know. */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';

export const doorSecret = 'the secret of this benchmark, long enough';
export const doorEpoch = 1;
/** Events are spread over the partitions by the number in their keys. */
export const doorPartitions = 16;
export const eventsMax = 64;
export const eventKey = (number: number): string => `gala-${String(number).padStart(2, '0')}`;
export const partitionOf = (key: string): number => Number(key.slice(-2)) % doorPartitions;

export const doorEvent = {
  id: 'evt_bench',
  key: eventKey(0),
  status: 'open',
  mode: 'test',
  organisationId: 'org_bench',
  workspaceId: 'ws_bench',
  currency: 'EUR',
  region: '',
  planHash: 'plan',
} as unknown as EventRecord;

/** The row that has every seat. */
export const doorRow = { id: 'row_1', label: 'A', name: 'A', floor: null, sectionName: null, entrance: null };
