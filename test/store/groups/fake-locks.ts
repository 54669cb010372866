/** The locks of events' actors, as a catalog's tests need them: no shard is there. */
import type { Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { AskEvent } from '../../../services/catalog/src/store/operations.ts';

export class FakeLocks {
  /** The lock ids of an event by owner, by event key. */
  readonly locks = new Map<string, Map<string, string>>();

  /** What actors know of their events. */
  readonly facts = { locks: [], status: 'active', chartVersion: 1, currency: 'EUR' };

  /** Hands an answer over late, after this. */
  before: ((eventKey: string, command: Command) => Promise<void>) | null = null;

  readonly ask: AskEvent = (async (eventKey: string, command: Command): Promise<Outcome<unknown>> => {
    await this.before?.(eventKey, command);
    const own = this.locks.get(eventKey) ?? new Map<string, string>();
    this.locks.set(eventKey, own);
    switch (command.type) {
      case 'inspect-locks':
        return done(this.facts);
      case 'lock': {
        const { chartVersion, currency } = command.expects!;
        const isSame = chartVersion === this.facts.chartVersion && currency === this.facts.currency;
        if (!isSame) return refuse('conflict', 'The event refuses.');
        own.set(command.owner.key, command.lockId);
        return done({ lock: { owner: command.owner, lockId: command.lockId, isDraining: false, live: 0 } });
      }
      case 'unlock': {
        const unlocked = own.get(command.owner.key) === command.lockId;
        if (unlocked) own.delete(command.owner.key);
        return done({ unlocked });
      }
      default:
        throw new Error(`no fake answer to ${command.type}`);
    }
  }) as AskEvent;

  /** The keys of the events that this owner has locked. */
  lockedBy(ownerKey: string): string[] {
    return [...this.locks].flatMap(([eventKey, own]) => (own.has(ownerKey) ? [eventKey] : []));
  }
}
