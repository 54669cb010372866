/** The attacks, in the order of the run, and what the neighbour does beside its holds. */
import type { Attack, AttackRequest } from './attack-process.ts';
import { bowlLabels, hallLabels, type NeighbourWorld, origin } from './neighbour-world.ts';

export type NamedAttack = {
  name: string;
  describes: string;
  /** Makes what the attack needs, before the measurement. */
  attack(world: NeighbourWorld): Promise<Attack>;
  /** Longer than the usual time, where an attack needs the time to build up. */
  secondsMin?: number;
  /** Runs during the attack, and returns a line for the report with the faults that fail the run. */
  beside?: (world: NeighbourWorld, seconds: number) => Promise<Beside>;
};
export type Beside = { told: string; faults: string[] };

/** More events than one front door keeps replicas of. */
const watchedEvents = 2_005;

/** 14.5 MiB, the body of the review; and 248 KiB, of which a tenant sends many. */
const junkObjects = 1_900_000;
const smallJunkObjects = 31_700;
const hugePerSecond = 100_000;
/** Connections of one address wait for an answer; the others are not slowed down. */
const refusedPerSecond = 1_000;
const pingBytesPerSecond = 119 * 1024 * 1024;

const networks = (count: number): string[] => Array.from({ length: count }, (_, at) => `127.0.${at + 1}.1`);
const json = { 'Content-Type': 'application/json' };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const requests = (connections: number, asked: AttackRequest[], perSecond = hugePerSecond, addresses = 1): Attack => ({
  type: 'requests',
  connections,
  perSecond,
  addresses: networks(addresses),
  requests: asked,
});

function savesWithKey(connections: number): NamedAttack {
  return {
    name: `saves-${connections}`,
    describes: `chart saves of 14.5 MiB with a secret key, ${connections} connections`,
    async attack({ newAttacker }) {
      const attacker = await newAttacker('small');
      const headers = { ...bearer(attacker.secret), ...json };
      const path = `/v1/charts/${attacker.chartId}`;
      return requests(connections, [{ method: 'PUT', path, headers, body: { junkObjects } }]);
    },
  };
}

const smallSaves: NamedAttack = {
  name: 'small-saves-8',
  describes: 'chart saves of 248 KiB with a secret key, 8 connections',
  async attack({ newAttacker }) {
    const attacker = await newAttacker('small');
    const headers = { ...bearer(attacker.secret), ...json };
    const path = `/v1/charts/${attacker.chartId}`;
    return requests(8, [{ method: 'PUT', path, headers, body: { junkObjects: smallJunkObjects } }], refusedPerSecond);
  },
};

const savesOfVisitor: NamedAttack = {
  name: 'saves-visitor-6',
  describes: 'chart saves of 14.5 MiB by an anonymous visitor of the demo, 6 connections',
  async attack({ newVisitor }) {
    const visitor = await newVisitor();
    const headers = { ...bearer(visitor.token), Origin: visitor.origin, ...json };
    const path = `/v1/charts/${visitor.chartId}`;
    return requests(6, [{ method: 'PUT', path, headers, body: { junkObjects } }]);
  },
};

function bulk(labels: number, connections: number): NamedAttack {
  return {
    name: `bulk-${labels / 1000}k-${connections}`,
    describes: `block and unblock of ${labels.toLocaleString('en')} labels, ${connections} connections`,
    async attack({ newAttacker }) {
      const attacker = await newAttacker('bowl');
      const body = JSON.stringify({ labels: bowlLabels().slice(0, labels) });
      const headers = { ...bearer(attacker.secret), ...json };
      const call = (action: string): AttackRequest => ({
        method: 'POST',
        path: `/v1/events/${attacker.eventKey}/${action}`,
        headers,
        body,
      });
      return requests(connections, [call('block'), call('unblock')], refusedPerSecond);
    },
  };
}

