import { describe, expect, it } from 'vitest';
import { createTurns } from '../../services/notifier/src/rules/turns.ts';

const limits = { total: 4, perEndpoint: 2, perFailingEndpoint: 1, waiting: 3, waitingFailing: 1 };

function setUp(overrides: Partial<typeof limits> = {}) {
  const turns = createTurns({ ...limits, ...overrides });
  const started: string[] = [];
  const ask = (endpoint: string) => turns.ask(endpoint, () => started.push(endpoint));
  return { turns, started, ask };
}

describe('turns of endpoints', () => {
  it('starts at once up to the bound of the endpoint, then lets wait, then refuses', () => {
    const { started, ask } = setUp();
    expect(['a', 'a', 'a', 'a', 'a', 'a'].map(ask)).toEqual([true, true, true, true, true, false]);
    expect(started).toEqual(['a', 'a']);
  });

  it('lets other endpoints go on while one hangs', () => {
    const { turns, started, ask } = setUp();
    for (let i = 0; i < 5; i++) ask('hanging');
    for (let i = 0; i < 10; i++) {
      expect(ask('b')).toBe(true);
      turns.done('b', false);
    }
    expect(started.filter((endpoint) => endpoint === 'b')).toHaveLength(10);
  });

  it('never posts more than the bound over all endpoints and uses every place that comes free', () => {
    const { turns, started, ask } = setUp();
    for (const endpoint of ['a', 'a', 'b', 'b', 'c', 'c', 'd']) ask(endpoint);
    expect(started).toEqual(['a', 'a', 'b', 'b']);
    turns.done('a', false);
    turns.done('a', false);
    expect(started.slice(4).sort()).toEqual(['c', 'd']);
    expect(turns.posting()).toBe(4);
  });

  it('gives a failing endpoint one place and little room until a post succeeds', () => {
    const { turns, started, ask } = setUp();
    for (let i = 0; i < 4; i++) ask('a');
    turns.done('a', true);
    expect(started).toHaveLength(2);
    expect(ask('a')).toBe(false);
    turns.done('a', true);
    expect(started).toHaveLength(3);
    expect(turns.posting()).toBe(1);
    turns.done('a', false);
    expect(started).toHaveLength(4);
    expect(ask('a')).toBe(true);
    expect(started).toHaveLength(5);
  });
});
