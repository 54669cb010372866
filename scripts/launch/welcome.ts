/**
 * The text that the launcher prints when everything runs: the address, the keys, where the metrics are, and five
 * commands to paste one after the other. A cluster's text also names every front door and a command that kills a part.
 * The text leaves out those parts of the demo that were deleted since. Journals and containers keep a program's
 * output, so the root token and the live secret are printed at the first start alone.
 */
import { join } from 'node:path';
import { createApi } from './api.ts';
import type { Demo } from './demo.ts';
import { freeNeighbours } from './demo-seats.ts';

const feedSeconds = 10;

export type Started = {
  demo: Demo;
  /** False when the demo was there before. */
  isNew: boolean;
  tookMs: number;
  dataFolder: string;
  /** The front doors' addresses. Null where one of each service runs. */
  cluster: { urls: string[] } | null;
};

export async function welcome({ demo, isNew, tookMs, dataFolder, cluster }: Started): Promise<string> {
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
    '',
    `Parterre is ready at ${demo.url} (${(tookMs / 1000).toFixed(1)} s)`,
    ...(testEvent ? ['', 'Open the seat map in a browser, choose seats and hold them:', demoPageOf(demo)] : []),
    '',
    `  organisation     ${demo.organisation}${isNew ? '' : '  (kept from an earlier start)'}`,
    ...(isNew ? [`  root token       ${demo.rootToken}`] : []),
    `  test secret      ${keys.secretTest}`,
    `  test publishable ${keys.publishableTest}`,
    ...(isNew ? [`  live secret      ${keys.secretLive}`] : []),
    `  live publishable ${keys.publishableLive}`,
    ...(left.length > 0 ? [`  ${left.join(', ')}`] : []),
    ...(isNew ? [] : ['  `npx parterre demo` prints the root token and the live secret.']),
    '',
    ...(testEvent ? await firstSale(demo) : []),
    `${join(dataFolder, 'run.json')} says where the metrics of each service are.`,
    `${join(dataFolder, 'logs')} has the logs (with PARTERRE_LOG=stderr this terminal shows them).`,
    '',
    ...(cluster ? aboutCluster(cluster.urls, dataFolder) : []),
    'Ctrl-C stops everything. The next start goes on with the same data.',
    '',
  ].join('\n');
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
    ...commands(demo, seats).flatMap(([title, command]) => [`${title}:`, command, '']),
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
