/**
 * Histories of all commands, against a naive reference of the inventory that is written from the documented rules.
 * After every group, both give the same answers and show the same state. 200 histories, 2,000 in the long tier, or as
 * many as MODEL_RUNS says. A failure prints its seed, and TEST_SEED repeats it.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { book, callId, direct, hold, server } from '../../../support/inventory/house.ts';
import { Both, history, kinds } from '../../../support/model/history.ts';
import { demandFolds } from '../../../support/model/invariants.ts';
import { charts } from '../../../support/model/reference/chart.ts';
import { Tally } from '../../../support/model/tally.ts';
import { inTier } from '../../../support/runner/tier.ts';

const { MODEL_RUNS } = process.env;
const RUNS = Number(MODEL_RUNS ?? inTier(200, 2_000));

const alwaysRefused = [
  'hold under a used name with another body',
  'block the best under a used name with another body',
];
const refusals = [
  'allocation_exhausted',
  'booking_not_found',
  'cannot_extend/expired',
  'cannot_extend/extend_limit',
  'cannot_extend/not_active',
  'cannot_extend/not_found',
  'channel_access_denied',
  'channel_assignment_conflict',
  'channel_paused',
  'companion_pair_required',
  'conflict',
  'conflict/already_listed',
  'conflict/booking_cancelled',
  'conflict/booking_ref_in_use',
  'conflict/event_has_sales',
  'conflict/event_in_use',
  'conflict/hold_expired',
  'conflict/hold_released',
  'conflict/idempotency_key_reused',
  'conflict/not_owned_by_booking_ref',
  'conflict/offer_booked',
  'conflict/offer_not_reserved',
  'conflict/offer_over',
  'conflict/own_resale_listing',
  'conflict/resale_in_checkout',
  'conflict/resale_listing_whole',
  'conflict/release_sold_out',
  'conflict/not_enough_together',
  'conflict/scopes_would_drop',
  'conflict/seats_reserved',
  'conflict/sold_out',
  'event_closed',
  'hold_not_found',
  'invalid_channel_scope',
  'invalid_event_state',
  'invalid_quantity',
  'invalid_request',
  'listing_not_found',
  'max_quantity_exceeded',
  'not_for_sale',
  'not_found',
  'not_managed',
  'not_platform_owned',
  'seats_would_vanish',
  'season_event_locked',
  'ticket_option_not_applicable',
  'unknown_labels',
  'unknown_tier',
];

test('the charts sell the seats that the reference lists', () => {
  for (const { plan, places, scopes } of Object.values(charts)) {
    expect(plan.labels.all()).toEqual(places.map(({ label }) => label));
    expect([...plan.scopeIds].sort()).toEqual([...scopes].sort());
  }
});

test.each([
  ['refuse', 'another category', 'moved-plan'],
  ['allow', 'the same category', 'first-plan'],
])('the rules and the reference %s a sold place another number in %s without a word', (way, _where, from) => {
  const tally = new Tally();
  const both = new Both('platform', tally);
  const update = (planHash: string, chartVersion: number): void => {
    const ofChart = { chartId: 'cht_1', fromChart: 'cht_1' };
    const call = { type: 'update-chart', callId: `call_${planHash}`, planHash, chartVersion, ...ofChart } as const;
    both.send(planHash, call, server);
    both.catchUp();
  };
  update(from, 2);
  both.send('book', direct('order', '__sl_ga__ga__8'), server);
  update('shrunk-plan', 3);
  const isRefused = way === 'refuse';
  expect(tally.refusals.get('seats_would_move') ?? 0).toBe(isRefused ? 1 : 0);
  expect(tally.successes.get('shrunk-plan') ?? 0).toBe(isRefused ? 0 : 1);
});

test('the rules and the reference know both orders of a hold whose first part a change of chart has dropped', () => {
  const tally = new Tally();
  const both = new Both('platform', tally);
  const send = (kind: string, command: Command): void => {
    both.send(kind, command, server);
    both.catchUp();
  };
  send('hold', hold('old', 'B-1', 'B-2', 'A-8'));
  send('book', book('old', 'first', ['A-8']));
  send('unbook', { type: 'unbook', callId: callId(), bookingRef: 'first' });
  send('update', { type: 'update-chart', callId: callId(), planHash: 'shrunk-plan', chartVersion: 2 });
  for (const ref of ['second', 'first', 'second', 'third']) send(`book as ${ref}`, book('old', ref));
  expect(tally.refusals).toEqual(new Map([['conflict/hold_booked', 1]]));
});

test(`${RUNS} histories give the results of the reference, and every invariant holds after each`, {
  timeout: 100_000 + 200 * RUNS,
}, () => {
  const tally = new Tally();
  fc.assert(
    fc.property(fc.constantFrom('platform', 'platform', 'managed'), history, fc.nat(59), (ownership, steps, n) => {
      const both = new Both(ownership, tally);
      for (const [i, step] of steps.entries()) {
        if (i === n % steps.length) both.takeSnapshot();
        step.run(both);
      }
      both.catchUp(true);
      tally.soldOuts += both.real.soldOuts;
      demandFolds(both.real);
    }),
    { numRuns: RUNS },
  );
  if (MODEL_RUNS !== undefined) process.stdout.write(`${tally}\n`);
  // A generator without successes proves nothing. Rare refusals need many histories.
  if (RUNS < 200) return;
  const rarelyMade = kinds.filter(({ name }) => !tally.successes.has(name) && !alwaysRefused.includes(name));
  expect(rarelyMade, 'every kind of command succeeds').toEqual([]);
  if (RUNS < 2_000) return;
  for (const { name } of kinds) {
    if (!alwaysRefused.includes(name)) expect(tally.successes.get(name) ?? 0, name).toBeGreaterThan(RUNS / 200);
  }
  expect(tally.soldOuts, 'all is sold').toBeGreaterThan(RUNS / 100);
  for (const refusal of refusals) expect(tally.refusals.get(refusal) ?? 0, refusal).toBeGreaterThan(RUNS / 500);
});
