/** Random histories of one event for the properties of the rules: few names, so that calls meet each other. */
import type { AvailabilityDraft, Command } from '@parterre/shared/protocol/commands';
import type { SectionStates } from '@parterre/shared/protocol/records';
import fc from 'fast-check';
import { accepted, operationCommands } from './operation-histories.ts';

export const START = 1_700_000_000_000;

const label = fc.constantFrom('A-1', 'A-2', 'A-3', 'C-1', 'C-2', 'T1', '__sl_ga__ga__1', '__sl_ga__ga__2', 'Standing');
const holdId = fc.constantFrom('h1', 'h2', 'h3', 'h4');
const bookingRef = fc.constantFrom('r1', 'r2', 'r3');
const listingId = fc.constantFrom('l1', 'l2', 'l3');
const labels = fc.uniqueArray(label, { minLength: 1, maxLength: 3 });
const selections = labels.map((names) =>
  names.map((name) => (name === 'Standing' ? { label: name, quantity: 2 } : { label: name })),
);
// Few names, so that some calls come twice.
const callId = fc.integer({ min: 1, max: 40 }).map((number) => `call-${number}`);
export const planHash = fc.constantFrom('small-plan', 'sectioned-plan', 'moved-plan', 'shrunk-plan');
const ttlMs = fc.integer({ min: 1, max: 5_000 });

const releaseId = fc.constantFrom('rel1', 'rel2', 'rel3');
const when = fc.option(fc.integer({ min: START, max: START + 30_000 }));
/** An unknown id makes the call a refused one. */
const releases = fc.uniqueArray(
  fc.record({
    id: releaseId,
    isNew: fc.constantFrom(true, true, false),
    name: fc.constantFrom('Early', 'Late'),
    price: fc.nat(20),
    previousPrice: fc.constant(null),
    quota: fc.option(fc.integer({ min: 1, max: 4 })),
    startsAt: when,
    endsAt: when,
    categoryKey: fc.constantFrom(null, null, 'stalls', 'floor'),
    action: fc.constantFrom('buy', 'buy', 'apply'),
    actionUrl: fc.constant(null),
  }),
  { maxLength: 3, selector: ({ id }) => id },
);

const command: fc.Arbitrary<Command> = fc.oneof(
  fc.record({ type: fc.constant('hold' as const), holdId, selections, ttlMs }),
  fc.record({ type: fc.constant('hold' as const), holdId, selections, ttlMs, replaceHoldId: holdId }),
  fc.record({ type: fc.constant('extend' as const), holdId, callId, ttlMs }),
  fc.record({ type: fc.constant('release' as const), callId, holdId }),
  fc.record({ type: fc.constant('release' as const), callId, holdId, labels }),
  fc.record({ type: fc.constant('book' as const), callId, holdId, bookingRef }),
  fc.record({ type: fc.constant('book' as const), callId, holdId, bookingRef, labels }),
  fc.record({ type: fc.constant('book-direct' as const), callId, bookingRef, selections }),
  fc.record({ type: fc.constant('unbook' as const), callId, bookingRef }),
  fc.record({ type: fc.constant('unbook' as const), callId, bookingRef, labels }),
  fc.record({
    type: fc.constant('block' as const),
    callId,
    labels,
    releaseAt: fc.constantFrom(null, START + 3_000, START + 9_000),
    reason: fc.constant(null),
  }),
  fc.record({ type: fc.constant('unblock' as const), callId, labels: fc.option(labels) }),
  fc.record({ type: fc.constant('update-chart' as const), callId, planHash, chartVersion: fc.nat(30), ...accepted }),
  fc.record({ type: fc.constant('set-releases' as const), callId, releases }),
  fc.record({ type: fc.constant('close-release' as const), callId, releaseId }),
  fc.record({ type: fc.constant('box-book' as const), callId, bookingRef, selections }),
  fc.record({
    type: fc.constant('move' as const),
    callId,
    move: fc.constantFrom('close', 'archive', 'unarchive', 'reopen'),
  }),
  fc.record({ type: fc.constant('configure' as const), callId, currency: fc.constantFrom('EUR', 'USD') }),
  fc.record({
    type: fc.constant('configure' as const),
    callId,
    sectionStates: fc.constantFrom<SectionStates[]>({}, { __ungrouped__: 'closed' }, { rear: 'hidden' }),
  }),
  fc.record({
    type: fc.constant('set-availability' as const),
    callId,
    rules: fc.dictionary(
      fc.constantFrom('__ungrouped__', 'front', 'parquet', 'rear'),
      fc.constantFrom<AvailabilityDraft[string][]>(
        { mode: 'closed' },
        { mode: 'timed', revealAt: START + 4_000 },
        { mode: 'threshold', thresholdPct: 5 },
      ),
    ),
  }),
);

export type Step = { passMs: number; command: Command };

const historyOf = (command: fc.Arbitrary<Command>, minLength: number, maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(fc.record({ passMs: fc.integer({ min: 0, max: 2_000 }), command }), { minLength, maxLength });

/** Two units and two references that book them again and again: few, so that listings are sold. */
function resales(): fc.Arbitrary<Command> {
  const bookingRef = fc.constantFrom('r1', 'r2');
  const labels = fc.constantFrom<string[][]>(['A-1'], ['A-2'], ['A-1', 'A-2']);
  const selections = labels.map((names) => names.map((label) => ({ label })));
  const call = <T extends Command['type']>(type: T) => ({ type: fc.constant(type), callId });
  return fc.oneof(
    fc.record({ ...call('book-direct'), bookingRef, selections }),
    fc.record({ ...call('list-resale'), listingId, bookingRef, labels }),
    fc.record({ ...call('list-resale'), listingId, bookingRef, labels }),
    fc.record({ ...call('remove-resale'), listingId }),
    fc.record({ type: fc.constant('hold' as const), holdId, selections, ttlMs }),
    fc.record({ type: fc.constant('hold' as const), holdId, selections, ttlMs, replaceHoldId: holdId }),
    fc.record({ ...call('book'), holdId, bookingRef }),
    fc.record({ ...call('release'), holdId, labels }),
    fc.record({ ...call('unbook'), bookingRef, labels }),
    fc.record({
      ...call('update-chart'),
      ...accepted,
      planHash: fc.constantFrom('small-plan', 'moved-plan'),
      chartVersion: fc.nat(9),
    }),
  );
}

export const resaleHistory = historyOf(resales(), 15, 30);
export const operationHistory = operationCommands.chain((commands) =>
  fc
    .array(fc.integer({ min: 0, max: 2_000 }), { minLength: commands.length, maxLength: commands.length })
    .map((pauses) => commands.map((command, n): Step => ({ passMs: pauses[n]!, command }))),
);
export const history = fc.oneof(
  { weight: 4, arbitrary: historyOf(command, 0, 60) },
  { weight: 2, arbitrary: operationHistory },
  { weight: 1, arbitrary: resaleHistory },
);
