/** A load folds a change of chart in slices: the turns of the loop in between belong to other work. */

import type { JournalRecord } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { createEventLoader } from '../../../services/inventory-shard/src/journal/recovery.ts';
import { eventConfig, movedPlan, planNamed, smallPlan } from '../../support/inventory/house.ts';
import { commitMessage } from '../../support/journal/stored-messages.ts';

const by = { source: 'server', actor: null } as const;
const holds = 1_000;

function salesOf(): JournalRecord[] {
  const records: JournalRecord[] = [{ type: 'created', config: eventConfig(), by }];
  for (let n = 0; n < holds; n++) {
    const holdId = `h${n}`;
    const lines = [{ unit: 0, price: 10 }];
    records.push({ type: 'held', holdId, expiresAt: 60_000, accessSource: 'public', lines, by });
    records.push({ type: 'released', callId: `c${n}`, holdId, units: [0], by });
  }
  return records;
}

const updated: JournalRecord = {
  type: 'chart-updated',
  callId: 'u1',
  from: 'small-plan',
  planHash: 'moved-plan',
  chartVersion: 2,
  seatTotal: movedPlan.unitCount,
  reason: null,
  by,
};

test('a change of chart is folded in several slices, with the state of the fold at once', async () => {
  const groups = [
    { eventKey: 'gala', from: 0, at: 1, plan: smallPlan.hash, records: salesOf() },
    { eventKey: 'gala', from: 1, at: 2, plan: movedPlan.hash, records: [updated] },
  ];
  const messages = groups.map((group, i) => commitMessage(i + 1, [group]));
  const reader = {
    async *read() {
      yield messages;
    },
  };
  const manager = { streams: { getMessage: async () => ({ seq: messages.length }) } };
  const snapshots = { store: async () => true, load: async () => null, head: async () => null };
  let slices = 0;
  let isOver = false;
  // Every other question finds the turn over.
  const turn = {
    isOver: () => {
      isOver = !isOver;
      return isOver;
    },
    goOn: (run: () => void) => {
      slices++;
      setImmediate(run);
    },
  };
  const plans = async (hash: string) => planNamed(hash);
  const loader = createEventLoader(reader as never, manager as never, snapshots, plans, 0, turn);
  const loaded = await loader.load('gala');
  expect(loaded!.state).toMatchObject({ plan: { hash: 'moved-plan' }, version: 2, groups: 2 });
  expect(loaded!.state.holds.ended.size).toBe(holds);
  expect(loaded!.state.holds.ended.get('h999')).toMatchObject({ status: 'released', lines: [{ price: 10 }] });
  // Without slices there is at most one for each group.
  expect(slices).toBeGreaterThan(2 * groups.length);
});
