/**
 * `npm run bench -- groups`: the cost of a group sale beside the single sales that it replaces. A group of events is on
 * sale, and its events are sold alone too. Three loads take turns: single sales, group sales, and both at once. A sale
 * is a hold with its booking, of one seat, or of one seat in every event.
 *
 * The ratio divides the CPU of a group sale, over all server processes, by that of as many single sales as the group
 * has events. The goal is 1.5. Under both loads at once, the single sales count with their CPU of the same turn's own
 * load.
 */
import { endWith, readArguments } from '../arguments.ts';
import { medianOf } from '../load/quantile.ts';
import { type GroupWorld, openGroupWorld, type Turn } from './group-world.ts';

const options = readArguments({
  events: { type: 'string', default: '4' },
  pairs: { type: 'string', default: '7' },
  seconds: { type: 'string', default: '2.5' },
  connections: { type: 'string', default: '64' },
});
const [events, pairs, seconds, connections] = [options.events, options.pairs, options.seconds, options.connections].map(
  Number,
) as [number, number, number, number];
if (!(events >= 2 && events <= 8)) endWith('--events is a number from 2 to 8');
if (!(pairs >= 1 && seconds > 0 && connections >= 2)) endWith('--pairs, --seconds and --connections are numbers');

const goal = 1.5;
/** Node compiles for so long: see bench/README.md. */
const warmUpSeconds = 6;
/** Enough to tell a message that each sale appends from one that comes now and then. */
const aloneSeconds = 1;

type Pair = { single: Turn; group: Turn; both: Turn };

const total = ({ cpu }: Turn): number => Object.values(cpu).reduce((sum, each) => sum + each, 0);
const microsPer = (seconds: number, sales: number): number => (seconds * 1e6) / sales;

async function measure(): Promise<void> {
  const world = await openGroupWorld();
  try {
    await warmUp(world);
    const taken: Pair[] = [];
    for (let pair = 0; pair < pairs; pair++) {
      taken.push(await pairOf(world, pair % 2 === 0));
      console.log(`  ${ratiosText(taken.at(-1)!)}`);
    }
    tell(taken);
    await tellAlone(world);
  } finally {
    await world.stop();
  }
}

async function warmUp(world: GroupWorld): Promise<void> {
  const run = await world.openRun(events, connections);
  await world.turn(run, { singles: connections, groups: 0, seconds: warmUpSeconds });
  await world.turn(run, { singles: 0, groups: connections, seconds: warmUpSeconds });
}

/** Single sales and group sales change places every second time. */
async function pairOf(world: GroupWorld, isSingleFirst: boolean): Promise<Pair> {
  const run = await world.openRun(events, connections);
  const one = () => world.turn(run, { singles: connections, groups: 0, seconds });
  const all = () => world.turn(run, { singles: 0, groups: connections, seconds });
  const half = connections / 2;
  const first = await (isSingleFirst ? one() : all());
  const both = await world.turn(run, { singles: Math.ceil(half), groups: Math.floor(half), seconds });
  const last = await (isSingleFirst ? all() : one());
  return { single: isSingleFirst ? first : last, group: isSingleFirst ? last : first, both };
}

/** CPU of a group sale ÷ that of its single sales: of the group's own load, and beside single sales. */
function ratiosOf({ single, group, both }: Pair): { alone: number; beside: number } {
  const ofSingle = microsPer(total(single), single.singleSales);
  const ofOthers = microsPer(total(both), both.groupSales) - (ofSingle * both.singleSales) / both.groupSales;
  return {
    alone: microsPer(total(group), group.groupSales) / (events * ofSingle),
    beside: ofOthers / (events * ofSingle),
  };
}

function ratiosText(pair: Pair): string {
  const { alone, beside } = ratiosOf(pair);
  const rate = ({ singleSales, groupSales, seconds: length }: Turn): string =>
    [singleSales, groupSales].map((sales) => (sales / length).toFixed(0)).join(' + ');
  const rates = [pair.single, pair.group, pair.both].map(rate).join(', ');
  return `ratio ${alone.toFixed(2)}, beside single sales ${beside.toFixed(2)}; single + group sales/s: ${rates}`;
}

function tell(taken: readonly Pair[]): void {
  console.log(`\n${events} events, ${connections} connections, medians of ${taken.length} turns`);
  tellCpu('a single sale', taken, ({ single }) => [single, single.singleSales]);
  tellCpu('a group sale', taken, ({ group }) => [group, group.groupSales]);
  const ratios = taken.map(ratiosOf);
  for (const [what, values] of [
    ['a group sale ÷ its single sales', ratios.map(({ alone }) => alone)],
    ['the same beside single sales', ratios.map(({ beside }) => beside)],
  ] as const) {
    const spread = `${Math.min(...values).toFixed(2)}..${Math.max(...values).toFixed(2)}`;
    console.log(`  ${what}: ${medianOf(values).toFixed(2)} (${spread}), goal ${goal}`);
    if (medianOf(values) > goal) process.exitCode = 1;
  }
  const single = medianOf(taken.map((pair) => pair.single.messages / pair.single.singleSales));
  const group = medianOf(taken.map((pair) => pair.group.messages / pair.group.groupSales));
  console.log(`  messages in the journals: ${single.toFixed(2)} a single sale, ${group.toFixed(2)} a group sale`);
}

function tellCpu(what: string, taken: readonly Pair[], of: (pair: Pair) => [turn: Turn, sales: number]): void {
  const names = Object.keys(of(taken[0]!)[0].cpu);
  const micros = names.map((name) =>
    medianOf(
      taken.map((pair) => {
        const [turn, sales] = of(pair);
        return microsPer(turn.cpu[name]!, sales);
      }),
    ),
  );
  const all = medianOf(
    taken.map((pair) => {
      const [turn, sales] = of(pair);
      return microsPer(total(turn), sales);
    }),
  );
  const told = names.map((name, at) => `${name} ${micros[at]!.toFixed(0)}`);
  console.log(`  µs of CPU ${what}: ${told.join(', ')}, all ${all.toFixed(0)}`);
}

/** One buyer alone: nothing shares a message with the sale. */
async function tellAlone(world: GroupWorld): Promise<void> {
  const run = await world.openRun(events, 1);
  const single = await world.turn(run, { singles: 1, groups: 0, seconds: aloneSeconds });
  const group = await world.turn(run, { singles: 0, groups: 1, seconds: aloneSeconds });
  const one = single.messages / single.singleSales;
  const all = group.messages / group.groupSales;
  console.log(`  of one buyer alone: ${one.toFixed(1)} a single sale, ${all.toFixed(1)} a group sale`);
}

await measure();
