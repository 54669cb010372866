/** A session is opened with its chart, or a cover says why not. */
import { afterEach, expect, test, vi } from 'vitest';
import { createServer } from '../../../../web/designer/session/calls.ts';
import { openSession } from '../../../../web/designer/session/opening.ts';
import { createClock } from '../../../../web/src/sale/clock.ts';
import { chart, gaArea, row, table } from '../../../support/charts.ts';

afterEach(() => vi.unstubAllGlobals());

const opened = (...objects: Parameters<typeof chart>[0]) => {
  const answers = [{ session: { chartId: 'cht_1' } }, { meta: {}, doc: chart(objects) }];
  vi.stubGlobal('fetch', async () => Response.json(answers.shift()));
  return openSession(
    createServer(createClock(), () => 'token'),
    null,
  );
};

test('a chart that is too large for the page is not opened, and the cover says how large it is', async () => {
  const half = 250_000;
  const most = [row({ seatCount: half }), table({ seatCount: half - 10, bookAsWhole: true }), gaArea({ capacity: 10 })];
  expect(await opened(...most)).toMatchObject({ ok: true });
  const message = 'The chart has 500,001 places. The designer opens charts of at most 500,000.';
  expect(await opened(...most, row({ id: 'b', seatCount: 1 }))).toMatchObject({
    ok: false,
    cover: { kind: 'failed', message },
    failure: { problem: { code: 'chart_too_large', message } },
  });
  expect(await opened(row({ seatCount: Number.MAX_SAFE_INTEGER }))).toMatchObject({ ok: false });
});

test('news that are too large for the page name their version', async () => {
  const doc = chart([row({ seatCount: 600_000 })]);
  vi.stubGlobal('fetch', async () => Response.json({ meta: { updatedAt: 5 }, doc }));
  const answer = await createServer(createClock(), () => 'token').news('cht_1', 1);
  expect(answer).toMatchObject({ status: 413, problem: { code: 'chart_too_large', updatedAt: 5 } });
});
