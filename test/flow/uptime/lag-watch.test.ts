/** How far readers of streams are behind, when NATS answers and when it does not. */
import { type Behind, LagWatch } from '@parterre/shared/runtime/lag-watch';
import { createLog } from '@parterre/shared/runtime/log';
import { MINUTE_MS, SECOND_MS } from '@parterre/shared/runtime/units';
import { expect, test } from 'vitest';
import { ManualClock } from '../../support/manual-clock.ts';

function watched(answers: (() => Promise<Behind>)[]) {
  const clock = new ManualClock();
  let asked = 0;
  const ask = async () => new Map([['JOURNAL-0', await answers[Math.min(asked++, answers.length - 1)]!()]]);
  return { clock, asked: () => asked, watch: new LagWatch({ clock, log: createLog('test', 'silent'), ask }) };
}

const label = { stream: 'JOURNAL-0' };
const away = () => Promise.reject(new Error('timeout'));
const silent = () => new Promise<never>(() => {});

test('the lag is the age of the oldest message, and 0 when all are settled', async () => {
  const oldestAt = new ManualClock().now() - 3 * SECOND_MS;
  const { clock, watch } = watched([
    async () => ({ messages: 7, oldestAt }),
    async () => ({ messages: 0, oldestAt: null }),
  ]);
  expect(await watch.seconds()).toEqual([[label, 3]]);
  expect(await watch.messages()).toEqual([[label, 7]]);
  clock.advance(5 * SECOND_MS);
  expect(await watch.seconds()).toEqual([[label, 0]]);
});

test('scrapes share a question for five seconds', async () => {
  const { clock, watch, asked } = watched([async () => ({ messages: 0, oldestAt: null })]);
  await Promise.all([watch.seconds(), watch.messages(), watch.seconds()]);
  clock.advance(4 * SECOND_MS);
  await watch.seconds();
  expect(asked()).toBe(1);
  clock.advance(SECOND_MS);
  await watch.seconds();
  expect(asked()).toBe(2);
});

test.each([
  ['an error', away],
  ['no answer', silent],
])('after %s the known lag grows, and is told no more after a minute', async (_, answer) => {
  const oldestAt = new ManualClock().now();
  const { clock, watch, asked } = watched([async () => ({ messages: 1, oldestAt }), answer]);
  await watch.seconds();
  clock.advance(10 * SECOND_MS);
  const told = watch.seconds();
  await Promise.resolve();
  clock.advance(SECOND_MS);
  expect(await told).toEqual([[label, 10]]);
  clock.advance(MINUTE_MS);
  const later = watch.seconds();
  await Promise.resolve();
  clock.advance(SECOND_MS);
  expect(await later).toEqual([]);
  expect(asked()).toBe(answer === silent ? 2 : 3);
});
