/** The locks of events' actors, as a catalog's tests need them: no shard is there. */
import type { Command } from '@parterre/shared/protocol/commands';
import { done, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import type { AskEvent } from '../../../services/catalog/src/store/operations.ts';

type Lock = { lockId: string; isDraining: boolean };

export class FakeLocks {
  /** By event key, then by owner. */
  readonly locks = new Map<string, Map<string, Lock>>();
  /** Events that do not answer. */
  readonly silent = new Set<string>();
  /** Events whose actor refuses a lock, with the code. */
  readonly refusing = new Map<string, 'invalid_event_state' | 'conflict'>();
  /** The live operations of an event's owners. */
  readonly live = new Map<string, number>();

  /** What actors know of their events. */
  readonly facts = { locks: [], status: 'active', chartVersion: 1, currency: 'EUR' };

  /** Hands an answer over late, after this. */
  before: ((eventKey: string, command: Command) => Promise<void>) | null = null;

  readonly ask: AskEvent = (async (eventKey: string, command: Command): Promise<Outcome<unknown>> => {
    await this.before?.(eventKey, command);
    if (this.silent.has(eventKey)) return refuse('shard_unavailable', 'The event is silent.', { retryable: true });
    const own = this.locks.get(eventKey) ?? new Map<string, Lock>();
    this.locks.set(eventKey, own);
    switch (command.type) {
      case 'inspect-locks':
        return done(this.facts);
      case 'lock': {
        const code = this.refusing.get(eventKey);
        const { chartVersion, currency } = command.expects!;
        const isSame = chartVersion === this.facts.chartVersion && currency === this.facts.currency;
        if (code || !isSame) return refuse(code ?? 'conflict', 'The event refuses.');
        const lock = { lockId: command.lockId, isDraining: false };
        own.set(command.owner.key, lock);
        return done({ lock: { owner: command.owner, ...lock, live: 0 } });
      }
      case 'drain-lock': {
        const lock = own.get(command.owner.key);
        if (!lock) return done({ lock: null });
        lock.isDraining = true;
        return done({ lock: { owner: command.owner, ...lock, live: this.live.get(eventKey) ?? 0 } });
      }
      case 'unlock': {
        if ((this.live.get(eventKey) ?? 0) > 0) return refuse('conflict', 'Operations live.');
        const unlocked = own.get(command.owner.key)?.lockId === command.lockId;
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
