/** Public files in front of a replica: how the answers of an opening name them. */
import { createSecretKey } from 'node:crypto';
import { done } from '@parterre/shared/protocol/errors';
import { expect, it } from 'vitest';
import { publicChartOf, withFiles } from '../../../services/frontdoor/src/api/public-charts.ts';
import { publicAudience } from '../../../services/frontdoor/src/pictures/pictures.ts';
import { ManualClock } from '../../support/manual-clock.ts';

it('A file is named with the version that it shows, also if a reveal comes while the file is made', async () => {
  const chart = { hash: 'file-1', bytes: 7, parts: ['base'] };
  const replica = {
    plan: { hash: 'plan' },
    scopes: { hidden: ['box'] },
    version: 4,
    picture: { channels: { numbers: new Map() } },
  };
  const publicCharts = {
    peek: () => undefined,
    of: async () => {
      replica.scopes = { hidden: [] };
      replica.version = 5;
      return done(chart);
    },
    note: () => {},
  };
  const ports = { publicCharts, addressKey: createSecretKey(Buffer.alloc(32)), clock: new ManualClock() };
  const call = { ports, request: { deadlineAt: 1_000 } } as never as Parameters<typeof publicChartOf>[0];
  const made = await publicChartOf(call, 'gala', replica as never);
  if (!made.ok) throw new Error('a refusal');
  const body = withFiles(
    call.ports,
    { event: { key: 'gala' } } as never,
    replica as never,
    publicAudience,
    made.value,
    { stale: true },
  );
  expect(JSON.parse(body)).toMatchObject({ files: [{ hash: 'file-1' }], snapshotVersion: 4 });
});
