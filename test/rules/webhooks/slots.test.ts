import { describe, expect, it } from 'vitest';
import { createSlots, type SlotLimits } from '../../../services/notifier/src/deliveries/rules/slots.ts';

const limits: SlotLimits = {
  total: 4,
  perEndpoint: 2,
  perEndpointAtFirst: 1,
  failing: 4,
  waitMsMax: 75,
  waiting: 3,
  remembered: 10,
};
const delivered = { failed: false };
const failed = { failed: true };

/** The known endpoints have had successes and so have all their slots. */
function setUp(overrides: Partial<SlotLimits> = {}, known = ['a', 'b', 'c', 'f', 'well', 'hanging']) {
  const slots = createSlots({ ...limits, ...overrides });
  for (const endpoint of known) {
    const none = (): void => {};
    slots.tryAcquire(endpoint, none, none, 0);
    slots.free(endpoint, delivered);
  }
  const started: string[] = [];
  const away: string[] = [];
  const clock = { now: 0 };
  const ask = (endpoint: string) =>
    slots.tryAcquire(
      endpoint,
      () => started.push(endpoint),
      () => away.push(endpoint),
      clock.now,
    );
  const wait = (endpoint: string) =>
    slots.acquire(
      endpoint,
      () => started.push(`${endpoint} from its queue`),
      () => away.push(`${endpoint} from its queue`),
      clock.now,
    );
  return { slots, started, away, clock, ask, wait };
}

