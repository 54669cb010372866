/**
 * The cost of best-available at the event's actor: `npm run bench -- best-available`. Every call is decided, its hold
 * applied, then released: on a bowl of 100,000 seats and on one of 250,000, at rising fills (random seats, and row
 * after row from the front), for 1 to 50 seats, in any category and in one; with accessibility kinds on a bowl with a
 * wheelchair's and a companion's place in every row; for 2,500 areas that are full except the last; and with seats in
 * channels, for callers of one reach, and for more reaches in turn than an event keeps summaries for. Prints p50, p99
 * and the slowest call, the cost of an event's first call with and without the preparation of its plan, and the cost of
 * holds of named seats with and without the summaries of rows. Ends with 1 when a p99 on a bowl of 100,000 or of areas
 * is above 2 ms, and when the first call on a prepared plan takes more than 10 ms.
 */
import { compilePlan } from '@parterre/shared/charts/compile';
import type { ChartDocument } from '@parterre/shared/charts/document';
import type { Plan } from '@parterre/shared/charts/plan';
import type { Caller, SeatQuery } from '@parterre/shared/protocol/commands';
import type { Channel } from '@parterre/shared/protocol/records';
import { bowl } from '../../scripts/generate-charts.mjs';
import { prepareSearch } from '../../services/inventory-shard/src/rules/seat-search/seat-search.ts';
import type { EventState } from '../../services/inventory-shard/src/rules/state/event-state.ts';
import { newState } from '../../services/inventory-shard/src/rules/state/state.ts';
import { apply } from '../../services/inventory-shard/src/rules/turn/apply.ts';
import { decide } from '../../services/inventory-shard/src/rules/turn/decide.ts';
import { benchEvent } from './event-config.ts';

const P99_MS_MAX = 2;
const FIRST_MS_MAX = 10;
const FILLS = [0, 25, 50, 75, 90, 99, 99.9];
const QUANTITIES = [1, 2, 4, 8, 50];
const CALLS = 500;
const QUERY_ROUNDS = 3;
const WARM_ROUNDS = 10;
const NAMED_HOLDS = 20_000;
const ROUNDS = 7;

const server: Caller = { source: 'server', actor: 'key_bench', accessSource: 'public' };
const by = { source: 'server', actor: 'key_bench' } as const;
const NOW = 1_800_000_000_000;
let names = 0;

/** The time of an event never goes back. */
const now = (): number => NOW + names;

function main(): void {
  const small = compilePlan(bowl() as unknown as ChartDocument, 'bowl');
  const large = compilePlan(enlarged(), 'large-bowl');
  const first = measureFirstCall(small);
  warmUp(small);
  const worst = Math.max(measure(small, 'bowl'), measureKinds(), measureAreas(), measureChannels(small));
  measure(large, 'large bowl');
  compareHolds(small);
  if (worst > P99_MS_MAX) {
    console.error(`p99 of ${worst.toFixed(2)} ms is above ${P99_MS_MAX} ms`);
    process.exitCode = 1;
  }
  if (first > FIRST_MS_MAX) {
    console.error(`the first call of ${first.toFixed(2)} ms is above ${FIRST_MS_MAX} ms`);
    process.exitCode = 1;
  }
}

/**
 * The first call on a prepared plan, milliseconds, in a process that has compiled no rule before. A call on a plan that
 * is not prepared comes after it, so its code is warm.
 */
function measureFirstCall(plan: Plan): number {
  const steps: number[] = [];
  const preparing = prepareSearch(plan);
  for (let isDone = false; !isDone; ) {
    steps.push(
      timed(() => {
        isDone = preparing.next().done === true;
      }),
    );
  }
  const total = steps.reduce((sum, ms) => sum + ms, 0).toFixed(2);
  const longest = Math.max(...steps).toFixed(2);
  console.log(`preparation of the bowl: ${total} ms in ${steps.length} steps, the longest ${longest} ms`);
  const first = timed(() => bestOnce(newState(benchEvent(plan.hash), plan), { qty: 2 }));
  const cold = compilePlan(bowl() as unknown as ChartDocument, 'cold-bowl');
  const unprepared = timed(() => bestOnce(newState(benchEvent(cold.hash), cold), { qty: 2 }));
  console.log(`first call on the bowl: prepared ${first.toFixed(2)} ms, not prepared ${unprepared.toFixed(2)} ms`);
  return first;
}

/** Rows of 63 seats instead of 25, cut to the limit of a chart. */
function enlarged(): ChartDocument {
  const document = structuredClone(bowl()) as unknown as { objects: { type: string; seatCount: number }[] };
  for (const object of document.objects) if (object.type === 'row') object.seatCount = 62;
  return document as unknown as ChartDocument;
}

