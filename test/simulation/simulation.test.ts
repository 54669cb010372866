/**
 * Simulated histories: 60 seeds, 200 in the long tier, or as many as `SEEDS` says, and the seeds that failed once. The
 * first seed changes every day and is printed: `FROM=7 npm test -- test/simulation` plays the seeds from 7 on.
 * `npm run test:simulation` plays 10,000 fresh seeds. Of histories whose journal lies (lies/lying.ts) 100 seeds are
 * played, 1,000 in the long tier.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandType } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { inTier } from '../support/runner/tier.ts';
import { tell } from './checks/report.ts';
import { allFaults } from './faults.ts';
import { lieKinds } from './lies/lies.ts';
import { simulateLie } from './lies/lying.ts';
import { simulate } from './simulation.ts';
import { addTo, newTally } from './tally.ts';

/** So many histories reach every command, fault and moment. */
const COMPLETE = 200;
const DAY_MS = 86_400_000;
const SEEDS = Number(process.env.SEEDS ?? inTier(60, COMPLETE));
const FROM = Number(process.env.FROM ?? 1 + SEEDS * (Math.floor(Date.now() / DAY_MS) % 10_000));
/** Histories whose journal lies, and those in which nothing is compared. */
const LIES = inTier(100, 1_000);
const BLIND = 40;
const cases = join(import.meta.dirname, 'cases');

/** The commands of operations over several events have a simulation of their own. */
type OfOperations =
  | ('hold-part' | 'abort-operation' | 'pin-part' | 'unpin-part' | 'book-part' | 'extend-part' | 'release-part')
  | (
      | 'refuse-action'
      | 'unbook-part'
      | 'inspect-operation'
      | 'look-part'
      | 'look-block'
      | 'drain-lock'
      | 'inspect-locks'
      | 'inspect-units'
    )
  | ('pin-exchange' | 'take-exchange' | 'refuse-exchange' | 'give-exchange' | 'unpin-exchange');

/** Kinds of commands; a new command does not compile without its line. */
const kinds: Record<Exclude<CommandType, OfOperations>, true> = {
  lock: true,
  unlock: true,
  reserve: true,
  unreserve: true,
  'book-reserved': true,
  create: true,
  hold: true,
  extend: true,
  release: true,
  book: true,
  'book-direct': true,
  unbook: true,
  exchange: true,
  'exchange-on-terms': true,
  swap: true,
  'hold-best': true,
  'block-best': true,
  'book-best': true,
  'choose-best': true,
  'box-book': true,
  'box-office-sale': true,
  'import-bookings': true,
  block: true,
  unblock: true,
  'end-holds': true,
  'make-reservation': true,
  'change-reservation': true,
  'end-reservation': true,
  'book-reservation': true,
  'inspect-reservation': true,
  'list-reservations': true,
  'reserved-places': true,
  'undo-block': true,
  'set-hold-ttl': true,
  move: true,
  configure: true,
  'update-chart': true,
  'adjust-chart': true,
  'set-releases': true,
  'close-release': true,
  'set-availability': true,
  'create-channel': true,
  'change-channel': true,
  'set-channel-state': true,
  'archive-channel': true,
  'assign-channel': true,
  'list-resale': true,
  'remove-resale': true,
  'inspect-hold': true,
  'inspect-holders': true,
  'quote-sale': true,
  count: true,
  view: true,
  report: true,
  'unit-columns': true,
  releases: true,
  availability: true,
  channels: true,
  'channel-records': true,
  'channel-states': true,
  'channel-allocation': true,
  'channel-report': true,
  spend: true,
};

const moments = [
  'a chart changes',
  'a chart changes under blocks',
  'a chart changes under bookings',
  'a chart changes under channels',
  'a chart changes under holds',
  'a chart changes under holds and bookings',
  'a chart changes under listings',
  'a commit of several events',
  'a front door refuses by itself',
  'a plan is compiled',
  'a reader thread answers',
  'a snapshot is loaded',
  'an anchor without records',
];

test(`the invariants hold in ${SEEDS} simulated histories from seed ${FROM} on, of crashes, stops, cut links and lost messages`, {
  timeout: 240_000,
}, async () => {
  let answers = 0;
  const tally = newTally();
  console.log(`simulated seeds from ${FROM} on`);
  for (let seed = FROM; seed < FROM + SEEDS; seed++) {
    const verdict = await simulate(seed);
    if (verdict.failure !== null) expect.fail(tell(verdict));
    answers += verdict.answers;
    addTo(tally, verdict.tally);
  }
  // A simulation without answers would prove nothing.
  expect(answers).toBeGreaterThan(10 * SEEDS);
  if (SEEDS < COMPLETE) return;
  expect([...tally.faults.keys()], 'every kind of fault strikes').toEqual(expect.arrayContaining(allFaults));
  expect([...tally.moments.keys()].sort(), 'every moment is reached').toEqual(moments);
  const asked = Object.keys(kinds).filter((type) => type !== 'create');
  expect([...tally.successes.keys()].sort(), 'every kind of command succeeds').toEqual(asked.sort());
});

/** A history of many minutes of virtual time takes half a minute: the long tier has those. */
const longCases = process.env.TEST_TIER === 'long' ? '' : '.long.json';
const files = readdirSync(cases).filter((file) => file.endsWith('.json') && !(longCases && file.endsWith(longCases)));
test.each(files)('the invariants hold in the history of %s, which failed once', { timeout: 240_000 }, async (file) => {
  const { seed } = JSON.parse(readFileSync(join(cases, file), 'utf8')) as { seed: number };
  const verdict = await (file.startsWith('lies') ? simulateLie(seed) : simulate(seed));
  if (verdict.failure !== null) expect.fail(tell(verdict));
});

test(`no seat is sold twice against evidence in ${LIES} histories whose journal lies`, {
  timeout: 120_000,
}, async () => {
  const tally = newTally();
  for (let seed = FROM; seed < FROM + LIES; seed++) {
    const verdict = await simulateLie(seed);
    if (verdict.failure !== null) expect.fail(tell(verdict, '--lies '));
    addTo(tally, verdict.tally);
  }
  const reached = [...tally.moments.keys()];
  expect(reached).toEqual(expect.arrayContaining(['no lie', ...lieKinds.map((kind) => `a lie: ${kind}`)]));
  expect(reached).toEqual(expect.arrayContaining(['tail: halted', 'another history: halted', 'new stream: halted']));
});

test('the same histories sell seats twice where nothing is compared', { timeout: 120_000 }, async () => {
  let sold = 0;
  for (let seed = 1; seed <= BLIND; seed++) {
    const { failure } = await simulateLie(seed, false);
    if (failure?.includes(' is sold to ')) sold++;
  }
  expect(sold).toBeGreaterThan(BLIND / 20);
});

test('the same seed gives the same history', async () => {
  const one = await simulate(7);
  const two = await simulate(7);
  const other = await simulate(8);
  expect(two).toEqual(one);
  expect(other.traceHash).not.toBe(one.traceHash);
});
