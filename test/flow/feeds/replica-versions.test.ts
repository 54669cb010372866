/** A replica and the version that an answer of its actor has told. */
import { describe, expect, it } from 'vitest';
import { change, settled, setUp } from '../../support/replica.ts';

describe('the version of an answer that overtook its announcement', () => {
  it('is awaited, and met by the announcement', async () => {
    const { start, replica, latest } = setUp();
    await start();
    replica.expect(10);
    expect(replica.isBehind()).toBe(false);
    replica.expect(11);
    expect(replica.isBehind()).toBe(true);
    let readers = 0;
    for (let reader = 0; reader < 2; reader++) void replica.reachExpected().then(() => readers++);
    await settled();
    expect(readers).toBe(0);
    replica.onChange(change(10, 11, [0, 1]));
    await settled();
    expect([readers, replica.isBehind(), latest.asked]).toEqual([2, false, 0]);
  });

  it('is asked for after 50 ms if the announcement is lost', async () => {
    const { start, replica, latest, views, view, clock } = setUp();
    await start();
    replica.expect(12);
    const reached = replica.reachExpected();
    latest.version = 12;
    clock.advance(50);
    await settled();
    views.shift()!(view(12, 1, 0, 0, 0));
    await reached;
    expect(replica.version).toBe(12);
  });

  it('holds no reader up for longer if the view fails', async () => {
    const { start, replica, latest, clock } = setUp();
    await start();
    replica.expect(12);
    latest.isKnown = false;
    const reached = replica.reachExpected();
    clock.advance(50);
    await reached;
    expect(replica.version).toBe(10);
  });
});
