/**
 * The content of a fresh installation, made over the HTTP API as any platform would: an organisation, four keys, a
 * published chart, a test and a live event. Each step is written to setup.json before the next, so a start that was
 * killed half way continues there. demo.json is written when everything exists and runs,
 * after demo-keys.json, which tells front doors the keys of drawing visitors.
 */
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { demoTheatre } from '../generate-charts.mjs';
import { type Api, createApi } from './api.ts';
import type { DemoWish } from './config.ts';
import { demoKeysFile, readJson, writeJson } from './data-folder.ts';

export type Demo = {
  url: string;
  rootToken: string;
  organisation: string;
  keys: { secretTest: string; secretLive: string; publishableTest: string; publishableLive: string };
  chartId: string;
  eventKey: string;
  liveEventKey: string;
  pid: number;
};

type Keys = Demo['keys'];
/** An incomplete demo; the missing parts are made. */
type Setup = Partial<Omit<Demo, 'keys' | 'url' | 'pid'>> & {
  rootToken: string;
  keys: Partial<Keys>;
  /** A start has ended well: the next one is not the first. */
  started?: true;
  published?: true;
  /** The origins of the publishable test key. */
  origins?: string[];
  /** Of the drawings of visitors: their workspace, and a test secret key for nothing else. */
  drawings?: { workspaceId: string; secret?: string };
};

const credits = 1_000;
const rootTokenBytes = 36;

/** The token of an earlier start is kept, unless the environment names another. */
export function rootTokenOf(dataFolder: string, given: string | null): string {
  const known = readSetup(dataFolder).rootToken;
  const rootToken = given ?? (known || randomBytes(rootTokenBytes).toString('base64url'));
  writeJson(join(dataFolder, 'setup.json'), { ...readSetup(dataFolder), rootToken });
  // A reader that waits for the file gets the file of this start.
  rmSync(join(dataFolder, 'demo.json'), { force: true });
  return rootToken;
}

/**
 * `demo` is null for a deployment without one. `isNew`: the demo was made at this start. `isFirst`: no start of the
 * data folder ended well before. `isAsked`: this start makes the demo, or is asked for it. `pageOpens`: the key of the
 * demo's page has this start's address among its origins.
 */
export type DemoOfStart = { demo: Demo | null; isNew: boolean; isFirst: boolean; isAsked: boolean; pageOpens: boolean };

/**
 * The demo of this start. Only a first start makes one, or a start that is asked for it: later starts change nothing in
 * the store of a house that sells.
 */
export async function demoOfStart(dataFolder: string, urls: string[], wish: DemoWish): Promise<DemoOfStart> {
  const before = readSetup(dataFolder);
  const isFirst = before.started === undefined && before.liveEventKey === undefined;
  if (wish === 'on' || (wish === 'first-start' && isFirst)) {
    const made = await ensureDemo(dataFolder, urls);
    return { ...made, isFirst, isAsked: true, pageOpens: true };
  }
  writeJson(join(dataFolder, 'setup.json'), { ...before, started: true });
  const demo = wholeDemo(before, urls[0]!);
  if (demo !== null) writeJson(join(dataFolder, 'demo.json'), demo);
  return { demo, isNew: false, isFirst, isAsked: false, pageOpens: before.origins?.join() === urls.join() };
}

/** Null while a part is missing. */
function wholeDemo(setup: Setup, url: string): Demo | null {
  const { rootToken, organisation, keys, chartId, eventKey, liveEventKey } = setup;
  if (organisation === undefined || chartId === undefined) return null;
  if (eventKey === undefined || liveEventKey === undefined) return null;
  return { url, rootToken, organisation, keys: keys as Keys, chartId, eventKey, liveEventKey, pid: process.pid };
}

