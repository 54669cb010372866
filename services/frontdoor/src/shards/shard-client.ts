/**
 * Sends commands to the shards that own events' partitions, and takes their replies. All commands of one event-loop
 * turn to one partition leave as one message. This batching gains three times as much as all other measures on the hot
 * path together.
 *
 * States of a command: queued → sent → answered. A sent command pauses if the reply is `moved` or the partition had no
 * owner. It is queued again after `retryPauseMs`, or as soon as a new owner makes itself known. A sent command is
 * parked if the reply is `absent` (the event is being created), and is queued again after the creation.
 *
 * A sent command is sent a second time if no reply came within RESEND_AFTER_MS. It is sent again at once if its
 * partition has lost its owner since: a new owner claims the partition, or no shard listens for it any more. If the
 * owner is silent for PROBE_AFTER_MS, an empty batch probes whether it still listens. Every command may be repeated
 * (I5). At its deadline a command in any state is refused with `shard_unavailable`: it may have been carried out or
 * not, and repeating it is safe.
 *
 * If several copies were sent, a success counts from any copy, any other reply only from the last copy: an earlier copy
 * may be refused although a later copy succeeds. One sweep handles all of these times. No command has its own timer.
 */
import type { Answers } from '@parterre/shared/answers';
import type { Clock } from '@parterre/shared/clock';
import type { Caller, Command, Reply, ReplyPart } from '@parterre/shared/commands';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/errors';
import {
  batchBytesMax,
  commandsInFlightMax,
  commandsPerBatchMax,
  requestDeadlineMs,
  retryPauseMs,
} from '@parterre/shared/limits';
import type { EventConfig } from '@parterre/shared/records';
import { decode, encode } from '@parterre/shared/wire';
import type { CommandBus } from './command-bus.ts';
import { estimateBytes } from './command-bytes.ts';
import { Owners } from './owners.ts';
import type { EventAddress, Placement } from './placement.ts';
import { ReplyParts } from './reply-parts.ts';
import { attemptOf, type Batch, leaveBatch, type Waiting } from './waiting-command.ts';

export type ShardClient = {
  /** Refused with `shard_unavailable` if there is no answer within `deadlineMs`; `requestDeadlineMs` by default. */
  submit<C extends Command>(
    event: EventAddress,
    caller: Caller,
    command: C,
    deadlineMs?: number,
  ): Promise<Outcome<Answers[C['type']]>>;
  inFlight(): number;
};

export type ShardClientPorts = {
  bus: CommandBus;
  placement: Placement;
  clock: Clock;
  /** The catalog's settings of an event that has no journal yet. */
  configOf(eventKey: string): Promise<Outcome<EventConfig>>;
  /** Runs at the end of this event-loop turn. */
  atTurnEnd(run: () => void): void;
  onFault(fault: Fault): void;
};

const RESEND_AFTER_MS = 2_000;
const PROBE_AFTER_MS = 250;
const timerCaller: Caller = { source: 'timer', actor: null, accessSource: 'public' };

const tooMany = refuse('overloaded', 'Too many requests are under way at this front door. Try again.', {
  retryable: true,
});
const tooLarge = refuse(
  'payload_too_large',
  'This request is larger than one message may be. Split it into several requests.',
);
const noOwner = refuse('shard_unavailable', 'The inventory of this event did not answer in time. Try again.', {
  retryable: true,
});

export function createShardClient(ports: ShardClientPorts): ShardClient {
  const client = new BatchingShardClient(ports);
  return {
    submit: (event, caller, command, deadlineMs) =>
      client.submit(event, caller, command, deadlineMs) as Promise<Outcome<never>>,
    inFlight: () => client.waiting.size,
  };
}

class BatchingShardClient {
  readonly waiting = new Map<number, Waiting>();
  private readonly queues = new Map<number, Waiting[]>();
  private readonly batches = new Map<number, Batch>();
  /** Events that are being created, with the commands that wait for the creation. */
  private readonly creations = new Map<string, Waiting[]>();
  private readonly owners = new Owners();
  private readonly parts = new ReplyParts();
  private lastId = 0;
  private lastBatch = 0;
  private flushDue = false;
  private sweepDue = false;

  constructor(private readonly ports: ShardClientPorts) {
    ports.bus.listen({
      onReplies: (payload) => this.onReplies(payload),
      onUndelivered: (batch) => this.onUndelivered(batch),
      onOwner: (partition, epoch) => this.onOwner(partition, epoch),
      onFault: (fault) => ports.onFault(fault),
    });
  }

