/**
 * The text that the launcher prints when everything runs: the address, the demo's keys, where the console and the
 * metrics are, and five commands to paste one after the other. A cluster's text also names every front door and a
 * command that kills a part. The text leaves out those parts of the demo that were deleted since. Journals and
 * containers keep a program's output, so the root token and the live secret are printed once, and the other keys by a
 * start that makes the demo or is asked for it.
 */
import { join } from 'node:path';
import { createApi } from './api.ts';
import type { Demo, DemoOfStart } from './demo.ts';
import { freeNeighbours } from './demo-seats.ts';

const feedSeconds = 10;

export type Started = DemoOfStart & {
  rootToken: string;
  /** The front doors' addresses. */
  urls: string[];
  isCluster: boolean;
  tookMs: number;
  dataFolder: string;
};

export async function welcome(started: Started): Promise<string> {
  const { demo, isFirst, isAsked, rootToken, urls, isCluster, tookMs, dataFolder } = started;
  return [
    '',
    `Parterre is ready at ${urls[0]} (${(tookMs / 1000).toFixed(1)} s)`,
    '',
    ...(isFirst
      ? [
          `  root token       ${rootToken}`,
          `  It is printed once. ${join(dataFolder, 'setup.json')} keeps it, for its owner alone.`,
          '',
        ]
      : []),
    ...(demo === null ? withoutDemo : isAsked ? await aboutDemo(demo, started.isNew) : aboutKeptDemo(demo, started)),
    '',
    `The console is at ${urls[0]}/console. People sign in with a user: \`npx parterre help user\`.`,
    `${join(dataFolder, 'run.json')} says where the metrics of each service are.`,
    `${join(dataFolder, 'logs')} has the logs (with PARTERRE_LOG=stderr this terminal shows them).`,
    '',
    ...(isCluster ? aboutCluster(urls, dataFolder) : []),
    'Ctrl-C stops everything. The next start goes on with the same data.',
    '',
  ].join('\n');
}

const withoutDemo = [
  'There is no demo here; `npm start -- --demo` makes one. An organisation of your own:',
  'npx parterre org create "Municipal theatre" --currency EUR --credits 500',
];

/** Names nothing that a start would have to ask for. */
function aboutKeptDemo(demo: Demo, { pageOpens }: DemoOfStart): string[] {
  return [
    ...(pageOpens ? ['The seat map of the demo:', demoPageOf(demo)] : []),
    '`npx parterre demo` prints the keys of the demo, and the root token. `npx parterre try` sells two of its seats.',
    ...(pageOpens ? [] : ['The page of the demo has another address now: `npm start -- --demo` opens it here.']),
  ];
}

async function aboutDemo(demo: Demo, isNew: boolean): Promise<string[]> {
  const { keys } = demo;
  const [chart, testEvent, liveEvent] = await Promise.all([
    isThere(demo, `charts/${demo.chartId}`, keys.secretTest),
    isThere(demo, `events/${demo.eventKey}`, keys.secretTest),
    isThere(demo, `events/${demo.liveEventKey}`, keys.secretLive),
  ]);
  const left = [
    chart && `chart ${demo.chartId}`,
    testEvent && `test event ${demo.eventKey}`,
    liveEvent && `live event ${demo.liveEventKey}`,
  ].filter(Boolean);
  return [
    ...(testEvent ? ['Open the seat map in a browser, choose seats and hold them:', demoPageOf(demo), ''] : []),
    `  organisation     ${demo.organisation}${isNew ? '' : '  (kept from an earlier start)'}`,
    `  test secret      ${keys.secretTest}`,
    `  test publishable ${keys.publishableTest}`,
    ...(isNew ? [`  live secret      ${keys.secretLive}`] : []),
    `  live publishable ${keys.publishableLive}`,
    ...(left.length > 0 ? [`  ${left.join(', ')}`] : []),
    ...(isNew ? [] : ['  `npx parterre demo` prints the root token and the live secret.']),
    ...(testEvent ? ['', ...(await firstSale(demo))] : []),
  ];
}

/** The event and the key stand after the `#`, which browsers send to no server. */
export function demoPageOf({ url, eventKey, keys }: Demo): string {
  return `${url}/demo#event=${eventKey}&key=${keys.publishableTest}`;
}

/** False only where the server answers 404. */
async function isThere({ url }: Demo, path: string, secret: string): Promise<boolean> {
  return (await createApi(url).ask('GET', `/v1/${path}`, secret)).status !== 404;
}

async function firstSale(demo: Demo): Promise<string[]> {
  const seats = await freeNeighbours(demo);
  return [
    'A first sale, to paste into another terminal (`npx parterre try` prints the commands of another sale):',
    '',
    ...commands(demo, seats)
      .flatMap(([title, command]) => [`${title}:`, command, ''])
      .slice(0, -1),
  ];
}

function aboutCluster(urls: string[], dataFolder: string): string[] {
  const runFile = join(dataFolder, 'run.json');
  return [
    `Front doors: ${urls.join('  ')}`,
    '',
    'Kill a shard while you sell. The other shards take its partitions, and the launcher starts it again:',
    `kill -9 $(node -p 'require("${runFile}").processes["inventory-shard-1"]')`,
    '',
    `${runFile} names every process. STOP pauses a process, CONT resumes it, TERM restarts it in good order.`,
    '',
  ];
}

/** Each command is one line for sh and bash, and needs curl and node. */
function commands({ url, keys, eventKey }: Demo, seats: [string, string]): [string, string][] {
  const event = `${url}/v1/events/${eventKey}`;
  const auth = `-H 'Authorization: Bearer ${keys.secretTest}'`;
  const post = (path: string, body: string) =>
    `curl -s ${auth} -H 'Content-Type: application/json' ${event}/${path} -d ${body}`;
  const hold = post('hold', `'${JSON.stringify({ labels: seats })}'`);
  const holdId = `node -p 'JSON.parse(fs.readFileSync(0)).holdId'`;
  return [
    ['See the map', `curl -s ${auth} ${event}/chart; echo`],
    [`Hold seats ${seats.join(' and ')}`, `HOLD=$(${hold} | ${holdId}); echo "$HOLD"`],
    ['Book them', `${post('book', `"{\\"holdId\\":\\"$HOLD\\",\\"bookingRef\\":\\"order-$(date +%s)\\"}"`)}; echo`],
    [
      `Watch the feed for ${feedSeconds} seconds (without --max-time: until Ctrl-C)`,
      `curl -sN --max-time ${feedSeconds} ${auth} ${event}/feed`,
    ],
    ['Read the report', `curl -s ${auth} ${event}/report; echo`],
  ];
}
