/**
 * The rows of the log's table for the records of holds, of operations over several events, of locks and of
 * reservations.
 */
import type { OperationRecord } from '@parterre/shared/protocol/operations/operation-records';
import type { JournalRecord } from '@parterre/shared/protocol/records';
import type { LogEntry } from '../../../../services/frontdoor/src/logs/rules/event-log.ts';

type Kind = OperationRecord['type'] | 'reserved' | 'held' | 'extended' | 'hold-kept' | 'released' | 'expired';
type RecordOf<K extends Kind> = Extract<JournalRecord, { type: K }>;
/** The fields that the table compares. Actor and time are the same for all. */
export type ComparedEntry = Pick<LogEntry, 'action'> & Partial<Omit<LogEntry, 'id' | 'at' | 'actor' | 'source'>>;

const server = { source: 'server', actor: 'key_1' } as const;
const buyer = { source: 'buyer', actor: 'ses_1' } as const;
const operator = { source: 'operator', actor: 'usr_1' } as const;
const timer = { source: 'timer', actor: null } as const;
const lines = [
  { unit: 0, price: 40 },
  { unit: 2, price: 40 },
];
const units = [0, 2];
const seats = ['A-1', 'A-3'];
const holdId = 'hld_1zQf6XcN3vKt8RmBw4Yj';
const holdName = 'hold:YmZF8iKs6A';
const callId = 'call';
const ofHold = { holdId, units, by: buyer };
const head = {
  id: 'op_1',
  owner: { kind: 'group', key: 'pg_1' },
  operationId: 'pghop_1',
  eventKeys: ['gala'],
} as const;

/** By type of record: the record without its type, and the entry that it gives. */
export const operationRows: { [K in Kind]: [record: Omit<RecordOf<K>, 'type'>, told: ComparedEntry][] } = {
  held: [
    [
      { holdId, expiresAt: 9, accessSource: 'public', lines, fingerprint: 'secret', by: buyer },
      { action: 'hold', labels: seats, ref: holdName, details: { expiresAt: 9 } },
    ],
    [
      { holdId, expiresAt: 9, accessSource: 'public', lines, passed: ['front'], by: server },
      { action: 'hold', labels: seats, ref: holdName, passed: ['front'], details: { expiresAt: 9 } },
    ],
  ],
  extended: [
    [
      { ...ofHold, callId, expiresAt: 9 },
      { action: 'extend', labels: seats, ref: holdName, details: { expiresAt: 9 } },
    ],
  ],
  'hold-kept': [
    [
      { ...ofHold, callId, expiresAt: 9 },
      { action: 'keep_hold', labels: seats, ref: holdName, details: { expiresAt: 9 } },
    ],
  ],
  released: [
    [ofHold, { action: 'release', labels: seats, ref: holdName }],
    [
      { ...ofHold, kept: [2] },
      { action: 'release', labels: seats, ref: holdName, details: { kept: ['A-3'] } },
    ],
  ],
  expired: [
    [
      { ...ofHold, expiresAt: 9, by: timer },
      { action: 'expire', labels: seats, ref: holdName },
    ],
    [
      { ...ofHold, expiresAt: 9, kept: [0, 2], by: timer },
      { action: 'expire', labels: seats, ref: holdName, details: { kept: seats } },
    ],
  ],
  'part-held': [
    [
      { head: { ...head, eventKeys: [...head.eventKeys] }, holdId, fingerprint: 'secret', by: buyer },
      { action: 'hold_part', ref: holdName },
    ],
  ],
  'part-pinned': [
    [
      { id: 'op_1', holdId, action: { id: 'act_1', kind: 'book', bookingRef: 'o-1' }, units, by: server },
      { action: 'pin_part', labels: seats, ref: holdName },
    ],
  ],
  'part-unpinned': [
    [
      { id: 'op_1', holdId, actionId: 'act_1', expiresAt: 9, units, by: server },
      { action: 'unpin_part', labels: seats, ref: holdName },
    ],
  ],
  'operation-aborted': [
    [{ head: { ...head, eventKeys: [...head.eventKeys] }, createdAt: 5, by: server }, { action: 'abort_operation' }],
  ],
  'action-refused': [[{ id: 'op_1', actionId: 'act_1', by: server }, { action: 'refuse_action' }]],
  locked: [[{ owner: head.owner, lockId: 'lock_1', by: operator }, { action: 'lock' }]],
  'lock-drained': [[{ owner: head.owner, lockId: 'lock_1', by: operator }, { action: 'drain_lock' }]],
  unlocked: [[{ owner: head.owner, lockId: 'lock_1', by: operator }, { action: 'unlock' }]],
  reserved: [
    [
      { offerId: 'sro_1', owner: head.owner, callId: 'call_1', lines, by: server },
      { action: 'reserve', labels: seats },
    ],
  ],
  unreserved: [
    [
      { offerId: 'sro_1', callId: 'call_1', units, by: server },
      { action: 'unreserve', labels: seats },
    ],
    [
      { offerId: 'sro_1', callId: 'call_1', units, bookingRef: 'o-1', by: server },
      { action: 'unreserve', labels: seats, ref: 'o-1' },
    ],
  ],
};
