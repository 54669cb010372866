/**
 * Parterre as `npm start` runs it, budgets on, with two organisations. The attacker has one of them, and visits the demo
 * too. The neighbour has the other one, sells at a steady rate and is measured.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { compilePlan } from '@parterre/shared/chart/compile';
import { MIB } from '@parterre/shared/units';
import { bowl, demoTheatre, theatreAndArena } from '../../scripts/generate-charts.mjs';
import { startParterre } from '../../test/support/servers/server.ts';
import { post } from '../load/post.ts';
import { labelsForSale, processesIn } from '../sales/parterre.ts';

export type NeighbourWorld = Awaited<ReturnType<typeof openNeighbourWorld>>;

export const origin = 'https://shop.example';

/** A key holds 600 times a minute at most. */
const neighbourKeys = 4;
/** One who logs in often, and others who log in once. */
const neighbourUsers = 1 + 8;
const password = 'a long enough password';
/** Events whose pages the neighbour opens beside the watchers. Nobody has asked for them before. */
const unseenEvents = 3;
const eventsAtOnce = 16;
const bytesPerKb = 1024;

/** `watched` small events belong to the attacker. */
export async function openNeighbourWorld(options: { checkout?: string; watched: number }) {
  const parterre = await startParterre(options.checkout === undefined ? {} : { checkout: options.checkout });
  try {
    const { url, rootToken } = parterre;
    const call = <T>(path: string, body: unknown, token: string): Promise<T> => post(`${url}${path}`, body, token);
    const organisation = async (name: string): Promise<string> => {
      const body = { name, currency: 'EUR' };
      return (await call<{ organisation: { id: string } }>('/v1/admin/organisations', body, rootToken)).organisation.id;
    };
    const key = async (owner: string, kind: 'secret' | 'publishable'): Promise<string> => {
      const body = { kind, mode: 'test', ...(kind === 'publishable' && { origins: [origin] }) };
      return (await call<{ secret: string }>(`/v1/admin/organisations/${owner}/keys`, body, rootToken)).secret;
    };
    const chart = async (name: string, doc: unknown, token: string): Promise<string> => {
      const { meta } = await call<{ meta: { id: string } }>('/v1/charts', { name, doc }, token);
      await call(`/v1/charts/${meta.id}/publish`, {}, token);
      return meta.id;
    };
    const event = async (chartId: string, token: string): Promise<string> =>
      (await call<{ meta: { key: string } }>('/v1/events', { chartId }, token)).meta.key;

    const [attackerId, neighbourId] = [await organisation('Attacker'), await organisation('Neighbour')];
    const secret = await key(attackerId, 'secret');
    const bowlChart = await chart('Bowl', bowl(), secret);
    const hallChart = await chart('Hall', theatreAndArena(), secret);
    const attacker = {
      secret,
      publishable: await key(attackerId, 'publishable'),
      chartId: bowlChart,
      bowlEvent: await event(bowlChart, secret),
      hallEvent: await event(hallChart, secret),
      watched: await watchedEvents(options.watched, event, () => chart('Small', demoTheatre(), secret), secret),
      visitor: await drawingVisitor(url),
    };
    const tokens: string[] = [];
    for (let at = 0; at < neighbourKeys; at++) tokens.push(await key(neighbourId, 'secret'));
    const ownChart = await chart('Hall', theatreAndArena(), tokens[0]!);
    const unseen: string[] = [];
    for (let at = 0; at < unseenEvents; at++) unseen.push(await event(ownChart, tokens[0]!));
    const users = Array.from({ length: neighbourUsers }, (_, at) => ({
      email: `user-${at}@neighbour.example`,
      password,
    }));
    for (const user of users) {
      await call(`/v1/admin/organisations/${neighbourId}/users`, { ...user, role: 'admin' }, rootToken);
    }
    // This user has logged in from here before, unlike the others.
    await call('/v1/dashboard/login', users[0], 'none');
    const neighbour = {
      tokens,
      publishable: await key(neighbourId, 'publishable'),
      eventKey: await event(ownChart, tokens[0]!),
      unseen,
      users,
      labels: labelsForSale(),
    };
    const processes = () => processesIn(parterre.dataDir);
    const port = Number(new URL(url).port);
    return { url, port, attacker, neighbour, processes, stop: () => parterre.stop() };
  } catch (error) {
    await parterre.stop();
    throw error;
  }
}

async function watchedEvents(
  count: number,
  event: (chartId: string, token: string) => Promise<string>,
  chart: () => Promise<string>,
  token: string,
): Promise<string[]> {
  if (count === 0) return [];
  const chartId = await chart();
  const keys: string[] = [];
  let begun = 0;
  const maker = async (): Promise<void> => {
    while (begun++ < count) keys.push(await event(chartId, token));
  };
  await Promise.all(Array.from({ length: eventsAtOnce }, maker));
  return keys;
}

/** A visitor of the demo who draws a chart of their own, without an account. */
async function drawingVisitor(url: string): Promise<{ token: string; chartId: string; origin: string }> {
  const headers = { Origin: url, 'Content-Type': 'application/json' };
  const response = await fetch(`${url}/demo/drafts`, { method: 'POST', headers, body: '{}' });
  if (!response.ok) throw new Error(`a drawing of the demo: ${response.status} ${await response.text()}`);
  const { token, chartId } = (await response.json()) as { token: string; chartId: string };
  return { token, chartId, origin: url };
}

/** All labels of the attacker's event of 100,000 seats. */
export function bowlLabels(): string[] {
  return [...compilePlan(bowl(), 'bench').labels.all()];
}

export function hallLabels(): string[] {
  return [...compilePlan(theatreAndArena(), 'bench').labels.all()];
}

/** From now on the peaks of these processes are new (proc(5), clear_refs). Returns a reader of the peaks in MiB. */
export function peaksOf(processes: Record<string, number>): () => Record<string, number> {
  for (const pid of Object.values(processes)) writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return () => {
    const peaks: Record<string, number> = {};
    for (const [name, pid] of Object.entries(processes)) {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      peaks[name] = (Number(/^VmHWM:\s+(\d+) kB/m.exec(status)![1]) * bytesPerKb) / MIB;
    }
    return peaks;
  };
}
