/** Events that an heir prepares: each state is given away once, in bounded number and for a bounded time. */
import { expect, test } from 'vitest';
import { preparedEventsMax, preparedKeepMs } from '../../../services/inventory-shard/src/journal/bounds.ts';
import { PreparedEvents } from '../../../services/inventory-shard/src/journal/prepared-events.ts';
import type { LoadedEvent } from '../../../services/inventory-shard/src/journal/recovery.ts';
import { SharedParts } from '../../../services/inventory-shard/src/journal/shared-parts.ts';
import { noSalvage } from '../../support/journal/links.ts';
import { ManualClock } from '../../support/manual-clock.ts';

function heir() {
  const clock = new ManualClock();
  const loads: string[] = [];
  const prepared = new PreparedEvents(clock, () => ({
    async load(eventKey, from) {
      loads.push(from ? `${eventKey} from ${from.storedVersion}` : eventKey);
      if (eventKey === 'broken') throw new Error('no plan');
      return { storedVersion: 7 } as LoadedEvent;
    },
    prepared: () => [],
    anchorOf: async () => null,
    ...noSalvage,
    events: async () => [],
    changed: async () => [],
    sharedCommits: async () => [],
  }));
  return { clock, loads, prepared };
}

test('a prepared event is folded on once, an event that could not be prepared is loaded from the start', async () => {
  const { loads, prepared } = heir();
  await prepared.prepare(3, ['night', 'broken']);
  const loader = prepared.loader(3, new SharedParts());
  expect([...loader.prepared()]).toEqual(['night']);
  loads.length = 0;
  await loader.load('night');
  await loader.load('night');
  await loader.load('broken').catch(() => {});
  expect(loads).toEqual(['night from 7', 'night', 'broken']);
  expect([...prepared.loader(3, new SharedParts()).prepared()]).toEqual([]);
});

test('events that are prepared again are folded on, and take no further room', async () => {
  const { loads, prepared } = heir();
  const keys = Array.from({ length: preparedEventsMax }, (_, n) => `night-${n}`);
  await prepared.prepare(3, keys);
  loads.length = 0;
  await prepared.prepare(3, keys);
  expect(loads).toEqual(keys.map((key) => `${key} from 7`));
  expect([...prepared.loader(3, new SharedParts()).prepared()]).toEqual(keys);
});

test('a takeover does not share a state that is being folded on', async () => {
  const { loads, prepared } = heir();
  await prepared.prepare(3, ['night']);
  const again = prepared.prepare(3, ['night']);
  const loader = prepared.loader(3, new SharedParts());
  await again;
  expect([...loader.prepared(), ...prepared.loader(3, new SharedParts()).prepared()]).toEqual([]);
  await loader.load('night');
  expect(loads.at(-1)).toBe('night');
});

test('events that nobody takes are forgotten, and make room', async () => {
  const { clock, loads, prepared } = heir();
  const keys = Array.from({ length: preparedEventsMax + 1 }, (_, n) => `night-${n}`);
  await prepared.prepare(3, keys);
  await prepared.prepare(4, ['late']);
  expect(loads).toEqual(keys.slice(0, preparedEventsMax));
  clock.advance(preparedKeepMs);
  expect([...prepared.loader(3, new SharedParts()).prepared()]).toEqual([]);
  await prepared.prepare(4, ['late']);
  expect([...prepared.loader(4, new SharedParts()).prepared()]).toEqual(['late']);
});
