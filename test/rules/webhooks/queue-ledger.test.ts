/** The ledger of the queues: whose bytes are full, from the server's counts and this notifier's puts since. */
import {
  organisationShareWhenScarceMax,
  queuedBytesPerOrganisationMax,
  queuedBytesPerSubscriptionMax,
  queueScarceShare,
  retriesAmongOthersMax,
} from '@parterre/shared/protocol/webhook-limits';
import { expect, it } from 'vitest';
import { createQueueLedger } from '../../../services/notifier/src/deliveries/rules/queue-ledger.ts';
import {
  kibOf,
  ownRetriesName,
  type QueuedPlace,
  queueSubjectOf,
  readQueueSubject,
} from '../../../services/notifier/src/deliveries/rules/queue-subjects.ts';

const KIB = 1024;
const GIB = 1024 ** 3;

function backlog(subId: string, organisationId = 'org_a', kib = 128): QueuedPlace {
  return { queue: 'backlogs', name: subId, subId, organisationId, kib, posts: 1 };
}

function retry(subId: string, retryQueue: number, kib = 1): QueuedPlace {
  return { queue: 'retries', retryQueue, subId, organisationId: 'org_a', kib, posts: 1 };
}

/** The server's answer for so many bytes of each place. */
function stored(places: [QueuedPlace, bytes: number][], bytesMax = 2 * GIB) {
  const subjects = Object.fromEntries(
    places.map(([place, bytes]) => [queueSubjectOf(place), bytes / (place.kib * KIB)] as const),
  );
  return { subjects, bytes: places.reduce((sum, [, bytes]) => sum + bytes, 0), bytesMax };
}

it('a subscription has its bytes in both streams together, and another subscription has its own', () => {
  const ledger = createQueueLedger();
  ledger.count('backlogs', stored([[backlog('whk_1'), queuedBytesPerSubscriptionMax / 2]]));
  ledger.count('retries', stored([[retry('whk_1', 4), queuedBytesPerSubscriptionMax / 2 - 128 * KIB]]));
  expect(ledger.refusal(backlog('whk_1'))).toBeNull();
  ledger.add(backlog('whk_1'));
  expect(ledger.refusal(backlog('whk_1'))).toBe('subscription');
  expect(ledger.refusal(retry('whk_1', 2))).toBe('subscription');
  expect(ledger.refusal(backlog('whk_2'))).toBeNull();
});

it("an organisation's subscriptions share its bytes, and another organisation has its own", () => {
  const ledger = createQueueLedger();
  const each = queuedBytesPerOrganisationMax / 8;
  ledger.count('backlogs', stored(Array.from({ length: 8 }, (_, n) => [backlog(`whk_${n}`), each])));
  expect(ledger.refusal(backlog('whk_new'))).toBe('organisation');
  expect(ledger.refusal(backlog('whk_other', 'org_b'))).toBeNull();
});

it('a stream that is scarce takes only deliveries of organisations with few bytes, up to its bound', () => {
  const ledger = createQueueLedger();
  const bytesMax = 64 * 1024 * KIB;
  const few = bytesMax * organisationShareWhenScarceMax;
  const own = [backlog('whk_few', 'org_few'), few - 128 * KIB] as [QueuedPlace, number];
  ledger.count('backlogs', stored([[backlog('whk_1'), bytesMax * queueScarceShare], own], bytesMax));
  expect(ledger.refusal(backlog('whk_1'))).toBe('deployment');
  expect(ledger.refusal(backlog('whk_few', 'org_few'))).toBeNull();
  ledger.add(backlog('whk_few', 'org_few'));
  expect(ledger.refusal(backlog('whk_few', 'org_few'))).toBe('deployment');
  expect(ledger.refusal(retry('whk_1', 2))).toBeNull();
  ledger.count('backlogs', stored([[backlog('whk_1'), bytesMax]], bytesMax));
  expect(ledger.refusal(backlog('whk_few', 'org_few'))).toBe('deployment');
});

it('nothing is taken while the storage of the account is short', () => {
  const ledger = createQueueLedger();
  ledger.setStorageShort(true);
  expect(ledger.refusal(backlog('whk_1'))).toBe('deployment');
  ledger.setStorageShort(false);
  expect(ledger.refusal(backlog('whk_1'))).toBeNull();
});

it('a put during a count is not forgotten, and acknowledged messages leave with the next count', () => {
  const ledger = createQueueLedger();
  const nearly = stored([[backlog('whk_1'), queuedBytesPerSubscriptionMax - 128 * KIB]]);
  ledger.begin('backlogs');
  ledger.add(backlog('whk_1'));
  ledger.count('backlogs', nearly);
  expect(ledger.refusal(backlog('whk_1'))).toBe('subscription');
  expect(ledger.amounts().backlogs.bytes).toBe(queuedBytesPerSubscriptionMax);
  ledger.begin('backlogs');
  ledger.count('backlogs', nearly);
  expect(ledger.refusal(backlog('whk_1'))).toBeNull();
});

it('a retry queue is crowded by one subscription for this subscription alone', () => {
  const ledger = createQueueLedger();
  for (let n = 0; n < retriesAmongOthersMax; n++) ledger.add(retry('whk_1', 3));
  expect(ledger.isCrowded(3, 'whk_1')).toBe(true);
  expect(ledger.isCrowded(3, 'whk_2')).toBe(false);
  expect(ledger.isCrowded(4, 'whk_1')).toBe(false);
  // Two retries of half a MiB are as heavy.
  for (let n = 0; n < 2; n++) ledger.add(retry('whk_2', 3, 512));
  expect(ledger.isCrowded(3, 'whk_2')).toBe(true);
});

it('a subject is read as it was made, and a foreign subject is not', () => {
  for (const place of [backlog('whk_1'), retry('whk_1', 6)])
    expect(readQueueSubject(queueSubjectOf(place))).toEqual(place);
  const own = { ...backlog('whk_1'), name: ownRetriesName('whk_1', 6) };
  expect(readQueueSubject(queueSubjectOf(own))).toEqual(own);
  expect(readQueueSubject('deliveries.6.whk_1')).toBeNull();
  expect(readQueueSubject('backlog.whk_1')).toBeNull();
  expect(readQueueSubject('journal.0.gala')).toBeNull();
});

it('a size counts as the next power of two, with room for subject and headers', () => {
  expect([0, 700, 800, 1_700, 1_900, 131_072].map(kibOf)).toEqual([1, 1, 2, 2, 4, 256]);
});
