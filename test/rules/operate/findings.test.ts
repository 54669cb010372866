import { describe, expect, test } from 'vitest';
import { type DoctorFacts, exitCode, findings } from '../../../scripts/doctor/rules/findings.ts';
import { deployed, member, now, stream, streamsWith } from './deployed.ts';

const day = 86_400_000;
const probe: NonNullable<DoctorFacts['probe']> = {
  url: 'https://tickets.example',
  isDirect: false,
  problem: null,
  ready: { status: 200, checks: { nats: 'ok' }, haltedEvents: 0 },
  caller: {
    address: '198.51.100.7',
    seen: 'caller',
    isForged: false,
    publicUrl: 'https://tickets.example',
    keepsRequestId: true,
  },
  upgrade: 'passes',
  largeBody: { bytes: 16_000_000, refusedWith: null },
};
const gala: DoctorFacts['events'][number] = {
  key: 'gala',
  organisation: 'org_1',
  mode: 'live',
  status: 'active',
  salesPaused: false,
  isLoaded: true,
  salesStartAt: now + 3_600_000,
  salesEndAt: null,
  left: 100,
  credits: 1_000,
};
const shopKey: DoctorFacts['keys'][number] = { id: 'key_1', organisation: 'org_1', kind: 'secret', mode: 'live' };
const hook: DoctorFacts['webhooks'][number] = {
  id: 'whk_1',
  organisation: 'org_1',
  paused: null,
  lastStatus: 200,
  waiting: { count: 0, oldestAt: null },
};

/** Everything is looked at, and good. */
const whole: DoctorFacts = {
  deployed: deployed(),
  version: '1.0.0',
  trouble: [],
  durability: [{ version: '2.14.3', problems: [], isRefused: false }],
  payloadMin: 9_000_000,
  payloadRoomy: 17_000_000,
  syncs: [{ server: 'nats-1', sync: 'always' }],
  certificates: [{ of: 'NATS', expiresAt: now + 90 * day, problem: null }],
  probe,
  expected: { holdsAMinute: 500, buyers: 1_000 },
  events: [gala],
  cold: null,
  keys: [shopKey],
  webhooks: [hook],
};
const caller = probe.caller!;

test('A deployment in good order has good findings alone, and the code 0', () => {
  const found = findings(whole);
  expect(found.filter(({ severity }) => severity !== 'good')).toEqual([]);
  expect(found.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['versions', 'NATS sync', 'copies', 'clocks', 'certificates', 'public address', 'budgets']),
  );
  expect(exitCode(found)).toBe(0);
});

test('The keys of the other mode do not count for a named event', () => {
  const keys = [shopKey, { ...shopKey, id: 'key_2', mode: 'test' }];
  const found = findings({ ...whole, events: [{ ...gala, mode: 'test' }], keys });
  expect(found.filter(({ check }) => check === 'budgets').map(({ finding }) => finding)).toEqual([
    'The key key_2 has 600 holds a minute.',
  ]);
});

const noMembers = { ...deployed(), members: [] };

