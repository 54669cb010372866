/** What the catalog's log says while the streams of a new deployment elect their leaders. */

import { errors } from '@nats-io/transport-node';
import { layoutPatienceMs } from '@parterre/shared/protocol/limits';
import { expect, test } from 'vitest';
import { type ReaderPorts, readJournals } from '../../../services/catalog/src/projections/journal-reader.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { settled } from '../../support/replica.ts';

test.each([
  ['NATS does not answer', new errors.TimeoutError(), 'info'],
  ['the store fails', new Error('The store is away.'), 'warn'],
])('while %s at a start, each line is of the right level, and a warning follows later', async (_, error, atStart) => {
  const clock = new ManualClock();
  const levels: string[] = [];
  const note = (level: string) => () => void levels.push(level);
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const store = { get: async () => Promise.reject(error) };
  const stop = new AbortController();
  const ports = { clock, log, store, views: {}, halts: new Map(), nats: {}, pace: {} };
  const reading = readJournals(ports as unknown as ReaderPorts, 1, stop.signal);
  await settled();
  expect(levels).toEqual([atStart]);
  for (let passed = 0; passed < layoutPatienceMs; passed += 1_000) {
    clock.advance(1_000);
    await settled();
  }
  levels.length = 0;
  for (let passed = 0; passed < 10_000; passed += 1_000) {
    clock.advance(1_000);
    await settled();
  }
  expect([...new Set(levels)]).toEqual(['warn']);
  stop.abort();
  clock.advance(60_000);
  await reading;
});