const reports: NamedAttack = {
  name: 'report-csv-6',
  describes: 'report.csv of 100,000 seats, 6 connections',
  async attack({ newAttacker }) {
    const attacker = await newAttacker('bowl');
    const path = `/v1/events/${attacker.eventKey}/report.csv`;
    return requests(6, [{ method: 'GET', path, headers: bearer(attacker.secret) }], refusedPerSecond);
  },
};

const liveAvailability: NamedAttack = {
  name: 'availability-8',
  describes: 'availability?live=1 of 100,000 seats with a publishable key, 8 connections',
  async attack({ newAttacker }) {
    const attacker = await newAttacker('bowl');
    const path = `/pub/events/${attacker.eventKey}/availability?live=1`;
    const headers = { ...bearer(attacker.publishable), Origin: origin };
    return requests(8, [{ method: 'GET', path, headers }], refusedPerSecond);
  },
};

const watchers: NamedAttack = {
  name: 'watchers',
  describes: `a watcher of each of ${watchedEvents.toLocaleString('en')} events, from 4 addresses`,
  async attack({ newAttacker, newEvents }) {
    const attacker = await newAttacker('small');
    const keys = await newEvents(watchedEvents, attacker);
    const paths = keys.map((key) => `/v1/events/${key}/feed`);
    return { type: 'watchers', paths, token: attacker.secret, addresses: networks(4), perSecond: 300 };
  },
  secondsMin: 14,
  beside: openPages,
};

function logins(addresses: number, connections: number): NamedAttack {
  return {
    name: `logins-${addresses}`,
    describes: `failing logins from ${addresses} addresses, ${connections} connections`,
    async attack() {
      const body = '{"email":"nobody-{n}@attacker.example","password":"a long enough password"}';
      const asked = { method: 'POST', path: '/v1/dashboard/login', headers: json, body };
      return requests(connections, [asked], refusedPerSecond, addresses);
    },
    beside: logIn,
  };
}

const pings: NamedAttack = {
  name: 'pings-20',
  describes: 'pings of 4 KB on 20 sockets of a publishable key, a gigabit a second',
  async attack({ newAttacker }) {
    const { eventKey, publishable } = await newAttacker('theatre');
    const eventPath = `/pub/events/${eventKey}`;
    return { type: 'pings', sockets: 20, eventPath, token: publishable, origin, bytesPerSecond: pingBytesPerSecond };
  },
};

const labelsPerHold = 1_000;
/** A visitor without a session holds so many places in one call (`publicSale.maxPerHold`). */
const placesPerCallMax = 50;
const houseCalls = 23;

function holdsHouse(): NamedAttack {
  let secret = '';
  let eventKey = '';
  return {
    name: 'house',
    describes: `a visitor who holds a house of 20,000 places: ${houseCalls} calls of 1,000 labels, for an hour`,
    async attack({ newAttacker }) {
      const attacker = await newAttacker('theatre');
      secret = attacker.secret;
      eventKey = attacker.eventKey;
      const labels = hallLabels();
      const headers = { ...bearer(attacker.publishable), Origin: origin, ...json };
      const asked = Array.from({ length: houseCalls }, (_, at) => {
        const first = (at * labelsPerHold) % labels.length;
        const body = JSON.stringify({ labels: labels.slice(first, first + labelsPerHold), ttlMs: 3_600_000 });
        return { method: 'POST', path: `/pub/events/${eventKey}/hold`, headers, body };
      });
      return requests(1, asked, 8);
    },
    beside: (world, seconds) => countHeld(world.url, eventKey, secret, seconds),
  };
}

/** The heaviest comes last: memory that a process has taken once is given back late. */
export const attacks: readonly NamedAttack[] = [
  bulk(50_000, 1),
  bulk(50_000, 4),
  bulk(20_000, 4),
  reports,
  liveAvailability,
  watchers,
  logins(3, 30),
  logins(10, 100),
  pings,
  holdsHouse(),
  smallSaves,
  savesWithKey(2),
  savesWithKey(6),
  savesOfVisitor,
  savesWithKey(40),
];

