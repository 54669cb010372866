/**
 * Sends commands to the shards that own events' partitions. A command is taken in while its deadline lies ahead, its
 * partition has room for its class of work (partition-queues.ts), and its tenant has less than its share of the places
 * (tenants.ts). The dispatcher does the rest.
 */
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command } from '@parterre/shared/protocol/commands';
import { type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { commandPlacesMax, requestDeadlineMs } from '@parterre/shared/protocol/limits';
import type { EventAddress } from '@parterre/shared/runtime/placement';
import { notCarriedOut } from './command-repeats.ts';
import { Dispatcher, type DispatcherPorts } from './dispatcher.ts';
import type { PartitionQueues } from './partition-queues.ts';
import type { Refused } from './refusal-cache.ts';
import { Tenants } from './tenants.ts';

export type ShardClient = {
  /**
   * Refused with `shard_unavailable` if there is no answer by `deadlineAt` (`Clock.elapsed`) or within
   * `requestDeadlineMs`, with `overloaded` if the event's organisation has its share of the commands in flight, or if
   * the event's partition has more work than it can do in time. Owners
   * remember commands for `requestDeadlineMs`, so no command waits longer, even if its request may.
   */
  submit<C extends Command>(
    event: EventAddress,
    caller: Caller,
    command: C,
    deadlineAt: number,
  ): Promise<Outcome<Answers[C['type']]>>;
  /**
   * As `submit`, without a promise. Calls `answered` once, perhaps at once. `answered` never throws.
   */
  send<C extends Command>(
    event: EventAddress,
    caller: Caller,
    command: C,
    deadlineAt: number,
    answered: (outcome: Outcome<Answers[C['type']]>) => void,
  ): void;
  /**
   * The refusal of a hold of a sold unit, where its owner pledges that it stands (refusal-cache.ts). Ask this only
   * for a hold with a new name: a repetition gets its first answer from the owner (I5).
   */
  refusalOf(event: EventAddress, caller: Caller, hold: Command & { type: 'hold' }): Refused | null;
  inFlight(): number;
  /** The number of open direct links to shards. */
  openLinks(): number;
  /** Commands that were refused because their organisation had its share. */
  refusedByShare(): number;
  /** Holds of sold units that were refused without their owner. */
  refusedHere(): number;
  /** What waits for the partitions, and what was refused because of it. */
  loads: Pick<PartitionQueues, 'shed' | 'shedLate' | 'oldestMs' | 'limited'>;
};

const tooMany = refuse(
  'overloaded',
  'This organisation has its share of the requests that this front door carries out at once. Try again.',
  { retryable: true },
);

export function createShardClient(ports: DispatcherPorts): ShardClient {
  const tenants = new Tenants(commandPlacesMax);
  const dispatcher = new Dispatcher(ports, tenants);
  const send: ShardClient['send'] = (event, caller, command, deadlineAt, answered) => {
    const now = ports.clock.elapsed();
    if (deadlineAt <= now || ports.isHopeless()) {
      answered(notCarriedOut);
      return;
    }
    const queue = dispatcher.loads.of(ports.placement(event));
    const shed =
      queue.waiting < queue.limit ? null : dispatcher.loads.refusalOf(queue, caller, command, deadlineAt, now);
    if (shed !== null) {
      answered(shed);
      return;
    }
    const tenant = tenants.enter(event.organisationId);
    const endsAt = Math.min(deadlineAt, now + requestDeadlineMs);
    if (tenant === null) answered(tooMany);
    else dispatcher.take(tenant, event, caller, command, queue, now, endsAt, answered);
  };
  return {
    send,
    refusalOf: ({ key }, caller, hold) => dispatcher.refusals.find(key, caller, hold, ports.clock.elapsed()),
    submit: (event, caller, command, deadlineAt) =>
      new Promise((resolve) => send(event, caller, command, deadlineAt, resolve)),
    inFlight: () => dispatcher.waiting.size,
    openLinks: () => ports.bus.openLinks(),
    refusedByShare: () => tenants.refused,
    refusedHere: () => dispatcher.refusals.told,
    loads: dispatcher.loads,
  };
}
