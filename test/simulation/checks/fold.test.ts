/** The fold of the check: the states at positions between groups, made of snapshots, are the states of the fold. */
import type { Command } from '@parterre/shared/protocol/commands';
import type { EventGroup, JournalRecord } from '@parterre/shared/protocol/records';
import { expect, test } from 'vitest';
import { decide } from '../../../services/inventory-shard/src/rules/turn/decide.ts';
import { book, eventConfig, hold, START, server } from '../../support/inventory/house.ts';
import { firstChart } from '../../support/model/reference/chart.ts';
import { bytesOf, Fold } from './fold.ts';

const by = { source: 'timer', actor: null } as const;
const config = eventConfig({ planHash: firstChart.hash });

function groupOf(n: number, records: JournalRecord[]): EventGroup {
  return { from: n - 1, at: START, plan: firstChart.hash, records };
}

function recordsOf(fold: Fold, command: Command): JournalRecord[] {
  const decision = decide(fold.latest!, command, server, START);
  if (!decision.ok) throw new Error(decision.refusal.message);
  return decision.records;
}

/** A group of a hold and a booking at sequence 20, behind the group that creates the event at sequence 10. */
function twoGroups(): Fold {
  const fold = new Fold();
  fold.begin(config, START);
  const created = groupOf(1, [{ type: 'created', config, by }]);
  fold.take(created, 0, 1);
  fold.close(created, 10);
  const sale = groupOf(2, []);
  for (const command of [hold('h1', 'A-1', 'A-2'), book('h1', 'order')]) {
    const records = recordsOf(fold, command);
    sale.records.push(...records);
    fold.take(sale, sale.records.length - records.length, records.length);
  }
  fold.close(sale, 20);
  return fold;
}

test('the state at a position has the records before it and none behind it', () => {
  const fold = twoGroups();
  const counts = [1, 2, fold.end].map((position) => fold.stateAt(position)!.counts);
  const [free] = counts[0]!;
  expect(counts).toEqual([
    [free, 0, 0, 0],
    [free - 2, 2, 0, 0],
    [free - 2, 0, 2, 0],
  ]);
  expect(fold.stateAt(2)!.version).toBe(10);
});

test('the bytes of a version are the snapshot of the state at the end of its group', () => {
  const fold = twoGroups();
  expect([...fold.bytesAt(10)!]).toEqual([...bytesOf(fold.stateAt(1)!)]);
  expect([...fold.bytesAt(20)!]).toEqual([...bytesOf(fold.latest!)]);
  expect(fold.bytesAt(15)).toBeNull();
});
