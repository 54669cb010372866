/**
 * What is printed when everything runs: the address, the keys, where the metrics are, and five commands to paste one after the
 * other; of a cluster also every front door, and how to kill a part. What of the demo was deleted since is left out.
 */
import { join } from 'node:path';
import { demoTheatre } from '../generate-charts.mjs';
import { createApi } from './api.ts';
import type { Demo } from './demo.ts';

const feedSeconds = 10;

export type Started = {
  demo: Demo;
  /** False when the demo was there before. */
  isNew: boolean;
  tookMs: number;
  dataFolder: string;
  /** Of a cluster the front doors' addresses. */
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
    `  root token       ${demo.rootToken}`,
    `  test secret      ${keys.secretTest}`,
    `  test publishable ${keys.publishableTest}`,
    `  live secret      ${keys.secretLive}`,
    `  live publishable ${keys.publishableLive}`,
    ...(left.length > 0 ? [`  ${left.join(', ')}`] : []),
    '',
    ...(testEvent ? await firstSale(demo) : []),
    `${join(dataFolder, 'run.json')} says where the metrics of each service are.`,
    '',
    ...(cluster ? aboutCluster(cluster.urls, dataFolder) : []),
    'Ctrl-C stops everything; the next start keeps it all.',
    '',
  ].join('\n');
}

/** What a page has to know stands after the `#`, which browsers send to nobody. */
export function demoPageOf({ url, eventKey, keys }: Demo): string {
  return `${url}/demo#event=${eventKey}&key=${keys.publishableTest}`;
}

/** False only where the answer is that there is no such thing. */
async function isThere({ url }: Demo, path: string, secret: string): Promise<boolean> {
  return (await createApi(url).ask('GET', `/v1/${path}`, secret)).status !== 404;
}

async function firstSale(demo: Demo): Promise<string[]> {
  const seats = await freeNeighbours(demo);
  return [
    'A first sale, to paste into another terminal:',
    '',
    ...commands(demo, seats).flatMap(([title, command]) => [`${title}:`, command, '']),
  ];
}

function aboutCluster(urls: string[], dataFolder: string): string[] {
  const runFile = join(dataFolder, 'run.json');
  return [
    `Front doors: ${urls.join('  ')}`,
    '',
    'Kill a part, here a shard; it is started again, and its log tells what it did meanwhile:',
    `kill -9 $(node -p 'require("${runFile}").processes["inventory-shard-1"]')`,
    '',
    `${runFile} names every process. STOP and CONT instead of -9 let one sleep and wake up, TERM restarts it in good order.`,
    '',
  ];
}

/** Each is one line for sh and bash, and needs nothing but curl and sed. */
function commands({ url, keys, eventKey }: Demo, seats: [string, string]): [string, string][] {
  const event = `${url}/v1/events/${eventKey}`;
  const auth = `-H 'Authorization: Bearer ${keys.secretTest}'`;
  const post = (path: string, body: string) =>
    `curl -s ${auth} -H 'Content-Type: application/json' ${event}/${path} -d ${body}`;
  const hold = post('hold', `'${JSON.stringify({ labels: seats })}'`);
  const holdId = `sed 's/.*"holdId":"\\([^"]*\\)".*/\\1/'`;
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

/** Two seats side by side in one row that are free now: on a later start the first ones may be sold. */
async function freeNeighbours(demo: Demo): Promise<[string, string]> {
  const answer = await createApi(demo.url).ask('GET', `/v1/events/${demo.eventKey}/objects`, demo.keys.secretTest);
  const taken = (answer.body as { seats?: Record<string, string> }).seats ?? {};
  const pairs = rowNeighbours();
  return pairs.find((pair) => pair.every((label) => (taken[label] ?? 'free') === 'free')) ?? pairs[0]!;
}

function rowNeighbours(): [string, string][] {
  return demoTheatre().objects.flatMap((object) => {
    if (object.type !== 'row') return [];
    const first = object.seatLabelStart ?? 1;
    const label = (index: number) => `${object.label}-${first + index}`;
    return Array.from({ length: Math.floor(object.seatCount / 2) }, (_, i): [string, string] => [
      label(2 * i),
      label(2 * i + 1),
    ]);
  });
}
