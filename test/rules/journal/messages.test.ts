import { Fault } from '@parterre/shared/protocol/errors';
import type { EpochRecord } from '@parterre/shared/protocol/journal/heads';
import { linkOf } from '@parterre/shared/protocol/journal/links';
import {
  commitOverhead,
  encodeCommit,
  encodeEpochRecord,
  encodePart,
  groupsOf,
  headOf,
  readGroup,
} from '@parterre/shared/protocol/journal/messages';
import type { Part } from '@parterre/shared/protocol/records';
import { eventKeyOf, subjects } from '@parterre/shared/protocol/subjects';
import { encodeKept } from '@parterre/shared/protocol/wire';
import { expect, test } from 'vitest';

const by = { source: 'server', actor: 'sk_1' } as const;
const head = { epoch: 3, n: 7, low: 2 ** 40, link: linkOf('before') };

function part(event: string, from: number): Part {
  const records: Part['records'] = [{ type: 'blocked', units: [1, 2, 300], releaseAt: null, reason: 'Ümläut', by }];
  return { event, from, at: 1_790_000_000_123, plan: 'a'.repeat(64), link: linkOf(event), records };
}

/** The group in a part. */
function groupOf({ event: _, ...group }: Part): Omit<Part, 'event'> {
  return group;
}

test('a commit gives its parts, in order', () => {
  const parts = [part('gala', 0), part('ö-fest', 2 ** 40), part('x'.repeat(64), 12)];
  const encoded = parts.map(encodePart);
  const data = encodeCommit(head, encoded);
  const groups = groupsOf(subjects.commits(4), data);
  expect(groups.map(({ eventKey }) => eventKey)).toEqual(parts.map(({ event }) => event));
  expect(groups.map((group) => readGroup(group.data))).toEqual(parts.map(groupOf));
  expect(headOf(data)).toEqual(head);
  const bytes = encoded.reduce((sum, each) => sum + each.length, 0);
  expect(data.length).toBe(commitOverhead.once + 3 * commitOverhead.eachPart + bytes);
});

test('a commit of one part stands on the subject of its event', () => {
  const data = encodeCommit(head, [encodePart(part('gala', 5))]);
  const groups = groupsOf(subjects.journal(0, 'gala'), data);
  expect(groups.map(({ eventKey }) => eventKey)).toEqual(['gala']);
  expect(readGroup(groups[0]!.data)).toEqual(groupOf(part('gala', 5)));
  const two = encodeCommit(head, [encodePart(part('gala', 5)), encodePart(part('fest', 5))]);
  expect(() => groupsOf(subjects.journal(0, 'gala'), two)).toThrow('2 parts');
});

test('an epoch record has no groups', () => {
  const record: EpochRecord = {
    epoch: 2,
    owner: 'shd_1',
    at: 5,
    low: 9,
    stream: 'dep_1.x',
    link: linkOf('dep_1.x'),
    fence: { late: 1, left: 3 },
  };
  const data = encodeEpochRecord(record);
  expect(groupsOf(subjects.epoch(0), data)).toEqual([]);
  expect(headOf(data)).toEqual(record);
});

test('a message of another form is refused', () => {
  const words = 'it has form 2, and this version of Parterre reads form 1';
  const epoch = encodeEpochRecord({ epoch: 1, owner: 'o', at: 1, low: 0, stream: 'dep_1.x', link: linkOf('dep_1.x') });
  const commit = encodeCommit(head, [encodePart(part('gala', 1))]);
  for (const data of [epoch, commit]) {
    data[0] = 2;
    expect(() => headOf(data)).toThrow(words);
  }
  expect(() => groupsOf(subjects.journal(0, 'gala'), commit)).toThrow(words);
  expect(() => groupsOf(subjects.commits(0), commit)).toThrow(words);
});

test('a message that is cut short is refused', () => {
  const data = encodeCommit(head, [encodePart(part('gala', 1)), encodePart(part('fest', 1))]);
  for (const length of [20, 40, 100, data.length - 1]) {
    expect(() => groupsOf(subjects.commits(0), data.subarray(0, length))).toThrow();
  }
});

test('only the subject of an event names an event', () => {
  expect(eventKeyOf(subjects.journal(12, 'gala'))).toBe('gala');
  expect(eventKeyOf(subjects.journal(12, '_commits'))).toBe('_commits');
  expect(eventKeyOf(subjects.commits(12))).toBeNull();
  expect(eventKeyOf(subjects.epoch(12))).toBeNull();
});

test('bytes that are no message are a fault with a name, for every reader', () => {
  const cut = encodeCommit(head, [encodePart(part('gala', 1))]).subarray(0, 9);
  const kind = Uint8Array.of(1, 7, 0, 0);
  for (const data of [cut, kind]) {
    expect(() => headOf(data)).toThrow(Fault);
    expect(() => groupsOf(subjects.commits(0), data)).toThrow(Fault);
    expect(() => groupsOf(subjects.journal(0, 'gala'), data)).toThrow(Fault);
  }
  expect(() => headOf(cut)).toThrow(expect.objectContaining({ cause: expect.any(RangeError) }));
  for (const data of [new Uint8Array(), Uint8Array.of(2, 200), Uint8Array.of(9, 1, 1)]) {
    expect(() => readGroup(data)).toThrow(Fault);
  }
  const noRecord = Buffer.concat([Buffer.of(1, 0), encodeKept({ epoch: 1, owner: 7 })]);
  expect(() => headOf(noRecord)).toThrow('read an epoch record: the field "owner"');
});