/** The bowl with places for a wheelchair and a companion in every row: at its end, and in its middle. */
function accessible(): ChartDocument {
  const document = structuredClone(bowl()) as unknown as { objects: { type: string; seatCount: number }[] };
  for (const [i, object] of document.objects.entries()) {
    if (object.type !== 'row') continue;
    const index = i % 2 === 0 ? 0 : object.seatCount >> 1;
    const overrides = [
      { index, accessibility: ['wheelchair'] },
      { index: index + 1, accessibility: ['companion'] },
    ];
    Object.assign(object, { overrides });
  }
  return document as unknown as ChartDocument;
}

const kindQueries: SeatQuery[] = [
  { qty: 1, accessible: ['wheelchair'] },
  { qty: 2, accessible: ['wheelchair'] },
  { qty: 2, accessible: ['wheelchair', 'companion'] },
  { qty: 8, accessible: ['wheelchair', 'companion'] },
  { qty: 50, accessible: ['wheelchair'] },
  { qty: 1, accessible: ['companion'] },
];

/**
 * Adds patterns of taken seats to the fills, because the free seats of a kind and the free neighbours decide the cost
 * of a search.
 */
function measureKinds(): number {
  const plan = compilePlan(accessible(), 'accessible-bowl');
  const kindsOf = (unit: number): number => plan.accessibilityOfUnit[unit]!;
  const wheelchair = 1;
  const isBeside = (unit: number): boolean => kindsOf(unit) !== wheelchair && kindsOf(unit - 1) === wheelchair;
  const patterns: [string, EventState][] = [
    ...FILLS.map((fill): [string, EventState] => [`random ${fill} %`, filled(plan, fill, 'random')]),
    ['places of a kind', without(plan, (unit) => kindsOf(unit) !== 0)],
    ["wheelchairs'", without(plan, (unit) => kindsOf(unit) === wheelchair)],
    ["companions'", without(plan, isBeside)],
    ['beside them', without(plan, (unit) => kindsOf(unit) === 0 && (kindsOf(unit - 1) | kindsOf(unit + 1)) !== 0)],
    ['every second', without(plan, (unit) => unit % 2 === 0)],
    ['every other', without(plan, (unit) => unit % 2 === 1)],
  ];
  const heads = kindQueries.map(({ qty, accessible }) => `${qty} ${accessible!.map((kind) => kind[0]).join('+')}`);
  console.log(`\naccessible bowl, ${plan.unitCount} seats: as above, for (w)heelchairs' and (c)ompanions' places`);
  console.log(['taken'.padEnd(18), ...heads.map((head) => head.padEnd(18))].join(' '));
  for (const query of kindQueries) timesOf(filled(plan, 50, 'random'), query);
  let worst = 0;
  for (const [name, state] of patterns) {
    const all = kindQueries.map((query) => quietest(state, query));
    worst = Math.max(worst, ...all.map((times) => at(times, 0.99)));
    console.log([name.padEnd(18), ...all.map(cellOf)].join(' '));
  }
  return worst;
}

function measureAreas(): number {
  const areas = Array.from({ length: 2_500 }, (_, i) => ({
    type: 'gaArea',
    id: `area-${i}`,
    label: `Area ${i}`,
    categoryKey: 'hall',
    capacity: 100,
    points: [
      { x: i, y: 0 },
      { x: i + 1, y: 0 },
      { x: i, y: 1 },
    ],
  }));
  const categories = [{ key: 'hall', label: 'Hall', color: '#123456', price: 10 }];
  const document = { version: 1, name: 'Areas', venueType: 'MIXED', focalPoint: { x: 0, y: 0 }, categories };
  const plan = compilePlan({ ...document, objects: areas } as unknown as ChartDocument, 'areas');
  const state = without(plan, (unit) => unit < plan.unitCount - 100);
  // Compiled before it is timed: the compiler's threads count as well.
  for (let round = 0; round < WARM_ROUNDS; round++) timesOf(state, { qty: 5 });
  const times = quietest(state, { qty: 5 });
  console.log(`\n${areas.length} areas of 100, all but the last full: ${cellOf(times)}`);
  return at(times, 0.99);
}

const CHANNELS = 40;
const serverOf = (channelIds: string[]): Caller => ({ ...server, reach: { channelIds, includePublic: true } });

