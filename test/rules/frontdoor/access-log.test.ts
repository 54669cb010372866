/** The access log: every refusal is remembered, a storm gets few lines, and a sample of successes is logged. */
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { report } from '../../../scripts/why/why-report.ts';
import { AccessLog } from '../../../services/frontdoor/src/access-log/access-log.ts';
import { RecentRefusals } from '../../../services/frontdoor/src/access-log/recent-refusals.ts';
import { answerOfRefusal } from '../../../services/frontdoor/src/answers/answer.ts';
import { ManualClock } from '../../support/manual-clock.ts';

type LogEntry = Record<string, unknown> & { msg: string };

let clock: ManualClock;
let lines: LogEntry[];
let accessLog: AccessLog;

beforeEach(() => {
  clock = new ManualClock();
  lines = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) });
  accessLog = new AccessLog(log, clock, { sampleEvery: 3, refusalLinesMax: 10 });
});

const key = { kind: 'secret', keyId: 'key_1', organisationId: 'org_1' };
const hold = (requestId: string, asker: object | null = key) =>
  ({
    requestId,
    method: 'POST',
    route: { path: '/v1/events/{key}/hold', credential: asker ? 'console' : 'none' },
    request: { params: ['gala'], asker },
    startedAt: clock.elapsed() - 12,
  }) as never;

const tooMany = answerOfRefusal(
  { code: 'rate_limited', message: 'Too many.', details: { budget: 'server-holds' } },
  'r',
);
const taken = answerOfRefusal(
  {
    code: 'conflict',
    reason: 'seat_taken',
    message: 'Taken.',
    details: { conflicts: [{ label: 'A-1' }, { label: 'A-2' }] },
  },
  'r',
);

test('a refusal is logged with who, what, when and why', () => {
  accessLog.note(hold('r1'), taken);
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'request refused',
      requestId: 'r1',
      organisation: 'org_1',
      caller: 'key_1',
      event: 'gala',
      route: '/v1/events/{key}/hold',
      status: 409,
      code: 'conflict',
      reason: 'seat_taken',
      labels: ['A-1', 'A-2'],
      ms: 12,
      process: accessLog.process,
    }),
  ]);
});

test('a storm of 13,000 refusals writes ten lines a second and one with the number of the others', () => {
  for (let i = 0; i < 13_000; i++) accessLog.note(hold(`storm-${i}`), tooMany);
  expect(lines).toHaveLength(10);
  clock.advance(1_000);
  expect(lines.slice(10)).toEqual([expect.objectContaining({ dropped: { rate_limited: 12_990 } })]);
  expect(accessLog.find('storm-12999').refusals).toMatchObject([{ code: 'rate_limited', budget: 'server-holds' }]);
});

test('failed logins have lines of their own beside a storm of the same code', () => {
  const unknown = answerOfRefusal({ code: 'unauthorized', message: 'Unknown.' }, 'r');
  for (let i = 0; i < 50; i++) accessLog.note(hold(`storm-${i}`), unknown);
  accessLog.note(hold('login', null), unknown);
  expect(lines.at(-1)).toMatchObject({ requestId: 'login', code: 'unauthorized' });
});

test('words that may quote the request stay out of the log', () => {
  accessLog.note(hold('r1'), answerOfRefusal({ code: 'invalid_request', message: '"jane@example.com" is wrong' }, 'r'));
  expect(JSON.stringify(lines)).not.toContain('jane');
  expect(accessLog.find('r1').refusals[0]!.message).toContain('jane');
});

test('one success of so many is logged', () => {
  for (let i = 1; i <= 7; i++) accessLog.note(hold(`ok-${i}`), { status: 200 });
  expect(lines.map(({ requestId }) => requestId)).toEqual(['ok-3', 'ok-6']);
});

test('a full memory forgets the oldest refusal, and tells from when on it has all', () => {
  const recent = new RecentRefusals(5, 3);
  const refusal = (at: number) => ({ at, requestId: `r${at}`, status: 409 }) as never;
  for (const at of [10, 11, 12]) recent.add(refusal(at));
  expect(recent.find('r10')).toHaveLength(1);
  recent.add(refusal(13));
  expect([recent.since, recent.find('r10'), recent.find('r13').length]).toEqual([11, [], 1]);
});

test('the answer to "why" is in plain words', () => {
  accessLog.note(hold('r1'), taken);
  const { process, since, refusals } = accessLog.find('r1');
  const found = {
    requestId: 'r1',
    refusals: refusals.map((each) => ({ ...each, process })),
    since: { [process]: since },
  };
  const text = report({ ...found, logs: [] });
  for (const words of [
    'key_1 of organisation org_1',
    'event gala',
    '409 conflict, reason seat_taken',
    'A-1, A-2',
    'Taken.',
  ]) {
    expect(text).toContain(words);
  }
  const nothing = report({ requestId: 'r2', refusals: [], since: { [process]: since }, logs: ['frontdoor.log'] });
  expect(nothing).toContain(`remembers every refusal since ${new Date(since).toISOString()}`);
  expect(nothing).toContain('frontdoor.log');
});
