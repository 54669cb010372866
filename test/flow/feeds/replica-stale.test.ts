/** The replica of a halted event (I9): its last known state stays readable, and says so. */
import type { EventView } from '@parterre/shared/protocol/answers';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { describe, expect, it } from 'vitest';
import { publicAudience } from '../../../services/frontdoor/src/pictures/rules/audience.ts';
import { change, label, lostRecords, settled, setUp } from '../../support/replica.ts';

const objectsIn = ({ replica }: ReturnType<typeof setUp>) =>
  JSON.parse(replica.objects(publicAudience, true).body) as { stale?: boolean; snapshotVersion: number };

function stale(view: Outcome<EventView>): Outcome<EventView> {
  return view.ok ? done({ ...view.value, stale: true }) : view;
}

describe('the replica of a halted event', () => {
  it('keeps its state, tells viewers with a snapshot, and gives no viewer a delta', async () => {
    const one = setUp();
    await one.start();
    one.replica.onChange(change(10, 11, [0, 1]));
    one.clock.advance(50);
    one.published.length = 0;
    expect(objectsIn(one)).not.toHaveProperty('stale');
    one.latest.isHalted = true;
    await one.replica.check();
    one.clock.advance(50);
    expect(one.published).toMatchObject([{ type: 'snapshot', snapshotVersion: 11, seats: { [label(0)]: 'held' } }]);
    expect(one.published[0]!.stale).toBe(true);
    expect(one.first(11)).toMatchObject({ type: 'snapshot', stale: true });
    expect(objectsIn(one)).toMatchObject({ stale: true, snapshotVersion: 11 });
  });

  it('answers readers that ask for the view again', async () => {
    const one = setUp();
    await one.start();
    const again = one.replica.catchUp();
    one.views.shift()!(lostRecords);
    expect(await again).toMatchObject({ ok: true });
    expect(objectsIn(one).stale).toBe(true);
  });

  it('begins with the snapshot of the owner, and fails without one', async () => {
    const one = setUp();
    const ready = one.replica.catchUp();
    one.views.shift()!(stale(one.view(10, 0, 0, 0, 0)));
    expect(await ready).toMatchObject({ ok: true });
    expect(objectsIn(one)).toMatchObject({ stale: true, snapshotVersion: 10 });
    const two = setUp();
    const failed = two.replica.catchUp();
    two.views.shift()!(lostRecords);
    expect(await failed).toMatchObject(lostRecords);
  });

  it('takes no older state, and loses the mark once the event is whole again', async () => {
    const one = setUp();
    await one.start();
    const older = one.replica.catchUp();
    one.views.shift()!(stale(one.view(7, 1, 1, 1, 1)));
    await older;
    expect(objectsIn(one)).toMatchObject({ stale: true, snapshotVersion: 10, default: 'free' });
    one.clock.advance(50);
    one.published.length = 0;
    const checked = one.replica.check();
    await settled();
    one.views.shift()!(one.view(10, 0, 0, 0, 0));
    await checked;
    one.clock.advance(50);
    expect(one.published).toMatchObject([{ type: 'snapshot', snapshotVersion: 10 }]);
    expect(one.published[0]).not.toHaveProperty('stale');
    expect(objectsIn(one)).not.toHaveProperty('stale');
  });
});