/** Makes the missing parts, and writes demo.json. `urls` are those of the front doors. */
export async function ensureDemo(dataFolder: string, urls: string[]): Promise<{ demo: Demo; isNew: boolean }> {
  const url = urls[0]!;
  const api = createApi(url);
  const before = readSetup(dataFolder);
  const isNew = before.liveEventKey === undefined;
  const known = await stillKnown(api, before);
  const setup: Setup = known ? before : { rootToken: before.rootToken, keys: {} };
  const save = () => writeJson(join(dataFolder, 'setup.json'), setup);
  await makeKeys(api, setup, urls, save);
  const keys = setup.keys as Keys;
  await makeChart(api, setup, keys.secretTest, save);
  setup.eventKey ??= await makeEvent(api, keys.secretTest, setup.chartId!, 'demo-night', 'Demo night');
  save();
  setup.liveEventKey ??= await makeEvent(api, keys.secretLive, setup.chartId!, 'demo-night-live', 'Demo night, live');
  save();
  const demo = wholeDemo(setup, url)!;
  await makeDrawings(api, setup, save);
  setup.started = true;
  save();
  writeJson(demoKeysFile(dataFolder), { secret: setup.drawings!.secret, publishable: keys.publishableTest });
  writeJson(join(dataFolder, 'demo.json'), demo);
  return { demo, isNew: isNew || !known };
}

function readSetup(dataFolder: string): Setup {
  const demo = readJson<Setup>(join(dataFolder, 'setup.json')) ?? readJson<Setup>(join(dataFolder, 'demo.json'));
  return demo ?? { rootToken: '', keys: {} };
}

/** False when the services use another store than the keys' (after a change of MONGODB_URL, for example). */
async function stillKnown(api: Api, setup: Setup): Promise<boolean> {
  const { secretTest } = setup.keys;
  if (!secretTest) return true;
  return (await api.ask('GET', '/v1/charts?limit=1', secretTest)).status !== 401;
}

async function makeKeys(api: Api, setup: Setup, origins: string[], save: () => void): Promise<void> {
  if (!setup.organisation) {
    const body = { name: 'Demo organisation', currency: 'EUR', credits };
    const made = await api.make<{ organisation: { id: string } }>('/v1/admin/organisations', setup.rootToken, body);
    setup.organisation = made.organisation.id;
    save();
  }
  // On another port the page has another origin, and a key's origins never change.
  if (setup.origins?.join() !== origins.join()) delete setup.keys.publishableTest;
  setup.origins = origins;
  const wanted = [
    { name: 'secretTest', body: { kind: 'secret', mode: 'test' } },
    { name: 'secretLive', body: { kind: 'secret', mode: 'live' } },
    { name: 'publishableTest', body: { kind: 'publishable', mode: 'test', origins } },
    { name: 'publishableLive', body: { kind: 'publishable', mode: 'live', origins: ['https://example.com'] } },
  ] as const;
  for (const { name, body } of wanted) {
    if (setup.keys[name]) continue;
    const path = `/v1/admin/organisations/${setup.organisation}/keys`;
    setup.keys[name] = (await api.make<{ secret: string }>(path, setup.rootToken, body)).secret;
    save();
  }
}

async function makeDrawings(api: Api, setup: Setup, save: () => void): Promise<void> {
  if (!setup.drawings) {
    const body = { name: 'Drawings of visitors' };
    const made = await api.make<{ workspace: { id: string } }>('/v1/workspaces', setup.keys.secretTest!, body);
    setup.drawings = { workspaceId: made.workspace.id };
    save();
  }
  if (setup.drawings.secret) return;
  const path = `/v1/admin/organisations/${setup.organisation}/keys`;
  const body = { kind: 'secret', mode: 'test', workspaceId: setup.drawings.workspaceId };
  setup.drawings.secret = (await api.make<{ secret: string }>(path, setup.rootToken, body)).secret;
  save();
}

async function makeChart(api: Api, setup: Setup, secret: string, save: () => void): Promise<void> {
  if (!setup.chartId) {
    const doc = demoTheatre();
    setup.chartId = (await api.make<{ meta: { id: string } }>('/v1/charts', secret, { name: doc.name, doc })).meta.id;
    save();
  }
  if (setup.published) return;
  await api.make(`/v1/charts/${setup.chartId}/publish`, secret, {});
  setup.published = true;
  save();
}

/** The slug is the event's key. It may be taken, by an earlier try of this start or in a shared store. */
async function makeEvent(api: Api, secret: string, chartId: string, slug: string, name: string): Promise<string> {
  const made = await api.ask('POST', '/v1/events', secret, { chartId, slug, name });
  if (made.status < 300) return slug;
  if (made.status !== 409) throw api.failure('POST /v1/events', made);
  if ((await api.ask('GET', `/v1/events/${slug}`, secret)).status === 200) return slug;
  const another = `${slug}-${randomBytes(3).toString('hex')}`;
  await api.make('/v1/events', secret, { chartId, slug: another, name });
  return another;
}
