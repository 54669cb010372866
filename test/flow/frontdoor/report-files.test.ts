/** `GET …/report.csv` over ports that the test owns: whose turn it is, its turns of the loop, and its bytes. */

import { compilePlan } from '@parterre/shared/charts/compile';
import { placeTextsIn } from '@parterre/shared/charts/place-names';
import { done } from '@parterre/shared/protocol/errors';
import { reportFileDeadlineMs, reportFilesAtOnce, reportLinesPerTurn } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { createLargeLimiter } from '../../../services/frontdoor/src/admission/large-bodies.ts';
import { reportsRoutes } from '../../../services/frontdoor/src/api/reports.ts';
import { reportFileHead, reportLines } from '../../../services/frontdoor/src/api/rules/report-file.ts';
import { chart, gaArea } from '../../support/charts.ts';
import { hold, house } from '../../support/inventory/house.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const route = reportsRoutes.find(({ path }) => path.endsWith('.csv'))!;
/** An area whose lines take several turns. */
const hall = compilePlan(chart([gaArea({ label: 'Floor', capacity: 4 * reportLinesPerTurn })]), 'hall');
const settled = () => new Promise((resolve) => setImmediate(resolve));

function door() {
  const clock = new ManualClock();
  const event = house('platform', hall);
  event.ok(hold('h1', 'Floor'));
  const columns = event.ok({ type: 'unit-columns', from: 0 });
  /** The organisations whose units were asked for. Each waits for its answer. */
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const reportFiles = createLargeLimiter(clock, reportFilesAtOnce, 1, reportFileDeadlineMs);
  const ports = {
    clock,
    reportFiles,
    plans: async () => event.state.plan,
    shards: {
      submit: (address: { organisationId: string }) => {
        asked.push(address.organisationId);
        return new Promise((resolve) => answers.push(() => resolve(done(columns))));
      },
    },
  };
  const ask = (organisationId: string) => {
    const request = { deadlineAt: clock.elapsed() + reportFileDeadlineMs };
    const principal = { kind: 'secret', keyId: 'key_1', organisationId };
    const call = { ports, request, principal, event: { event: { key: 'gala', organisationId } } };
    return Promise.resolve(route!.handle(call as never) as Promise<{ ok: boolean; value: { body: Uint8Array[] } }>);
  };
  return { clock, event, columns, asked, answers, ask };
}

test('an organisation has one file at a time, while another organisation has its own', async () => {
  const { asked, answers, ask } = door();
  void ask('org_1');
  void ask('org_1');
  void ask('org_2');
  await settled();
  expect(asked).toEqual(['org_1', 'org_2']);
  expect(answers).toHaveLength(2);
});

test('a file whose turn does not come by its deadline is refused, and never made', async () => {
  const { clock, asked, ask } = door();
  void ask('org_1');
  const late = ask('org_1');
  await settled();
  clock.advance(reportFileDeadlineMs);
  expect(await late).toMatchObject({ ok: false, refusal: { code: 'overloaded' } });
  expect(asked).toEqual(['org_1']);
});

test('a turn of the loop passes between the parts of a file, which are the bytes of a file in one part', async () => {
  const { clock, event, columns, answers, ask } = door();
  const file = ask('org_1');
  await settled();
  answers[0]!();
  let turns = 0;
  let made: Awaited<typeof file> | null = null;
  void file.then((answer) => {
    made = answer;
  });
  for (; made === null; turns++) {
    await settled();
    clock.advance(0);
  }
  expect(turns).toBeGreaterThan(hall.unitCount / reportLinesPerTurn);
  const whole =
    reportFileHead +
    reportLines(event.state.plan, columns, {
      texts: placeTextsIn(null),
      holdAs: String,
      reservations: new Map(),
    })(Number.POSITIVE_INFINITY);
  expect(Buffer.concat((await file).value.body).toString()).toBe(whole);
});
