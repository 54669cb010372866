/** Loads of a partition wait for the index of its shared parts, while other partitions load. */
import { createLog } from '@parterre/shared/runtime/log';
import { expect, test } from 'vitest';
import { SharedParts } from '../../../services/inventory-shard/src/journal/shared-parts.ts';
import { ActorPool, type PoolPorts } from '../../../services/inventory-shard/src/partition/actor-pool.ts';
import { EventMemory } from '../../../services/inventory-shard/src/partition/event-memory.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { settled } from '../../support/partition/on-fakes.ts';

test('Loads that wait for the index hold no turn, and begin when it is known', async () => {
  const clock = new ManualClock();
  const log = createLog('test', 'silent');
  const memory = new EventMemory({ clock, log, bytesMax: 2 ** 30 });
  const shared = new SharedParts();
  const loads: string[] = [];
  const load = async (eventKey: string) => {
    loads.push(eventKey);
    return null;
  };
  const ports: Pick<PoolPorts, 'clock' | 'log' | 'memory' | 'shared'> = { clock, log, memory, shared };
  const pool = new ActorPool({ ...ports, loader: { load } } as unknown as PoolPorts, () => {});
  for (let n = 0; n < 100; n++) pool.get(`night-${n}`);
  await settled();
  const other = await memory.asked(async () => 'a load of another partition');
  expect([other, loads]).toEqual(['a load of another partition', []]);
  shared.open(0, 0);
  shared.fill([]);
  await settled();
  await settled();
  expect(loads.length).toBe(100);
});