describe('a finding', () => {
  test.each<[string, Partial<DoctorFacts>, string, string]>([
    ['trouble', { trouble: [{ trouble: 'It is broken.', todo: 'Mend it.' }] }, 'bad', 'It is broken.'],
    ['no versions', { deployed: noMembers }, 'unknown', 'No member tells'],
    [
      'mixed versions',
      { deployed: deployed({ members: [member('catalog'), member('notifier', { version: '0.9.0' })] }) },
      'warning',
      '0.9.0 and 1.0.0 side by side',
    ],
    ['another command', { version: '2.0.0' }, 'warning', 'this command is 2.0.0'],
    [
      'an old NATS',
      { durability: [{ version: '2.9.0', problems: ['NATS 2.9.0 loses.'], isRefused: true }] },
      'bad',
      'NATS 2.9.0 loses.',
    ],
    ['an untold sync', { syncs: [null] }, 'unknown', 'how often NATS writes'],
    ['a lazy sync', { syncs: [{ server: 'nats-2', sync: '2m' }] }, 'bad', 'nats-2 syncs every 2m'],
    ['small messages', { payloadRoomy: 18_000_000 }, 'warning', 'messages of 17000000 bytes'],
    ['too small messages', { payloadMin: 18_000_000 }, 'bad', 'the services do not start'],
    [
      'a bucket with one copy',
      { deployed: deployed({ streams: streamsWith(stream('KV_CLUSTER', { copiesWanted: 1 })) }) },
      'bad',
      'KV_CLUSTER keeps 1 of 3 copies.',
    ],
    [
      'a stream in memory',
      { deployed: deployed({ streams: streamsWith(stream('JOURNAL-0', { isOnDisk: false })) }) },
      'bad',
      'in memory alone',
    ],
    [
      'one copy of everything',
      { deployed: deployed({ streams: [stream('JOURNAL-0', { copiesWanted: 1, copies: [] })] }) },
      'warning',
      'kept once',
    ],
    ['no time of NATS', { deployed: deployed({ natsAheadMs: null }) }, 'unknown', 'does not tell its time'],
    [
      'a slow clock',
      { deployed: deployed({ members: [member('catalog', { aheadMs: -3_000 })] }) },
      'bad',
      'catalog host/7 and that of NATS are 3.0 s apart',
    ],
    ['a clock that is a little off', { deployed: deployed({ natsAheadMs: 700 }) }, 'warning', '0.7 s apart'],
    [
      'a certificate that ends soon',
      { certificates: [{ of: 'MongoDB', expiresAt: now + 20 * day, problem: null }] },
      'warning',
      'of MongoDB ends on 2026-06-21, in 20 days',
    ],
    ['an ended one', { certificates: [{ of: 'NATS', expiresAt: now - day, problem: null }] }, 'bad', 'in the past'],
    [
      'one that was not seen',
      { certificates: [{ of: 'NATS', expiresAt: null, problem: 'no' }] },
      'unknown',
      'NATS: no.',
    ],
    [
      'one that nobody believes',
      { certificates: [{ of: 'NATS', expiresAt: now + 90 * day, problem: 'not believed' }] },
      'bad',
      'NATS: not believed.',
    ],
    [
      'a disk that fills',
      { deployed: deployed({ members: [member('catalog', { disk: { usedShare: 0.85, bytesFree: 1 } })] }) },
      'warning',
      '85 % full',
    ],
    [
      'no disk',
      { deployed: deployed({ members: [member('notifier')], account: { bytes: 1, bytesMax: -1 } }) },
      'unknown',
      'No member measures',
    ],
    [
      'few files',
      { deployed: deployed({ members: [member('frontdoor', { filesMax: 1_024 })] }) },
      'bad',
      'may open 1024 files, and needs 4096',
    ],
    ['files for the buyers', { expected: { holdsAMinute: null, buyers: 50_000 } }, 'bad', 'needs 100000'],
    ['no limit of files', { deployed: deployed({ members: [withoutFiles()] }) }, 'unknown', 'does not tell its limit'],
    ['no address', { probe: null }, 'unknown', 'was not looked at'],
    ['a dead address', { probe: { ...probe, ready: null, problem: 'ENOTFOUND' } }, 'bad', 'does not answer: ENOTFOUND'],
    ['an unready one', { probe: { ...probe, ready: { ...probe.ready!, status: 503 } } }, 'bad', 'is not ready'],
    ['no sockets', { probe: { ...probe, upgrade: 'stripped' } }, 'bad', 'lets no WebSocket through'],
    ['silent sockets', { probe: { ...probe, upgrade: null } }, 'unknown', 'did not answer a WebSocket'],
    [
      'small bodies',
      { probe: { ...probe, largeBody: { bytes: 16_000_000, refusedWith: 413 } } },
      'warning',
      'with 413',
    ],
    ['an untold caller', { probe: { ...probe, caller: null } }, 'unknown', 'how it sees a caller'],
    ['no trust', { probe: { ...probe, caller: { ...caller, seen: 'connection' } } }, 'bad', 'No proxy is trusted'],
    ['a proxy without names', { probe: { ...probe, caller: { ...caller, seen: 'proxy' } } }, 'bad', 'names no caller'],
    [
      'a forged name',
      { probe: { ...probe, caller: { ...caller, isForged: true } } },
      'bad',
      'that a buyer has invented',
    ],
    [
      'a lost scheme',
      { probe: { ...probe, caller: { ...caller, publicUrl: 'http://tickets.example' } } },
      'warning',
      'for http://tickets.example',
    ],
    [
      'a lost request id',
      { probe: { ...probe, caller: { ...caller, keepsRequestId: false } } },
      'warning',
      'drops X-Request-Id',
    ],
    ['a small budget', { expected: { holdsAMinute: 5_000, buyers: null } }, 'bad', 'has 600 holds a minute, and 5000'],
    ['a small budget of its own', { keys: [{ ...shopKey, holds: 100 }] }, 'bad', 'has 100 holds a minute'],
    ['no key', { keys: [{ ...shopKey, mode: 'test' }] }, 'warning', 'No secret key for live events'],
    [
      'a small budget of the key that sells the named test event',
      {
        events: [{ ...gala, mode: 'test' }],
        keys: [shopKey, { ...shopKey, id: 'key_2', mode: 'test', holds: 100 }],
      },
      'bad',
      'The key key_2 has 100 holds a minute',
    ],
    [
      'no budgets',
      { deployed: deployed({ members: [member('frontdoor', { budgets: 'off' })] }) },
      'warning',
      'No request budget',
    ],
    ['a cold event', { events: [{ ...gala, isLoaded: false }] }, 'bad', 'gala is not loaded.'],
    ['an untold one', { events: [{ ...gala, isLoaded: null }] }, 'unknown', 'whether gala is loaded'],
    ['cold events', { events: [], cold: { events: 3, cold: ['a', 'b'] } }, 'warning', '2 of 3 live events'],
    ['a closed event', { events: [{ ...gala, status: 'closed' }] }, 'bad', 'gala is closed.'],
    ['a paused one', { events: [{ ...gala, salesPaused: true }] }, 'bad', 'are paused'],
    ['a test event', { events: [{ ...gala, mode: 'test' }] }, 'warning', 'in test mode'],
    ['few credits', { events: [{ ...gala, credits: 40 }] }, 'warning', 'has 40 credits, and gala has 100 places left'],
    ['no begin', { events: [{ ...gala, salesStartAt: null }] }, 'warning', 'is open now'],
    ['a past begin', { events: [{ ...gala, salesStartAt: now - 1 }] }, 'warning', 'has begun'],
    ['a past end', { events: [{ ...gala, salesEndAt: now - 1 }] }, 'bad', 'has ended'],
    ['a begin that was not seen', { events: [withoutTimes()] }, 'unknown', 'was not looked at'],
    ['a failing webhook', { webhooks: [{ ...hook, paused: 'failing' }] }, 'bad', 'whk_1 is paused: failing.'],
    ['a paused webhook', { webhooks: [{ ...hook, paused: 'operator' }] }, 'warning', 'is paused: operator'],
    ['a refusing receiver', { webhooks: [{ ...hook, lastStatus: 500 }] }, 'warning', 'was 500'],
    [
      'waiting deliveries',
      { webhooks: [{ ...hook, waiting: { count: 9, oldestAt: now - 120_000 } }] },
      'bad',
      '9 deliveries wait for whk_1',
    ],
    ['no notifier', { webhooks: [{ ...hook, waiting: null }] }, 'unknown', 'what waits for whk_1'],
  ])('%s', (_name, facts, severity, words) => {
    const found = findings({ ...whole, ...facts });
    const told = found.find(({ finding }) => finding.includes(words));
    expect(told, JSON.stringify(found)).toMatchObject({ severity });
    expect(told!.todo).toMatch(/^[A-Z].*[.…]$/);
    expect(exitCode([told!])).toBe(severity === 'bad' ? 1 : severity === 'unknown' ? 2 : 0);
  });
});

test('A direct address needs no trusted proxy', () => {
  const direct = { ...probe, url: 'http://localhost:8080', isDirect: true };
  const seen = { ...caller, seen: 'connection', publicUrl: 'http://localhost:8080' };
  expect(findings({ ...whole, probe: { ...direct, caller: seen } }).every(({ severity }) => severity === 'good')).toBe(
    true,
  );
});

function withoutFiles() {
  const { filesMax: _, ...rest } = member('catalog');
  return rest;
}

function withoutTimes() {
  const { salesStartAt: _, salesEndAt: __, ...rest } = gala;
  return rest;
}
