/**
 * Parterre as `npm start` runs it, budgets on, with a neighbour, whose organisation sells at a steady rate and is
 * measured. Each attack has an organisation of its own, so that no attack is refused for an earlier one.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { compilePlan } from '@parterre/shared/charts/compile';
import { MIB } from '@parterre/shared/runtime/units';
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

export type Attacker = { secret: string; publishable: string; chartId: string; eventKey: string };

/** The halls of attackers: 118, 20,000 and 100,000 places. */
const halls = { small: demoTheatre, theatre: theatreAndArena, bowl };

export async function openNeighbourWorld(checkout?: string) {
  const parterre = await startParterre(checkout === undefined ? {} : { checkout });
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
    const chart = async (doc: unknown, token: string): Promise<string> => {
      const { meta } = await call<{ meta: { id: string } }>('/v1/charts', { name: 'Hall', doc }, token);
      await call(`/v1/charts/${meta.id}/publish`, {}, token);
      return meta.id;
    };
    const event = async (chartId: string, token: string): Promise<string> =>
      (await call<{ meta: { key: string } }>('/v1/events', { chartId }, token)).meta.key;

    /** A new organisation, whose budgets are unused. */
    const newAttacker = async (hall: keyof typeof halls): Promise<Attacker> => {
      const owner = await organisation('Attacker');
      const secret = await key(owner, 'secret');
      const chartId = await chart(halls[hall](), secret);
      const eventKey = await event(chartId, secret);
      return { secret, publishable: await key(owner, 'publishable'), chartId, eventKey };
    };
    return {
      url,
      port: Number(new URL(url).port),
      newAttacker,
      newEvents: (count: number, { chartId, secret }: Attacker) => manyEvents(count, () => event(chartId, secret)),
      newVisitor: () => drawingVisitor(url),
      neighbour: await openNeighbour({ organisation, key, chart, event, call, rootToken }),
      processes: () => processesIn(parterre.dataDir),
      stop: () => parterre.stop(),
    };
  } catch (error) {
    await parterre.stop();
    throw error;
  }
}

type Calls = {
  rootToken: string;
  call<T>(path: string, body: unknown, token: string): Promise<T>;
  organisation(name: string): Promise<string>;
  key(owner: string, kind: 'secret' | 'publishable'): Promise<string>;
  chart(doc: unknown, token: string): Promise<string>;
  event(chartId: string, token: string): Promise<string>;
};

async function openNeighbour({ rootToken, call, organisation, key, chart, event }: Calls) {
  const id = await organisation('Neighbour');
  const tokens: string[] = [];
  for (let at = 0; at < neighbourKeys; at++) tokens.push(await key(id, 'secret'));
  const chartId = await chart(theatreAndArena(), tokens[0]!);
  const users = Array.from({ length: neighbourUsers }, (_, at) => ({
    email: `user-${at}@neighbour.example`,
    password,
  }));
  for (const user of users) {
    await call(`/v1/admin/organisations/${id}/users`, { ...user, role: 'admin' }, rootToken);
  }
  // This user has logged in from here before, unlike the others.
  await call('/v1/dashboard/login', users[0], 'none');
  return {
    tokens,
    publishable: await key(id, 'publishable'),
    eventKey: await event(chartId, tokens[0]!),
    unseen: await manyEvents(unseenEvents, () => event(chartId, tokens[0]!)),
    users,
    labels: labelsForSale(),
  };
}

async function manyEvents(count: number, event: () => Promise<string>): Promise<string[]> {
  const keys: string[] = [];
  let begun = 0;
  const maker = async (): Promise<void> => {
    while (begun++ < count) keys.push(await event());
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

/** All labels of an event of 100,000 seats, and of one of 20,000 places. */
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
