/** The order of password work beside floods of logins. Each job takes half a second of the test's clock. */
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { expect, test } from 'vitest';
import { createPasswordLimiter, type PasswordTurn } from '../../../services/catalog/src/accounts/password-limiter.ts';
import { passwordsAtOnceMax, passwordsWaitingMax } from '../../../services/catalog/src/store/rules/bounds.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const JOB_MS = 500;
const PATIENCE_MS = 10_000;

/** Two places at work, and the jobs that began, by name and with the patience that was left to their callers. */
function passwordWork() {
  const clock = new ManualClock();
  const inTurn = createPasswordLimiter(clock);
  const begun: { name: string; leftMs: number }[] = [];
  const ends: (() => void)[] = [];
  const ask = (name: string, { party = name, isProven = false }: Partial<PasswordTurn> = {}) => {
    const deadlineAt = clock.elapsed() + PATIENCE_MS;
    return inTurn({ party, isProven, deadlineAt }, async (): Promise<Outcome<string>> => {
      begun.push({ name, leftMs: deadlineAt - clock.elapsed() });
      await new Promise<void>((resolve) => ends.push(resolve));
      return done(name);
    });
  };
  /** The jobs under way end, and the next ones begin. */
  const endJobs = async () => {
    clock.pass(JOB_MS);
    for (const end of ends.splice(0)) end();
    await settled();
  };
  return { clock, ask, begun, endJobs, names: () => begun.map(({ name }) => name) };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
const codeOf = (outcome: Outcome<string>) => (outcome.ok ? outcome.value : outcome.refusal.code);

/** Connections that send another login as soon as one is answered. */
function flood({ ask }: ReturnType<typeof passwordWork>, connections: number, networks: number) {
  const open = { stopped: false };
  for (let i = 0; i < connections; i++) {
    const again = async () => {
      while (!open.stopped) {
        await ask(`flood ${i}`, { party: `network ${i % networks}` });
        await settled();
      }
    };
    void again();
  }
  return () => {
    open.stopped = true;
  };
}

test.each([
  [30, 3],
  [100, 10],
])(
  'beside a flood of %i connections from %i networks a login is among the next jobs',
  async (connections, networks) => {
    const work = passwordWork();
    const stop = flood(work, connections, networks);
    for (let second = 0; second < 30; second++) await work.endJobs();
    for (const person of ['ada', 'bea', 'cyd']) {
      const before = work.begun.length;
      const answered = work.ask(person);
      while (!work.names().includes(person)) await work.endJobs();
      expect(work.begun.length - before).toBeLessThanOrEqual(passwordsAtOnceMax);
      await work.endJobs();
      expect(codeOf(await answered)).toBe(person);
    }
    expect(work.begun.filter(({ leftMs }) => leftMs <= 0)).toEqual([]);
    stop();
  },
);

test('no job begins for a caller whose deadline has passed, and the caller is refused', async () => {
  const work = passwordWork();
  const asked = Array.from({ length: 20 }, (_, i) => work.ask(`early ${i}`, { party: `network ${i}` }));
  await settled();
  work.clock.pass(PATIENCE_MS);
  const late = work.ask('late');
  await work.endJobs();
  await work.endJobs();
  expect(work.names().slice(passwordsAtOnceMax)).toEqual(['late']);
  expect(codeOf(await late)).toBe('late');
  const codes = (await Promise.all(asked)).map(codeOf);
  expect(codes.filter((code) => code === 'overloaded')).toHaveLength(asked.length - passwordsAtOnceMax);
});

test('a party that was served waits for the parties that were not, and the newest login goes first', async () => {
  const work = passwordWork();
  for (const name of ['a 1', 'a 2', 'a 3', 'a 4']) void work.ask(name, { party: 'a' });
  for (const name of ['b 1', 'b 2', 'c 1']) void work.ask(name, { party: name[0]! });
  for (let i = 0; i < 4; i++) await work.endJobs();
  expect(work.names()).toEqual(['a 1', 'a 2', 'c 1', 'b 2', 'a 4', 'b 1', 'a 3']);
});

test('an office signs in at once, and nobody has to try again', async () => {
  const work = passwordWork();
  const people = Array.from({ length: 20 }, (_, i) => work.ask(`person ${i}`, { party: 'office' }));
  for (let i = 0; i < people.length; i++) await work.endJobs();
  expect((await Promise.all(people)).every(({ ok }) => ok)).toBe(true);
});

test('a person is served next beside a flooding neighbour of the same address', async () => {
  const work = passwordWork();
  const stop = flood(work, 30, 1);
  for (let i = 0; i < 5; i++) await work.endJobs();
  const before = work.begun.length;
  void work.ask('ada', { party: 'network 0' });
  await work.endJobs();
  expect(work.names().slice(before)).toContain('ada');
  stop();
});

test('a flood from ever new networks leaves one place to proven callers', async () => {
  const work = passwordWork();
  let strangers = 0;
  const more = () => {
    for (let i = 0; i < passwordsWaitingMax; i++) void work.ask(`stranger ${++strangers}`);
  };
  more();
  await settled();
  void work.ask('ada', { isProven: true });
  void work.ask('bea', { isProven: true });
  const before = work.begun.length;
  more();
  await work.endJobs();
  more();
  await work.endJobs();
  const next = work.names().slice(before);
  expect(next).toHaveLength(2 * passwordsAtOnceMax);
  expect(next.filter((name) => !name.startsWith('stranger')).sort()).toEqual(['ada', 'bea']);
});

test('a full queue drops the oldest login of its largest party', async () => {
  const work = passwordWork();
  const single = work.ask('single');
  const many = Array.from({ length: passwordsWaitingMax + passwordsAtOnceMax }, (_, i) =>
    work.ask(`many ${i}`, { party: 'many' }),
  );
  const dropped = await Promise.race([single, ...many]);
  expect(codeOf(dropped)).toBe('overloaded');
  for (let i = 0; i < passwordsWaitingMax; i++) await work.endJobs();
  expect(codeOf(await single)).toBe('single');
  expect(codeOf(await many[1]!)).toBe('overloaded');
});

test('a job that throws frees its place', async () => {
  const inTurn = createPasswordLimiter(new ManualClock());
  const turn = { party: 'a', isProven: false };
  for (let i = 0; i < 2 * passwordsAtOnceMax; i++) {
    await expect(inTurn(turn, () => Promise.reject(new Error('the store is away')))).rejects.toThrow('away');
  }
});