describe('slots of endpoints', () => {
  it('an endpoint starts attempts up to its slots, then lets callers wait, then refuses', () => {
    const { started, ask } = setUp();
    expect(['a', 'a', 'a', 'a', 'a', 'a'].map(ask)).toEqual([true, true, true, true, true, false]);
    expect(started).toEqual(['a', 'a']);
  });

  it('callers that wait are rejected before a caller that finds no room, which keeps their order', () => {
    const { away, ask } = setUp();
    const accepted = ['a', 'a', 'a', 'a', 'a'].map(ask);
    expect(accepted).toEqual([true, true, true, true, true]);
    expect(ask('a')).toBe(false);
    expect(away).toEqual(['a', 'a', 'a']);
  });

  it('an endpoint has one slot at first, and one more with each success', () => {
    const { slots, started, away, ask } = setUp({ perEndpoint: 3, waiting: 10 }, []);
    for (let i = 0; i < 8; i++) ask('new');
    for (const count of [1, 2, 3, 3]) {
      expect(slots.underWay()).toBe(count);
      slots.free('new', delivered);
    }
    expect([started.length, away]).toEqual([7, []]);
    slots.free('new', failed);
    expect(slots.underWay()).toBe(2);
    slots.free('new', failed);
    slots.free('new', failed);
    expect([ask('new'), ask('new'), slots.underWay()]).toEqual([true, false, 1]);
  });

  it('many unknown endpoints that hang leave most slots to others', () => {
    const { started, ask, wait } = setUp({}, ['well']);
    for (const endpoint of ['a', 'a', 'b', 'b']) wait(endpoint);
    expect([ask('well'), ask('well')]).toEqual([true, true]);
    expect(started.filter((endpoint) => endpoint === 'well')).toHaveLength(2);
  });

  it('other endpoints go on while one hangs', () => {
    const { slots, started, ask } = setUp();
    for (let i = 0; i < 5; i++) ask('hanging');
    for (let i = 0; i < 10; i++) {
      expect(ask('b')).toBe(true);
      slots.free('b', delivered);
    }
    expect(started.filter((endpoint) => endpoint === 'b')).toHaveLength(10);
  });

  it('attempts at all endpoints stay within the bound, and every freed slot is used', () => {
    const { slots, started, ask } = setUp();
    for (const endpoint of ['a', 'a', 'b', 'b', 'c', 'c', 'd']) ask(endpoint);
    expect(started).toEqual(['a', 'a', 'b', 'b']);
    slots.free('a', delivered);
    slots.free('a', delivered);
    expect(started.slice(4).sort()).toEqual(['c', 'd']);
    expect(slots.underWay()).toBe(4);
  });

  it('an impatient caller is rejected after its time, a patient caller waits on', () => {
    const { slots, started, away, clock, ask, wait } = setUp();
    for (let i = 0; i < 4; i++) ask('a');
    wait('a');
    clock.now = 74;
    slots.rejectLate(clock.now);
    expect(away).toEqual([]);
    clock.now = 75;
    slots.rejectLate(clock.now);
    expect(away).toEqual(['a', 'a']);
    slots.free('a', delivered);
    expect(started).toEqual(['a', 'a', 'a from its queue']);
    slots.rejectAll();
  });

  it('a failing endpoint has one slot and no impatient callers until an attempt succeeds, also after a rest', () => {
    const { slots, started, away, ask, wait } = setUp();
    for (let i = 0; i < 4; i++) ask('a');
    slots.free('a', failed);
    expect(away).toEqual(['a', 'a']);
    expect(ask('a')).toBe(false);
    slots.free('a', failed);
    expect(slots.underWay()).toBe(0);
    expect(ask('a')).toBe(true);
    expect(ask('a')).toBe(false);
    wait('a');
    wait('a');
    expect(started).toHaveLength(3);
    slots.free('a', delivered);
    expect(started.slice(3)).toEqual(['a from its queue', 'a from its queue']);
  });

  it('healthy endpoints keep slots however many fail, and each failing endpoint gets slots in turn', () => {
    const { slots, started, ask, wait } = setUp({ failing: 2 });
    const sick = ['a', 'b', 'c', 'd', 'e'];
    for (const endpoint of sick) {
      ask(endpoint);
      slots.free(endpoint, failed);
    }
    started.length = 0;
    for (const endpoint of sick) wait(endpoint);
    expect(started).toEqual(['a from its queue', 'b from its queue']);
    expect([ask('f'), ask('well'), ask('well')]).toEqual([true, true, true]);
    expect(started.slice(2)).toEqual(['f', 'well']);
    slots.free('f', failed);
    expect(started.slice(4)).toEqual(['well']);
    for (let round = 0; round < 10; round++) {
      const endpoint = started.filter((each) => each.endsWith('queue'))[round]!.charAt(0);
      slots.free(endpoint, failed);
      wait(endpoint);
    }
    const startsOf = (endpoint: string) => started.filter((each) => each === `${endpoint} from its queue`).length;
    for (const endpoint of sick) expect(startsOf(endpoint)).toBeGreaterThanOrEqual(2);
    expect(slots.underWay()).toBe(4);
  });

  it('attempts under way count for the share of failing endpoints while their endpoint fails', () => {
    const { slots, started, ask, wait } = setUp({ failing: 1 });
    ask('a');
    ask('a');
    slots.free('a', failed);
    ask('b');
    slots.free('b', failed);
    wait('b');
    expect(started).toEqual(['a', 'a', 'b']);
    slots.free('a', delivered);
    expect(started.slice(3)).toEqual(['b from its queue']);
  });

  it('endpoints at rest are forgotten past the bound', () => {
    const { slots, ask } = setUp({ remembered: 2 }, []);
    ask('a');
    slots.free('a', failed);
    for (const endpoint of ['b', 'c']) {
      ask(endpoint);
      slots.free(endpoint, delivered);
    }
    expect([ask('a'), ask('a')]).toEqual([true, true]);
    expect(slots.underWay()).toBe(1);
  });

  it('rejectAll rejects every waiting caller', () => {
    const { slots, away, ask, wait } = setUp();
    for (let i = 0; i < 3; i++) ask('a');
    wait('a');
    slots.rejectAll();
    expect(away).toEqual(['a', 'a from its queue']);
  });
});
