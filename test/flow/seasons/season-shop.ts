/** A catalog with events of one chart, and actors that know only the locks of seasons. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { SeasonRecord } from '@parterre/shared/protocol/catalog/seasons';
import type { Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { AskEvent } from '../../../services/catalog/src/store/operations.ts';
import type { Store } from '../../../services/catalog/src/store/store.ts';
import { organisationScope, publishedChart, type TestCatalog, testCatalog } from '../../store/test-catalog.ts';

export type SeasonShop = {
  catalog: TestCatalog;
  scope: Scope;
  chartId: string;
  /** The lock of each event. */
  locks: Map<string, string>;
  /** Live operations that each event answers to a close. */
  live: Map<string, number>;
  /** Takes the place of an event's answer. */
  answers: Map<string, (command: Command) => Outcome<never> | null>;
  event(more?: object): Promise<string>;
  events(count: number): Promise<string[]>;
  draft(eventKeys?: string[]): Promise<SeasonRecord>;
  active(eventKeys?: string[]): Promise<SeasonRecord>;
};

export async function seasonShop(store: Store): Promise<SeasonShop> {
  const locks = new Map<string, string>();
  const live = new Map<string, number>();
  const answers: SeasonShop['answers'] = new Map();
  const ask: AskEvent = async (eventKey, command) => {
    const instead = answers.get(eventKey)?.(command);
    // The catalog's records are what the events know.
    if (!instead && command.type === 'inspect-locks') return refuse('shard_unavailable', 'silent', { retryable: true });
    return (instead ?? done(lockAnswer(locks, live, eventKey, command))) as never;
  };
  const catalog = testCatalog(store, ask);
  const scope = await organisationScope(catalog);
  const chartId = await publishedChart(catalog, scope);
  const event = async (more: object = {}) => {
    const draft = { chartId, startsAt: 1_800_000_100_000, ...more };
    return (await catalog.ask('events.create', { scope, draft })).event.key;
  };
  const events = async (count: number) => Promise.all(Array.from({ length: count }, () => event()));
  const draft = async (eventKeys?: string[]) => {
    const selection = { eventKeys: eventKeys ?? (await events(3)) };
    return (await catalog.ask('seasons.create', { scope, name: 'Subscription', edition: '2027', selection })).season;
  };
  const active = async (eventKeys?: string[]) => {
    const { key, revision } = await draft(eventKeys);
    return (await catalog.ask('seasons.activate', { scope, seasonKey: key, expectedRevision: revision })).season;
  };
  return { catalog, scope, chartId, locks, live, answers, event, events, draft, active };
}

/** An event that is locked already, as its actor answers. */
export const refusedLock = () => refuse('conflict', 'The event is not as expected.', { reason: 'event_changed' });

function lockAnswer(
  locks: Map<string, string>,
  live: Map<string, number>,
  eventKey: string,
  command: Command,
): unknown {
  switch (command.type) {
    case 'lock':
      locks.set(eventKey, command.lockId);
      return { lock: { owner: command.owner, lockId: command.lockId, isDraining: false, live: 0 } };
    case 'drain-lock':
      return {
        lock: { owner: command.owner, lockId: command.lockId, isDraining: true, live: live.get(eventKey) ?? 0 },
      };
    case 'unlock': {
      const unlocked = locks.get(eventKey) === command.lockId;
      if (unlocked) locks.delete(eventKey);
      return { unlocked };
    }
    default:
      throw new Error(`no answer to ${command.type}`);
  }
}