  submit(
    event: EventAddress,
    caller: Caller,
    command: Command,
    deadlineMs = requestDeadlineMs,
  ): Promise<Outcome<never>> {
    if (this.waiting.size >= commandsInFlightMax) return Promise.resolve(tooMany);
    return new Promise((resolve) => {
      const id = ++this.lastId;
      const waiting: Waiting = {
        envelope: { id, eventKey: event.key, caller, command },
        event,
        partition: this.ports.placement(event),
        bytes: estimateBytes(command),
        deadlineAt: this.ports.clock.elapsed() + deadlineMs,
        resolve,
        state: 'queued',
        actAt: 0,
        resent: false,
        batch: null,
      };
      this.waiting.set(id, waiting);
      this.enqueue(waiting);
      this.armSweep();
    });
  }

  private enqueue(waiting: Waiting): void {
    waiting.state = 'queued';
    leaveBatch(waiting, this.batches);
    const queue = this.queues.get(waiting.partition);
    if (queue) queue.push(waiting);
    else this.queues.set(waiting.partition, [waiting]);
    if (this.flushDue) return;
    this.flushDue = true;
    this.ports.atTurnEnd(() => this.flush());
  }

  private flush(): void {
    this.flushDue = false;
    for (const [partition, queue] of this.queues) {
      let batch: Waiting[] = [];
      let bytes = 0;
      for (const waiting of queue) {
        if (!this.waiting.has(waiting.envelope.id)) continue;
        if (batch.length > 0 && (batch.length >= commandsPerBatchMax || bytes + waiting.bytes > batchBytesMax)) {
          this.send(partition, batch);
          batch = [];
          bytes = 0;
        }
        batch.push(waiting);
        bytes += waiting.bytes;
      }
      if (batch.length > 0) this.send(partition, batch);
    }
    this.queues.clear();
  }

  private send(partition: number, commands: Waiting[]): void {
    const payload = encode(commands.map((waiting) => waiting.envelope));
    if (payload.length > this.ports.bus.payloadBytesMax()) {
      this.sendApart(partition, commands);
      return;
    }
    const batch: Batch = { number: ++this.lastBatch, partition, members: commands.length, commands };
    const actAt = this.ports.clock.elapsed() + RESEND_AFTER_MS;
    for (const waiting of commands) {
      waiting.state = 'sent';
      waiting.actAt = actAt;
      waiting.batch = batch;
    }
    this.batches.set(batch.number, batch);
    try {
      this.ports.bus.send(partition, this.owners.epochOf(partition), batch.number, payload);
    } catch (error) {
      // The link is closed: nothing was delivered.
      this.ports.onFault(new Fault(`send commands to partition ${partition}`, error));
      this.onUndelivered(batch.number);
    }
  }

  private sendApart(partition: number, commands: Waiting[]): void {
    if (commands.length === 1) {
      this.settle(commands[0]!, tooLarge);
      return;
    }
    const middle = commands.length >> 1;
    this.send(partition, commands.slice(0, middle));
    this.send(partition, commands.slice(middle));
  }

  private onUndelivered(number: number): void {
    const batch = this.batches.get(number);
    const partition = batch?.partition ?? this.owners.probedBy(number);
    if (partition !== null && this.owners.lose(partition, this.ports.clock.elapsed())) {
      this.ports.bus.reportOrphan(partition);
    }
    if (!batch) return;
    for (const waiting of batch.commands) if (waiting.batch === batch) this.pause(waiting);
    this.batches.delete(number);
  }

  /**
   * Commands without a reply may never have reached the previous owner, so they are sent again. Paused commands need
   * not wait longer.
   */
  private onOwner(partition: number, epoch: number): void {
    if (!this.owners.learn(partition, epoch, this.ports.clock.elapsed())) return;
    for (const waiting of this.waiting.values()) {
      if (waiting.partition !== partition) continue;
      if (waiting.state === 'sent') this.sendAgain(waiting);
      else if (waiting.state === 'pausing') this.enqueue(waiting);
    }
  }

  private onReplies(payload: Uint8Array): void {
    try {
      const told = decode<Reply[] | ReplyPart>(payload);
      if ('bytes' in told) this.onPart(told);
      else for (const reply of told) this.onReply(reply);
    } catch (error) {
      // The commands of unreadable replies are sent again by the sweep.
      this.ports.onFault(new Fault('decode answers of a partition', error));
    }
  }

