/**
 * Receivers of webhooks that note every occurrence they are told, and the comparison with the journal. A receiver may
 * fail some posts, answer late, or die for a while.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';
import { occurrencesOf } from '@parterre/shared/protocol/occurrences/occurrences';
import { expect } from 'vitest';
import { event as anEvent } from '../../support/notifier/plan.ts';
import type { PlanOf } from '../../support/partition/journal-fold.ts';
import { readGroups } from '../../support/partition/journal-groups.ts';
import { type Access, call } from './aftermath.ts';

const arrivalMsMax = 60_000;

export class Receiver {
  /** The different bodies of each occurrence, by its id. */
  readonly bodies = new Map<string, Set<string>>();
  #posts = 0;
  #failed = new Set<string>();
  #server: Server | null = null;
  #port = 0;

  /**
   * `failEvery`: every so manyth post fails, each delivery at most once, since a third attempt comes after minutes.
   * `delayMs`: the time before each answer.
   */
  constructor(
    readonly events: readonly string[],
    readonly habits: { failEvery?: number; delayMs?: number } = {},
  ) {}

  /** Opens the receiver, and subscribes it to its events. */
  async subscribe(access: Access): Promise<void> {
    await this.revive();
    const url = `http://127.0.0.1:${this.#port}/hook`;
    await call(access, 'POST', '/v1/webhooks', { url, events: this.events });
  }

  /** Takes no further connection, and drops all connections, until `revive`. */
  async die(): Promise<void> {
    const server = this.#server;
    if (server === null) return;
    this.#server = null;
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  }

  /** Listens again, on the same port as before. */
  async revive(): Promise<void> {
    const { failEvery = 0, delayMs = 0 } = this.habits;
    const server = createServer(async (request, response) => {
      let body = '';
      try {
        for await (const part of request.setEncoding('utf8')) body += part;
      } catch {
        return; // The receiver has died, or the notifier.
      }
      this.#posts += 1;
      const id = String(request.headers['webhook-id']);
      const fails = failEvery > 0 && this.#posts % failEvery === 0 && !this.#failed.has(id);
      if (fails) this.#failed.add(id);
      else this.bodies.set(id, (this.bodies.get(id) ?? new Set()).add(body));
      setTimeout(() => response.writeHead(fails ? 500 : 204).end(), delayMs);
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }
}

/**
 * Waits until each receiver has every occurrence of its kinds in these events. Each occurrence has one body, and comes
 * to no receiver that did not ask for its kind. Reads the journal anew each time, since holds go on expiring.
 */
export async function expectAllHeard(
  { natsUrl, partitions, planOf }: { natsUrl: string; partitions: number; planOf: PlanOf },
  receivers: readonly Receiver[],
  eventKeys: ReadonlySet<string>,
): Promise<void> {
  const occurrences = () => occurrencesIn(natsUrl, partitions, planOf);
  const missing = async () => {
    const wanted = (await occurrences()).filter(({ eventKey }) => eventKeys.has(eventKey));
    return receivers.flatMap(({ events, bodies }, index) =>
      wanted
        .filter(({ id, name }) => events.includes(name) && !bodies.has(id))
        .map(({ id, name }) => `receiver ${index} has not heard of ${name} ${id}`),
    );
  };
  await expect.poll(missing, { timeout: arrivalMsMax, interval: 500 }).toEqual([]);
  // Holds of other events go on expiring: the journal that is read next has every occurrence that was heard until now.
  const heard = receivers.map(({ events, bodies }) => ({ events, bodies: [...bodies] }));
  const names = new Map((await occurrences()).map(({ id, name }) => [id, name]));
  const wrong = heard.flatMap(({ events, bodies }, index) =>
    bodies.flatMap(([id, different]) => {
      const name = names.get(id);
      if (name === undefined && [...different].every(isOfSeason)) return [];
      if (name === undefined) return [`receiver ${index} has heard of ${id}, and no journal has it: ${[...different]}`];
      if (!events.includes(name)) return [`receiver ${index} has heard of ${name} ${id}, and has not asked for it`];
      return different.size === 1 ? [] : [`${id} has ${different.size} bodies`];
    }),
  );
  expect(wrong.slice(0, 10)).toEqual([]);
}

/**
 * Occurrences of seasons stand in the outbox of their season. A subscription to the events' names hears of them too.
 */
function isOfSeason(body: string): boolean {
  return JSON.parse(body).event.startsWith('season.');
}

/** Every occurrence of the journals, with its id. */
async function occurrencesIn(natsUrl: string, partitions: number, planOf: PlanOf) {
  const all: { id: string; name: string; eventKey: string }[] = [];
  for (const { group, link, place, eventKey } of await readGroups(natsUrl, partitions)) {
    const event: EventRecord = { ...anEvent, key: eventKey, mode: 'test' };
    const plan = await planOf(eventKey, group.plan);
    for (const { id, name } of occurrencesOf({ group, link }, place, event, plan)) all.push({ id, name, eventKey });
  }
  return all;
}