/** Every second row belongs to a channel, in turn, and so does every fifth seat of the other rows. */
function assigned(state: EventState): EventState {
  const { objectOfUnit, unitCount } = state.plan;
  const unitsOf = Array.from({ length: CHANNELS }, (): number[] => []);
  for (let unit = 0; unit < unitCount; unit++) {
    const row = objectOfUnit[unit]!;
    if (row % 2 === 0 || unit % 5 === 0) unitsOf[(row % 2 === 0 ? row / 2 : unit / 5) % CHANNELS]!.push(unit);
  }
  for (const [i, units] of unitsOf.entries()) assign(state, `chn_${i}`, units);
  return state;
}

function assign(state: EventState, id: string, units: number[]): void {
  const channel: Channel = {
    id,
    name: id,
    color: null,
    marker: null,
    externalRef: null,
    state: 'active',
    archiveDestination: null,
    accessIntent: 'none',
    priceOverrides: [],
    pricingVersion: 1,
    createdAt: NOW,
    updatedAt: NOW,
    archivedAt: null,
  };
  const common = { reason: null, by };
  apply(state, { type: 'channel-created', callId: id, channel, ...common }, now());
  const none = { count: 0, labels: [], truncated: false };
  const buckets = {
    changedFromPublic: { count: units.length },
    movedFromOtherChannel: { count: 0, channels: [] },
    alreadyInTarget: { count: 0 },
    skippedHeld: none,
    skippedBooked: none,
    notFound: none,
  };
  const version = state.channels.version + 1;
  const record = { type: 'channels-assigned', callId: `${id} has`, channelId: id, units, version } as const;
  apply(state, { ...record, requested: units.length, buckets, ...common }, now());
}

function measureChannels(plan: Plan): number {
  const all = Array.from({ length: CHANNELS }, (_, i) => `chn_${i}`);
  const buyer: Caller = { ...server, source: 'buyer' };
  const callers: [string, Caller[]][] = [
    ['of public sale', [buyer]],
    ['of one channel', [serverOf(['chn_7'])]],
    ['of one and public', [{ ...buyer, reach: { channelIds: ['chn_7'], includePublic: true } }]],
    ['of all channels', [serverOf(all)]],
    [`of ${CHANNELS} in turn`, all.map((id) => serverOf([id]))],
  ];
  console.log(`\nbowl with ${CHANNELS} channels, as above`);
  console.log(['fill'.padEnd(12), 'callers'.padEnd(18), ...QUANTITIES.map((qty) => `${qty}`.padEnd(18))].join(' '));
  let worst = 0;
  // Compiled before it is timed.
  const warm = assigned(filled(plan, 50, 'random'));
  for (const [, some] of callers) for (const qty of QUANTITIES) timesOf(warm, { qty }, some);
  for (const fill of [0, 50, 90, 99]) {
    for (const [name, some] of callers) {
      const state = assigned(filled(plan, fill, 'random'));
      const all = QUANTITIES.map((qty) => quietest(state, { qty }, some));
      worst = Math.max(worst, ...all.map((times) => at(times, 0.99)));
      console.log([`${fill} %`.padEnd(12), name.padEnd(18), ...all.map(cellOf)].join(' '));
    }
  }
  return worst;
}

function without(plan: Plan, isTaken: (unit: number) => boolean): EventState {
  const state = newState(benchEvent(plan.hash), plan);
  const units = Array.from({ length: plan.unitCount }, (_, unit) => unit).filter(isTaken);
  apply(state, { type: 'blocked', units, releaseAt: null, reason: null, by }, now());
  return state;
}

/** The worst p99 over all fills and queries, milliseconds. */
function measure(plan: Plan, name: string): number {
  let worst = 0;
  console.log(
    `\n${name}, ${plan.unitCount} seats: p50 / p99 / slowest, ms of CPU (${CALLS} calls each, the quietest of ${QUERY_ROUNDS} rounds)`,
  );
  const heads = QUANTITIES.flatMap((qty) => [`${qty}`, `${qty} of one`]);
  console.log(['fill'.padEnd(18), ...heads.map((head) => head.padEnd(18))].join(' '));
  for (const pattern of ['random', 'contiguous'] as const) {
    for (const fill of FILLS) {
      const state = filled(plan, fill, pattern);
      const cells = [`${pattern} ${fill} %`.padEnd(18)];
      for (const qty of QUANTITIES) {
        for (const categoryKey of [undefined, 'middle']) {
          const times = quietest(state, categoryKey === undefined ? { qty } : { qty, categoryKey });
          worst = Math.max(worst, at(times, 0.99));
          cells.push(cellOf(times));
        }
      }
      console.log(cells.join(' '));
    }
  }
  return worst;
}

function cellOf(times: number[]): string {
  return [0.5, 0.99, 1]
    .map((part) => at(times, part).toFixed(3))
    .join('/')
    .padEnd(18);
}

