/**
 * The recorded results as tables: bench/RESULTS.md has medians with the least and the greatest turn, the README's
 * extract has medians of ratios. Pure.
 */

import type { Durability } from './contender.ts';
import type { ScenarioResult, Spread } from './figures.ts';
import { circumstancesOf, connectionCounts, type LoadType, manyEvents, nameOf } from './passes.ts';
import type { Results } from './results.ts';
import { spreadText } from './tell.ts';

export function pageOf(results: Results): string {
  const { scenarios } = results;
  const of = (load: LoadType, subject = 'parterre'): ScenarioResult[] =>
    scenarios.filter((each) => each.load === load && each.subject === subject);
  const sections = [
    introductionOf(results),
    sectionOf('Sales', 'Successes a second: Parterre divided by each baseline.', ratioTable(of('sales'))),
    sectionOf('CPU', 'Microseconds a success, by process of Parterre.', cpuTable([...of('sales'), ...of('refusals')])),
    sectionOf(
      'Latency at equal load',
      'Half of the rate of Redis with `everysec` is offered to both, and latency counts from the due time of a request.',
      latencyTable(of('offered sales')),
    ),
    sectionOf('Refusals', 'Holds of sold seats, answered with 409.', rateTable(of('refusals'))),
    sectionOf(
      'Budgets',
      'Sales with every hold counted, beside lifted budgets.',
      rateTable(of('sales', 'parterre-budgets')),
    ),
    sectionOf('All contenders', 'Medians.', contenderTable(scenarios)),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** A row may have two ratios, to two baselines. */
const quoted: {
  title: string;
  load: LoadType;
  durability: Durability;
  of: (scenario: ScenarioResult) => (Spread | undefined)[];
}[] = [
  {
    title: 'Holds and bookings a second ÷ Redis (`everysec`) behind node:http; behind uWebSockets.js',
    load: 'sales',
    durability: 'relaxed',
    of: ({ ratios }) => [ratios['redis-everysec']?.perSecond, ratios['redis-uws-everysec']?.perSecond],
  },
  {
    title: 'The same with disk sync before every answer ÷ Redis (`always`)',
    load: 'sales',
    durability: 'always',
    of: ({ ratios }) => [ratios['redis-always']?.perSecond, ratios['redis-uws-always']?.perSecond],
  },
  {
    title: 'p99 at equal load, half of the rate of Redis ÷ Redis (`everysec`)',
    load: 'offered sales',
    durability: 'relaxed',
    of: ({ ratios }) => [ratios['redis-everysec']?.p99],
  },
  {
    title: 'CPU of all servers ÷ CPU of a bare echo',
    load: 'sales',
    durability: 'relaxed',
    of: ({ ratios }) => [ratios.echo?.cpuOfAll],
  },
];

/** The ratios that the README quotes. */
export function extractOf({ scenarios }: Results): string {
  const columns = [1, manyEvents].flatMap((events) => connectionCounts.map((connections) => ({ events, connections })));
  const rows = quoted.map(({ title, load, durability, of }) => [
    title,
    ...columns.map(({ events, connections }) => {
      const measured = scenarios.find(
        (each) => nameOf(each) === nameOf({ load, durability, events, connections, subject: 'parterre' }),
      );
      const ratios = measured ? of(measured) : [];
      if (!ratios.some(Boolean)) return '';
      return ratios.map((ratio) => ratio?.median.toFixed(2) ?? 'not measured').join('; ');
    }),
  ]);
  const heads = columns.map(
    ({ events, connections }) => `${events} event${events === 1 ? '' : 's'}, ${connections} connections`,
  );
  return table(['Parterre ÷ baseline', ...heads], rows);
}

function introductionOf({ date, machine, versions, settings, missing }: Results): string {
  const { pairs, seconds, cluster } = settings;
  const turns = `${pairs} turns of ${seconds} s each${cluster ? ', Parterre as a cluster' : ''}`;
  const numbers = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return [
    '# Results',
    '`npm run bench` writes this page. [The benchmark](README.md) explains the figures. Each figure is the median of all\nturns, with the least and the greatest in parentheses.',
    table(
      ['Run', `${date}, ${turns}`],
      [
        ['Machine', `${machine.cores} cores, ${machine.cpu}, ${machine.memoryGiB} GiB of memory`],
        ['Versions', numbers.join(', ')],
        ...(missing.length > 0 ? [['Not measured', missing.join(', ')]] : []),
      ],
    ),
  ].join('\n\n');
}

function sectionOf(title: string, text: string, content: string): string {
  return content === '' ? '' : `## ${title}\n\n${text}\n\n${content}`;
}

function ratioTable(scenarios: ScenarioResult[]): string {
  const columns = [
    'echo',
    'nats-echo',
    'redis-everysec',
    'redis-uws-everysec',
    'redis-always',
    'redis-uws-always',
    'postgres',
  ];
  const measured = columns.filter((name) => scenarios.some(({ ratios }) => ratios[name]));
  const hasEcho = measured.includes('echo');
  const rows = scenarios.map((each) => [
    circumstancesOf(each),
    spreadText(each.contenders[each.subject]!.perSecond, 0),
    ...measured.map((name) => cell(each.ratios[name]?.perSecond, 2)),
    ...(hasEcho ? [cell(each.ratios.echo?.cpuOfAll, 1)] : []),
  ]);
  const head = ['Load', 'Parterre, a second', ...measured.map((name) => `÷ ${name}`)];
  return table(hasEcho ? [...head, 'CPU ÷ echo'] : head, rows);
}

function cpuTable(scenarios: ScenarioResult[]): string {
  const processes = [...new Set(scenarios.flatMap((each) => Object.keys(each.contenders[each.subject]!.cpu)))];
  const rows = scenarios.map((each) => {
    const { cpu, cpuOfAll } = each.contenders[each.subject]!;
    const load = each.load === 'sales' ? circumstancesOf(each) : nameOf(each);
    return [load, ...processes.map((name) => cell(cpu[name], 0)), cell(cpuOfAll, 0)];
  });
  return table(['Load', ...processes, 'all'], rows);
}

function latencyTable(scenarios: ScenarioResult[]): string {
  const rows = scenarios.flatMap((each) =>
    Object.entries(each.ratios).map(([name, { p99 }]) => [
      circumstancesOf(each),
      each.offeredPerSecond!.toFixed(0),
      spreadText(each.contenders[each.subject]!.p99Ms, 1),
      spreadText(each.contenders[name]!.p99Ms, 1),
      spreadText(p99, 2),
    ]),
  );
  return table(['Load', 'Offered a second', 'Parterre p99, ms', 'Redis p99, ms', 'Parterre ÷ Redis'], rows);
}

/** The subject's rate beside each other contender's. */
function rateTable(scenarios: ScenarioResult[]): string {
  const rows = scenarios.flatMap((each) =>
    Object.entries(each.ratios).map(([name, { perSecond, cpuOfAll }]) => [
      circumstancesOf(each),
      spreadText(each.contenders[each.subject]!.perSecond, 0),
      `${name}: ${spreadText(each.contenders[name]!.perSecond, 0)}`,
      spreadText(perSecond, 2),
      spreadText(cpuOfAll, 2),
    ]),
  );
  return table(['Load', 'A second', 'Beside', 'Ratio', 'Ratio of CPU'], rows);
}

function contenderTable(scenarios: ScenarioResult[]): string {
  const rows = scenarios.flatMap((each) =>
    Object.entries(each.contenders).map(
      ([name, { perSecond, p50Ms, p99Ms, cpuOfAll, generatorCpu, generatorShare }]) => [
        `${each.load}, ${circumstancesOf(each)}`,
        name,
        perSecond.median.toFixed(0),
        p50Ms.median.toFixed(2),
        p99Ms.median.toFixed(2),
        cpuOfAll.median.toFixed(0),
        `${generatorCpu.median.toFixed(0)} (${(generatorShare.median * 100).toFixed(0)} % of a core)`,
      ],
    ),
  );
  return table(['Load', 'Contender', 'A second', 'p50, ms', 'p99, ms', 'CPU, µs', 'Load generator, µs'], rows);
}

function cell(spread: Spread | undefined, digits: number): string {
  return spread ? spreadText(spread, digits) : '';
}

/** '' without rows. */
function table(head: string[], rows: string[][]): string {
  if (rows.length === 0) return '';
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
