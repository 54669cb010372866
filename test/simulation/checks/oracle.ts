/**
 * The oracle of one event: the naive reference of test/support/model, which is written from the documented rules. The
 * oracle calls no rule of the shard, and its seats, money and quotas are its own. It takes each command when the
 * command's effect is journaled, at the time of the group.
 */
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import type { Refusal } from '@parterre/shared/protocol/errors';
import type { EventConfig } from '@parterre/shared/protocol/records';
import type { EventState } from '../../../services/inventory-shard/src/rules/state/event-state.ts';
import { differenceOfBooks, isSame, refusedOf } from '../../support/model/books.ts';
import { passTo, setBackTo } from '../../support/model/reference/endings.ts';
import { predict } from '../../support/model/reference/reference.ts';
import { newWorld, type World } from '../../support/model/reference/world.ts';

/** Commands about which the reference says nothing. They change nothing, or make the event. */
const unknown: ReadonlySet<Command['type']> = new Set([
  'create',
  'view',
  'unit-columns',
  'channels',
  'channel-records',
  'channel-states',
  'channel-allocation',
  'channel-report',
  'list-reservations',
  'reserved-places',
  'inspect-holders',
  'quote-sale',
  'spend',
]);

const chartChanges: ReadonlySet<Command['type']> = new Set(['update-chart', 'adjust-chart']);

export class Oracle {
  readonly world: World;
  #told = 0;

  constructor(ownership: EventConfig['ownership']) {
    this.world = newWorld(ownership);
  }

  /** A group begins. Changes that time makes come first. */
  pass(at: number): void {
    passTo(this.world, at);
  }

  /** A group of one `clock-set` record: event time goes back to `at`. */
  setClock(at: number): void {
    setBackTo(this.world, at);
  }

  /** Takes a command whose effect is journaled. Returns its fault, or null. */
  take(command: Command, caller: Caller): string | null {
    if (command.type === 'create') return null;
    const { soldOut } = this.world;
    const { times } = soldOut;
    const told = predict(this.world, command, caller);
    // A change of chart is alone in its group. If it leaves nothing to sell, the next group tells so (`pass`).
    if (chartChanges.has(command.type) && soldOut.times > times) Object.assign(soldOut, { isTold: false, times });
    if (!told.ok) return `has an effect, though the oracle refuses: ${JSON.stringify(told.refused)}`;
    return told.isNews ? null : 'has an effect, though the oracle knows the call';
  }

  /** A group ends. Returns the difference of its state from the oracle's, or null. `soldOuts` counts its records. */
  differenceFrom(state: EventState, soldOuts: number): string | null {
    this.#told += soldOuts;
    const { times } = this.world.soldOut;
    if (times !== this.#told) return `told ${this.#told} times that all is sold, predicted ${times}`;
    return differenceOfBooks(this.world, state);
  }

  /** Holds that were due at `now` and are active. */
  overdue(now: number): string[] {
    const due = this.world.holds.filter(({ status, expiresAt }) => status === 'active' && expiresAt <= now);
    return due.map(({ id }) => id);
  }

  /** Whether the oracle refuses the command in the same words at one of these times. */
  refuses(command: Command, caller: Caller, refusal: Refusal, times: readonly number[]): boolean {
    if (unknown.has(command.type)) return true;
    const { chart, now: present, ...rest } = this.world;
    return times.some((now) => {
      // A refusal leaves the world as it is. If the oracle does not refuse, the history ends here.
      const isAlone = times.length === 1 && now === present;
      const world = isAlone ? this.world : { ...structuredClone(rest), chart, now };
      const told = predict(world, command, caller);
      return !told.ok && told.refused.some((each) => isSame(each, refusedOf(refusal)));
    });
  }
}
