/** An event stays small: the bounds are a fifth above the measurements of bench/shard/memory.ts. */
import { expect, test } from 'vitest';
import { measureEvent } from '../../../../bench/shard/event-bytes.ts';

test('a large event takes few bytes for each seat, free and sold out, and the shard estimates them well', {
  timeout: 120_000,
}, () => {
  const { free, asked, assigned, bookedDirectly, heldThenBooked, assignedThenBooked } = measureEvent();
  expect(free.both).toBeLessThan(52);
  expect(asked.both).toBeLessThan(64);
  expect(assigned.both).toBeLessThan(55);
  expect(bookedDirectly.both).toBeLessThan(80);
  expect(heldThenBooked.both).toBeLessThan(155);
  expect(assignedThenBooked.both).toBeLessThan(200);
  for (const { both, estimated } of [free, asked, assigned, bookedDirectly, heldThenBooked, assignedThenBooked]) {
    expect(estimated / both).toBeGreaterThan(0.8);
    expect(estimated / both).toBeLessThan(1.25);
  }
});
