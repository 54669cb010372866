/**
 * Clients of one partition that hold and release seats without end, and ask again when told to. They note every
 * acknowledged hold. In the end the journal is folded: each acknowledged hold must stand in it exactly once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command, Reply } from '@parterre/shared/protocol/commands';
import { expect } from 'vitest';
import { eventConfig, smallPlan } from '../inventory/house.ts';
import { foldJournals } from './journal-fold.ts';

const CLIENTS = 8;
const AGAIN_MS = 10;
/** A pause between a hold and its release keeps the journal short, so that a test can read it quickly. */
const PAUSE_MS = 5;

export type CommandTarget = { ask(eventKey: string, command: Command): Promise<Reply> };

export type Sellers = {
  /** Resolves after `count` more holds with the milliseconds that they took. */
  sold(count: number): Promise<number>;
  count(): number;
  /** Another process owns the partition now: clients that wait ask it instead. */
  turnTo(owner: CommandTarget): void;
  stop(): Promise<void>;
  /** Call after `stop`. Partitions below this number must have streams too. */
  expectAllStand(natsUrl: string, partition: number): Promise<void>;
};

export async function startSellers(first: CommandTarget, eventKey: string): Promise<Sellers> {
  const acknowledged: string[] = [];
  let owner = first;
  let running = true;
  let end: () => void = () => {};
  let turn: () => void = () => {};
  const ended = new Promise<null>((resolve) => {
    end = () => resolve(null);
  });
  let turned = new Promise<null>(() => {});
  let onSold: () => void = () => {};
  const armTurn = (): void => {
    turned = new Promise((resolve) => {
      turn = () => resolve(null);
    });
  };
  armTurn();

  /** Asks until the command succeeds. Returns false when the test is over. */
  async function insist(command: Command): Promise<boolean> {
    while (running) {
      const reply = await Promise.race([owner.ask(eventKey, command), turned, ended]);
      if (reply?.kind === 'ok') return true;
      if (reply && reply.kind !== 'moved') throw new Error(`refused: ${JSON.stringify(reply)}`);
      await pause(AGAIN_MS);
    }
    return false;
  }

  async function sell(client: number): Promise<void> {
    const selections = [{ label: smallPlan.labels.at(client) }];
    for (let hold = 1; running; hold++) {
      const holdId = `hold-${client}-${hold}`;
      if (!(await insist({ type: 'hold', holdId, ttlMs: 600_000, selections }))) return;
      acknowledged.push(holdId);
      onSold();
      await pause(PAUSE_MS);
      await insist({ type: 'release', callId: `release-${client}-${hold}`, holdId });
    }
  }

  await insist({ type: 'create', config: eventConfig({ eventKey }) });
  const clients = Array.from({ length: CLIENTS }, (_, client) => sell(client));
  return {
    sold(count) {
      const goal = acknowledged.length + count;
      const since = performance.now();
      return new Promise((resolve) => {
        onSold = () => acknowledged.length >= goal && resolve(performance.now() - since);
      });
    },
    count: () => acknowledged.length,
    turnTo(next) {
      owner = next;
      turn();
      armTurn();
    },
    async stop() {
      running = false;
      end();
      await Promise.all(clients);
    },
    async expectAllStand(natsUrl, partition) {
      const folded = (await foldJournals(natsUrl, partition + 1, () => smallPlan)).get(eventKey)!;
      expect(folded.violations).toEqual([]);
      const held = folded.entries.flatMap(({ record }) => (record.type === 'held' ? [record.holdId] : []));
      const once = new Set(held);
      expect(held.length).toBe(once.size);
      expect(acknowledged.filter((holdId) => !once.has(holdId))).toEqual([]);
    },
  };
}