/** Fills the event with blocks in few records, which takes hardly any time. */
function filled(plan: Plan, fill: number, pattern: 'random' | 'contiguous'): EventState {
  const state = newState(benchEvent(plan.hash), plan);
  const count = Math.round((plan.unitCount * fill) / 100);
  const order = Array.from({ length: plan.unitCount }, (_, unit) => unit);
  if (pattern === 'random') shuffle(order);
  apply(state, { type: 'blocked', units: order.slice(0, count), releaseAt: null, reason: null, by }, now());
  return state;
}

/** The same order each time. */
function shuffle(units: number[]): void {
  let seed = 42;
  for (let i = units.length - 1; i > 0; i--) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    const j = seed % (i + 1);
    [units[i], units[j]] = [units[j]!, units[i]!];
  }
}

/** The round with the lowest p99: another program may disturb the others. */
function quietest(state: EventState, query: SeatQuery, callers = [server]): number[] {
  const rounds = Array.from({ length: QUERY_ROUNDS }, () => timesOf(state, query, callers));
  return rounds.sort((a, b) => at(a, 0.99) - at(b, 0.99))[0]!;
}

/** Each hold lasts for some calls, so that rows change from call to call and the nearest seats run out. */
function timesOf(state: EventState, query: SeatQuery, callers = [server]): number[] {
  const times: number[] = [];
  const held: string[] = [];
  for (let i = 0; i < CALLS; i++) {
    let holdId: string | null = null;
    times.push(
      timed(() => {
        holdId = bestOnce(state, query, callers[i % callers.length]);
      }),
    );
    if (holdId !== null) held.push(holdId);
    if (held.length > 100 || (holdId === null && held.length > 0)) release(state, held.shift()!);
  }
  for (const holdId of held) release(state, holdId);
  return times.sort((a, b) => a - b);
}

/** Null when no seats were left. */
function bestOnce(state: EventState, query: SeatQuery, caller = server): string | null {
  const holdId = `hld_${++names}`;
  const decision = decide(state, { type: 'hold-best', holdId, query }, caller, now());
  if (!decision.ok) return null;
  for (const record of decision.records) apply(state, record, now());
  return holdId;
}

function release(state: EventState, holdId: string): void {
  const decision = decide(state, { type: 'release', holdId, callId: `call_${++names}` }, server, now());
  if (decision.ok) for (const record of decision.records) apply(state, record, now());
}

/** Runs every path through the rules, so that no figure includes compilation. */
function warmUp(plan: Plan): void {
  for (const fill of [0, 50, 99]) {
    const state = filled(plan, fill, 'random');
    for (const qty of QUANTITIES) timesOf(state, { qty });
    for (const qty of QUANTITIES) timesOf(state, { qty, categoryKey: 'middle' });
  }
}

/** Holds of two named seats and their release: with changed rows, without best-available, and with channels. */
function compareHolds(plan: Plan): void {
  const rounds = { without: [] as number[], with: [] as number[], channels: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const kind of ['without', 'with', 'channels'] as const) {
      const state = newState(benchEvent(plan.hash), plan);
      if (kind === 'with') release(state, bestOnce(state, { qty: 2 })!);
      if (kind === 'channels') assigned(state);
      const all = Array.from({ length: CHANNELS }, (_, i) => `chn_${i}`);
      const caller = kind === 'channels' ? serverOf(all) : server;
      rounds[kind].push((timed(() => holdNamed(state, caller)) / NAMED_HOLDS) * 1_000);
    }
  }
  const median = (times: number[]): string => times.sort((a, b) => a - b)[ROUNDS >> 1]!.toFixed(2);
  console.log('\na hold of two named seats and its release, microseconds (median of alternating rounds):');
  console.log(
    `without summaries of rows ${median(rounds.without)}, with them ${median(rounds.with)}, with ${CHANNELS} channels named ${median(rounds.channels)}`,
  );
}

function holdNamed(state: EventState, caller: Caller): void {
  for (let i = 0; i < NAMED_HOLDS; i++) {
    const unit = (i * 7_919) % (state.plan.unitCount - 1);
    const selections = [unit, unit + 1].map((each) => ({ label: state.plan.labels.at(each) }));
    const holdId = `hld_${++names}`;
    const decision = decide(state, { type: 'hold', holdId, selections }, caller, now());
    if (!decision.ok) throw new Error(decision.refusal.message);
    for (const record of decision.records) apply(state, record, now());
    release(state, holdId);
  }
}

function at(sorted: number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

/** Milliseconds of CPU, which stay the same on a busy machine. */
function timed(run: () => unknown): number {
  const since = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

main();
