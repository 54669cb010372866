/**
 * The races of the benchmark. A pass starts its contenders once, at one durability, and runs its scenarios one after
 * the other. `npm run bench -- --only` leaves out baselines, and with them the scenarios that need them.
 */
import type { Durability } from './contender.ts';

const baselineNames = [
  'echo',
  'nats-echo',
  'redis-everysec',
  'redis-always',
  'redis-uws-everysec',
  'redis-uws-always',
  'postgres',
  'parterre-budgets',
] as const;
type Baseline = (typeof baselineNames)[number];
/** `parterre-beside` is Parterre as another checkout builds it, or with other settings. */
export type ContenderName = 'parterre' | 'parterre-beside' | Baseline;

/**
 * `sales`: as fast as the contender answers. `offered sales`: at half the rate of Redis in `sales`, for latencies at
 * equal load. `refusals`: holds of sold seats.
 */
export type LoadType = 'sales' | 'offered sales' | 'refusals';

export type Scenario = {
  load: LoadType;
  durability: Durability;
  events: number;
  connections: number;
  /** Its figures are compared with those of every other contender. */
  subject: ContenderName;
  others: ContenderName[];
};

export type Pass = { durability: Durability; contenders: ContenderName[]; scenarios: Scenario[] };

export const manyEvents = 64;
export const connectionCounts = [64, 256];

/** NATS with its default (`sync_interval: 2m`) stands beside Redis with `everysec`, `always` beside `always`. */
const relaxed = (only: BaselineFilter): Pass =>
  passOf('relaxed', [
    ...scenarios(
      'sales',
      'relaxed',
      [1, manyEvents],
      'parterre',
      only(['echo', 'nats-echo', 'redis-everysec', 'redis-uws-everysec']),
    ),
    ...scenarios('offered sales', 'relaxed', [1, manyEvents], 'parterre', only(['redis-everysec'])),
    ...scenarios('refusals', 'relaxed', [1], 'parterre', only(['echo'])),
  ]);

const always = (only: BaselineFilter): Pass =>
  passOf(
    'always',
    scenarios(
      ...(['sales', 'always', [1, manyEvents], 'parterre'] as const),
      only(['echo', 'nats-echo', 'redis-always', 'redis-uws-always', 'postgres']),
    ),
  );

/** Apart from the others: a second Parterre beside them would take a share of their cores. */
const budgets = (only: BaselineFilter): Pass => {
  const chosen = only(['parterre-budgets']);
  const others: ContenderName[] = chosen.length > 0 ? ['parterre'] : [];
  return passOf('relaxed', scenarios('sales', 'relaxed', [1], 'parterre-budgets', others));
};

/** Two Parterres, for the figures before and after a change. */
export function passesBeside(): Pass[] {
  const events = [1, manyEvents];
  const sales = (durability: Durability) => scenarios('sales', durability, events, 'parterre', ['parterre-beside']);
  const refusals = scenarios('refusals', 'relaxed', [1], 'parterre', ['parterre-beside']);
  return [passOf('relaxed', [...sales('relaxed'), ...refusals]), passOf('always', sales('always'))];
}

type BaselineFilter = (names: Baseline[]) => Baseline[];

/** The passes with the chosen baselines, or the names that no baseline has. `only` may name any of `leftOut`. */
export function passesOf(only: string | undefined, leftOut: string[]): { passes: Pass[] } | { fault: string } {
  const names = only?.split(',') ?? baselineNames.filter((name) => !leftOut.includes(name));
  const unknown = names.filter((name) => !baselineNames.some((baseline) => baseline === name));
  if (unknown.length > 0) return { fault: `--only has no ${unknown.join(', ')}. It has: ${baselineNames.join(', ')}` };
  const chosen: BaselineFilter = (candidates) => candidates.filter((name) => names.includes(name));
  const passes = [relaxed, always, budgets].map((pass) => pass(chosen));
  return { passes: passes.filter(({ scenarios: left }) => left.length > 0) };
}

function passOf(durability: Durability, scenariosOfPass: Scenario[]): Pass {
  const names = scenariosOfPass.flatMap(({ subject, others }) => [subject, ...others]);
  return { durability, contenders: [...new Set(names)], scenarios: scenariosOfPass };
}

function scenarios(
  load: LoadType,
  durability: Durability,
  eventCounts: readonly number[],
  subject: ContenderName,
  others: ContenderName[],
): Scenario[] {
  if (others.length === 0) return [];
  return eventCounts.flatMap((events) =>
    connectionCounts.map((connections) => ({ load, durability, events, connections, subject, others })),
  );
}

type Circumstances = Pick<Scenario, 'events' | 'connections' | 'durability'>;

/** A scenario in words, the same in lines, tables and reports. */
export function nameOf(scenario: Circumstances & Pick<Scenario, 'load' | 'subject'>): string {
  const { load, subject } = scenario;
  return `${load}${subject === 'parterre' ? '' : ` of ${subject}`}, ${circumstancesOf(scenario)}`;
}

export function circumstancesOf({ events, connections, durability }: Circumstances): string {
  const sync = durability === 'always' ? 'always' : '2m';
  return `${events} event${events === 1 ? '' : 's'}, ${connections} connections, sync ${sync}`;
}
