/** The event, secret and owner that both sides of bench/door/door.ts know. */
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';

export const doorSecret = 'the secret of this benchmark, long enough';
export const doorEpoch = 1;

export const doorEvent = {
  id: 'evt_bench',
  key: 'gala',
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
