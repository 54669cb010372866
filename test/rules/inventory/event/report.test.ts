/** The report and its file, against a fold of the journal, at many points of many histories of all commands. */

import type { EventView, InventoryReport, UnitColumns } from '@parterre/shared/protocol/answers';
import type { Command } from '@parterre/shared/protocol/commands';
import { readGroup } from '@parterre/shared/protocol/journal/messages';
import { itemTermsOf } from '@parterre/shared/protocol/line-items';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  reportFileColumns,
  reportFileHead,
  reportLines,
} from '../../../../services/frontdoor/src/api/rules/report-file.ts';
import { finish } from '../../../../services/inventory-shard/src/rules/packed/steps.ts';
import {
  capture,
  packInSteps,
  planOf,
  readPlanOf,
  stateOf,
} from '../../../../services/inventory-shard/src/rules/reads/captured.ts';
import { answerRead, type LargeRead } from '../../../../services/inventory-shard/src/rules/reads/event-reads.ts';
import type { EventState } from '../../../../services/inventory-shard/src/rules/state/event-state.ts';
import { decide } from '../../../../services/inventory-shard/src/rules/turn/decide.ts';
import { readCsv } from '../../../support/csv.ts';
import { server } from '../../../support/inventory/house.ts';
import { inOrder, NaiveReport } from '../../../support/inventory/naive-report.ts';
import { Both, history } from '../../../support/model/history.ts';
import { charts } from '../../../support/model/reference/chart.ts';
import { Tally } from '../../../support/model/tally.ts';

const RUNS = 150;
/** The journal is checked after each such number of groups, and at its end. */
const EVERY = 8;

function told(state: EventState, command: Command): unknown {
  const decision = decide(state, command, server, state.at);
  if (!decision.ok) throw new Error(`refused: ${JSON.stringify(decision.refusal)}`);
  return decision.answer;
}

/** Without fields that only repeat the kind in another spelling, and with removed ticket releases by id. */
function reportOf(state: EventState): object {
  const { planHash: _, byAccessibility, byFee, ...report } = told(state, { type: 'report' }) as InventoryReport;
  const others = report.byRelease.splice(state.releases.length);
  report.byRelease.push(...others.sort((a, b) => (a.releaseId < b.releaseId ? -1 : 1)));
  return {
    ...report,
    ...(byFee && { byFee: inOrder(byFee) }),
    byAccessibility: byAccessibility.map(({ label: _, ...row }) => row),
  };
}

/** In two pieces, as a large event gives its units. */
function linesOf(state: EventState): Record<string, string>[] {
  const { plan } = state;
  const middle = plan.unitCount >> 1;
  const pieces = [
    told(state, { type: 'unit-columns', from: 0, most: middle }),
    told(state, { type: 'unit-columns', from: middle }),
  ] as UnitColumns[];
  const words = { terms: itemTermsOf({ locale: null }), holdAs: String, reservations: new Map<string, string>() };
  return readCsv(reportFileHead + pieces.map((piece) => reportLines(plan, piece, words)(plan.unitCount)).join(''));
}

/** Without fields that come from the chart alone, which another test covers. */
function withoutObject({
  objectId: _,
  objectType: __,
  sectionId: ___,
  sectionLabel: ____,
  ...line
}: Record<string, string>) {
  for (const column of wordColumns) delete line[column];
  return line;
}

const wordColumns = [
  ...reportFileColumns.slice(reportFileColumns.indexOf('floor'), reportFileColumns.indexOf('fees')),
  'reservation',
];

test(`${RUNS} histories: the report and every line of its file equal a fold of the journal`, {
  timeout: 120_000,
}, () => {
  const seen = { held: 0, booked: 0, releases: 0, moments: 0 };
  fc.assert(
    fc.property(history, (steps) => {
      const both = new Both('platform', new Tally());
      const { real } = both;
      const naive = new NaiveReport((hash) => charts[hash]!.plan);
      let folded = 0;
      const look = (): void => {
        for (; folded < real.journal.length; folded++) naive.fold(readGroup(real.journal[folded]!));
        const report = reportOf(real.state) as InventoryReport;
        expect(report).toEqual(naive.report());
        const { bookedValue } = told(real.state, { type: 'view' }) as EventView;
        expect(bookedValue).toBe(report.bySection.reduce((sum, section) => sum + section.bookedValue, 0));
        const lines = linesOf(real.state);
        expect(lines.map(withoutObject)).toEqual(naive.lines());
        seen.moments++;
        seen.held += report.byStatus.held;
        seen.booked += report.byStatus.booked;
        seen.releases += report.byRelease.filter(({ booked }) => booked > 0).length;
      };
      for (const step of steps) {
        step.run(both);
        if (real.journal.length >= folded + EVERY) look();
      }
      both.catchUp(true);
      look();
    }),
    { numRuns: RUNS },
  );
  // A history that sells nothing proves nothing.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(5);
});

const largeReads: LargeRead[] = [
  { type: 'view' },
  { type: 'report' },
  { type: 'unit-columns', from: 0 },
  { type: 'channels' },
  { type: 'channel-report' },
];

test('60 histories: a captured state answers large reads as its event did', { timeout: 120_000 }, () => {
  let held = 0;
  fc.assert(
    fc.property(history, (steps) => {
      const both = new Both('platform', new Tally());
      for (const step of steps) step.run(both);
      both.catchUp();
      const { state } = both.real;
      held += state.holds.active.size;
      // As a message to another thread: nothing of the event is shared.
      const captured = structuredClone(finish(packInSteps(capture(state))));
      const copy = stateOf(captured, planOf(structuredClone(readPlanOf(state.plan))));
      for (const read of largeReads) expect(answerRead(copy, read)).toEqual(answerRead(state, read));
    }),
    { numRuns: 60 },
  );
  expect(held).toBeGreaterThan(20);
});