  private onPart(part: ReplyPart): void {
    const whole = this.waiting.has(part.id) ? this.parts.add(part) : null;
    if (whole) this.onReplies(whole);
  }

  private onReply(reply: Reply): void {
    const waiting = this.waiting.get(reply.id);
    // The command was answered by another copy, or is past its deadline.
    if (!waiting) return;
    const isLast = attemptOf(reply) === attemptOf(waiting.envelope);
    switch (reply.kind) {
      case 'ok':
        this.settle(waiting, done(reply.value as never));
        break;
      case 'refused':
        if (isLast) this.settle(waiting, { ok: false, refusal: reply.refusal });
        break;
      case 'moved':
        if (isLast && waiting.state === 'sent') this.pause(waiting);
        break;
      case 'absent':
        if (isLast && waiting.state === 'sent') this.park(waiting);
        break;
    }
  }

  private settle(waiting: Waiting, outcome: Outcome<never>): void {
    this.waiting.delete(waiting.envelope.id);
    this.parts.forget(waiting.envelope.id);
    leaveBatch(waiting, this.batches);
    waiting.resolve(outcome);
  }

  private pause(waiting: Waiting): void {
    leaveBatch(waiting, this.batches);
    waiting.state = 'pausing';
    waiting.actAt = this.ports.clock.elapsed() + retryPauseMs;
  }

  private park(waiting: Waiting): void {
    const { eventKey } = waiting.envelope;
    leaveBatch(waiting, this.batches);
    waiting.state = 'parked';
    const parked = this.creations.get(eventKey);
    if (parked) {
      parked.push(waiting);
      return;
    }
    this.creations.set(eventKey, [waiting]);
    this.create(waiting.event).catch((error) =>
      this.ports.onFault(new Fault(`create the inventory of ${eventKey}`, error)),
    );
  }

  /** If either await fails, the waiting commands get the refusal, and the event's next command tries again. */
  private async create(event: EventAddress): Promise<void> {
    const config = await this.ports.configOf(event.key);
    const created = config.ok
      ? await this.submit(event, timerCaller, { type: 'create', config: config.value })
      : config;
    const parked = this.creations.get(event.key) ?? [];
    this.creations.delete(event.key);
    for (const waiting of parked) {
      if (!this.waiting.has(waiting.envelope.id)) continue;
      if (created.ok) this.enqueue(waiting);
      else this.settle(waiting, created);
    }
  }

  private armSweep(): void {
    if (this.sweepDue) return;
    this.sweepDue = true;
    this.ports.clock.after(retryPauseMs, () => {
      this.sweepDue = false;
      this.sweep();
      if (this.waiting.size > 0) this.armSweep();
    });
  }

  private sweep(): void {
    const now = this.ports.clock.elapsed();
    for (const waiting of this.waiting.values()) {
      if (now >= waiting.deadlineAt) {
        this.settle(waiting, noOwner);
      } else if (waiting.state === 'pausing' && now >= waiting.actAt) {
        this.enqueue(waiting);
      } else if (waiting.state === 'sent' && this.isOverdue(waiting, now)) {
        waiting.resent = true;
        this.sendAgain(waiting);
      } else if (waiting.state === 'sent' && now >= waiting.actAt - RESEND_AFTER_MS + PROBE_AFTER_MS) {
        this.probe(waiting.partition, now);
      }
    }
  }

  private sendAgain(waiting: Waiting): void {
    waiting.envelope.attempt = attemptOf(waiting.envelope) + 1;
    this.enqueue(waiting);
  }

  /** A partition with an owner does not reply to an empty batch. If no shard listens, NATS says so at once. */
  private probe(partition: number, now: number): void {
    if (!this.owners.probe(partition, this.lastBatch + 1, now)) return;
    this.lastBatch++;
    try {
      this.ports.bus.send(partition, this.owners.epochOf(partition), this.lastBatch, encode([]));
    } catch (error) {
      this.ports.onFault(new Fault(`probe partition ${partition}`, error));
    }
  }

  private isOverdue(waiting: Waiting, now: number): boolean {
    const sentAt = waiting.actAt - RESEND_AFTER_MS;
    if (this.owners.wasLostSince(waiting.partition, sentAt)) return true;
    return !waiting.resent && now >= waiting.actAt;
  }
}