type Timed = { status: number; tookMs: number };

async function timed(url: string, init: RequestInit): Promise<Timed> {
  const startedAt = performance.now();
  const status = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => 0,
  );
  return { status, tookMs: performance.now() - startedAt };
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Near the end of the attack the neighbour opens pages of events that nobody has opened before. */
async function openPages({ url, neighbour }: NeighbourWorld, seconds: number): Promise<Beside> {
  await wait((seconds - 3) * 1000);
  const buyer = { headers: { ...bearer(neighbour.publishable), Origin: origin } };
  const calls: [string, (key: string) => Promise<Timed>][] = [
    ['bootstrap', (key) => timed(`${url}/pub/events/${key}/bootstrap`, pageBody(neighbour.publishable))],
    ['chart', (key) => timed(`${url}/pub/events/${key}/chart`, buyer)],
    ['objects', (key) => timed(`${url}/pub/events/${key}/objects`, buyer)],
    ['availability', (key) => timed(`${url}/pub/events/${key}/availability`, buyer)],
    ['control-room', (key) => timed(`${url}/v1/events/${key}/control-room`, { headers: bearer(neighbour.tokens[0]!) })],
  ];
  const loaded = new Map<string, Timed[]>();
  for (const key of neighbour.unseen) {
    for (const [name, ask] of calls) loaded.set(name, [...(loaded.get(name) ?? []), await ask(key)]);
  }
  const told = [...loaded].map(([name, answers]) => `${name} ${answers.map(({ status }) => status).join(' ')}`);
  const longestMs = Math.max(...[...loaded.values()].flat().map(({ tookMs }) => tookMs));
  const isLoaded = [...loaded.values()].flat().every(({ status }) => status < 300 && status >= 200);
  return {
    told: `the neighbour's pages: ${told.join(', ')}, longest ${longestMs.toFixed(0)} ms`,
    faults: isLoaded ? [] : ["the neighbour's pages do not load"],
  };
}

const pageBody = (key: string): RequestInit => ({
  method: 'POST',
  headers: { Origin: origin, ...json },
  body: JSON.stringify({ publicKey: key }),
});

const loginEveryMs = 1_000;

/** In turn a user of the neighbour who has logged in before, and one who has not. */
async function logIn({ url, neighbour }: NeighbourWorld, seconds: number): Promise<Beside> {
  const endsAt = performance.now() + seconds * 1000;
  const [known, ...others] = neighbour.users;
  const tries: (Timed & { user: string })[] = [];
  await wait(loginEveryMs);
  while (performance.now() < endsAt) {
    const started = performance.now();
    const other = tries.length % 2 === 1 ? others.shift() : undefined;
    const body = JSON.stringify(other ?? known);
    const answer = await timed(`${url}/v1/dashboard/login`, { method: 'POST', headers: json, body });
    tries.push({ ...answer, user: other ? 'new' : 'known' });
    await wait(Math.max(0, loginEveryMs - (performance.now() - started)));
  }
  const told = tries.map(({ user, status, tookMs }) => `${user} ${status} after ${tookMs.toFixed(0)} ms`).join(', ');
  const refused = tries.filter(({ status }) => status !== 200).length;
  return {
    told: `the neighbour's logins: ${told}`,
    faults: refused === 0 ? [] : [`${refused} of ${tries.length} logins of the neighbour failed`],
  };
}

async function countHeld(url: string, eventKey: string, secret: string, seconds: number): Promise<Beside> {
  await wait(seconds * 1000);
  const response = await fetch(`${url}/v1/events/${eventKey}`, { headers: bearer(secret) });
  const { counts } = (await response.json()) as { counts: { held: number; free: number } };
  const heldMax = houseCalls * placesPerCallMax;
  return {
    told: `${counts.held} places are held, ${counts.free} are free`,
    faults: counts.held <= heldMax ? [] : [`one visitor holds ${counts.held} places; the bound is ${heldMax}`],
  };
}
