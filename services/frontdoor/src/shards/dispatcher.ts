/**
 * Carries commands to the shards and their replies back. All commands of one event-loop turn to one partition leave as
 * one message. This batching gains three times as much as all other measures on the hot path together.
 *
 * States of a command: queued → sent → answered. A sent command pauses if the reply is `moved` or the partition had no
 * owner. It is queued again after `retryPauseMs`, or as soon as a new owner makes itself known. A sent command is
 * parked if the reply is `absent` (the event is being created), and is queued again after the creation.
 *
 * A sent command is sent a second time if no reply came within RESEND_AFTER_MS. It is sent again at once if its
 * partition has lost its owner since: a new owner claims the partition, or no shard listens for it any more. If the
 * owner is silent for PROBE_AFTER_MS, an empty batch probes whether it still listens. Every command may be repeated
 * (I5). At its deadline, which its request sets, and while nothing can be sold for some time (readiness.ts), a command
 * in any state is refused with `shard_unavailable`. If a copy
 * is out, the command may have been carried out, and command-repeats.ts says whether the caller may repeat the request.
 * A copy is out from its sending on, unless no shard received it or its event had no journal. A copy that was answered
 * `moved` counts as out: a shard that archives an event and cannot store its snapshot answers `moved`, although the
 * event is archived.
 *
 * If several copies were sent, a success that changed something counts from any copy, any other reply only from the
 * last copy: an earlier copy may be refused or change nothing although a later copy has an effect. A booking that its
 * reference has already changes nothing; behind a cancellation its next copy would book the seat again, for a caller
 * who was answered. One sweep handles all of these times. No command has its own timer.
 */

import type { Caller, Command, Envelope, Reply, ReplyPart } from '@parterre/shared/protocol/commands';
import { done, Fault, type Outcome, refuse } from '@parterre/shared/protocol/errors';
import { batchBytesMax, commandsPerBatchMax, requestDeadlineMs, retryPauseMs } from '@parterre/shared/protocol/limits';
import type { EventConfig } from '@parterre/shared/protocol/records';
import { ReplyParts } from '@parterre/shared/protocol/reply-parts';
import { decode, encode, encodeShaped } from '@parterre/shared/protocol/wire';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { EventAddress, Placement } from '@parterre/shared/runtime/placement';
import { type Tracing, tracing } from '@parterre/shared/runtime/tracing';
import type { CommandBus, DirectLink } from './command-bus.ts';
import { honest, notCarriedOut, perhapsCarriedOut } from './command-repeats.ts';
import { Owners } from './owners.ts';
import { newQueue, type PartitionQueue, PartitionQueues } from './partition-queues.ts';
import { RefusalCache } from './refusal-cache.ts';
import type { Tenant, Tenants } from './tenants.ts';
import { copyOf, TurnQueues, type WaitingCommand, WaitingCommands } from './waiting-commands.ts';

export type DispatcherPorts = {
  bus: CommandBus;
  placement: Placement;
  clock: Clock;
  /** The catalog's settings of an event that has no journal yet. */
  configOf(eventKey: string): Promise<Outcome<EventConfig>>;
  /** An answer tells of a change with this version, which the event's feed may not have brought yet. */
  onVersion(eventKey: string, version: number): void;
  /** Runs at the end of this event-loop turn. */
  atTurnEnd(run: () => void): void;
  /** Whether no command can be carried out for some time. Commands that wait are then refused before their deadline. */
  isHopeless(): boolean;
  onFault(fault: Fault): void;
};

const RESEND_AFTER_MS = 2_000;

const PROBE_AFTER_MS = 250;

const timerCaller: Caller = { source: 'timer', actor: null, accessSource: 'public' };

const tooLarge = refuse(
  'payload_too_large',
  'This request is larger than one message may be. Split it into several requests.',
);

/** Events that are being created, with the commands that wait for the creation. */
class Creations {
  readonly #parked = new Map<string, WaitingCommand[]>();

  /** True if the command is the first to wait: the creation must begin. */
  park(waiting: WaitingCommand): boolean {
    const { eventKey } = waiting.envelope;
    waiting.state = 'parked';
    const parked = this.#parked.get(eventKey);
    if (parked) parked.push(waiting);
    else this.#parked.set(eventKey, [waiting]);
    return parked === undefined;
  }

  /** The creation has ended: the commands that waited for it. */
  end(eventKey: string): readonly WaitingCommand[] {
    const parked = this.#parked.get(eventKey) ?? [];
    this.#parked.delete(eventKey);
    return parked;
  }
}

export class Dispatcher {
  readonly waiting = new WaitingCommands();
  readonly refusals = new RefusalCache();
  readonly loads = new PartitionQueues();
  private readonly spends = newQueue(-1);
  private readonly queues = new TurnQueues();
  private readonly creations = new Creations();
  private readonly owners = new Owners();
  private readonly parts = new ReplyParts();
  private lastBatch = 0;
  private flushDue = false;
  private sweepDue = false;

  constructor(
    private readonly ports: DispatcherPorts,
    private readonly tenants: Tenants,
  ) {
    ports.bus.listen({
      onReplies: (payload) => this.onReplies(payload),
      onUndelivered: (batch) => this.onUndelivered(batch),
      onDoubt: (partition) => this.sendSentAgain(partition),
      onOwner: (partition, epoch) => this.onOwner(partition, epoch),
      onFault: (fault) => ports.onFault(fault),
    });
  }

  /**
   * Calls `resolve` once with the answer, or with a refusal by `deadlineAt`. The command takes the place of `tenant`,
   * and enters `queue`, of its event's partition. `now` is `Clock.elapsed`.
   */
  take(
    tenant: Tenant,
    event: EventAddress,
    caller: Caller,
    command: Command,
    queue: PartitionQueue,
    now: number,
    deadlineAt: number,
    resolve: (outcome: Outcome<never>) => void,
  ): void {
    const { partition } = queue;
    const waiting: WaitingCommand = {
      envelope: { id: this.waiting.nextId(), eventKey: event.key, caller, command },
      event,
      partition,
      // The owner counts budgets beside the events, and answers at once.
      queue: command.type === 'spend' ? this.spends : queue,
      bytes: estimateBytes(command),
      takenAt: now,
      deadlineAt,
      tenant,
      resolve,
      state: 'queued',
      actAt: 0,
      resent: false,
      copiesOut: 0,
      batch: null,
    };
    if (tracing !== null) nameTrace(waiting.envelope, tracing);
    waiting.queue.waiting++;
    this.waiting.add(waiting);
    this.enqueue(waiting);
    if (this.sweepDue) return;
    if (this.waiting.size === 1) this.loads.begin(now);
    this.armSweep(now);
  }

  private enqueue(waiting: WaitingCommand): void {
    waiting.state = 'queued';
    waiting.batch = null;
    this.queues.add(waiting);
    if (this.flushDue) return;
    this.flushDue = true;
    this.ports.atTurnEnd(() => this.flush());
  }

  private flush(): void {
    this.flushDue = false;
    for (const queue of this.queues.take()) this.sendQueue(queue[0]!.partition, queue);
  }

  private sendQueue(partition: number, queue: readonly WaitingCommand[]): void {
    let batch: WaitingCommand[] = [];
    let bytes = 0;
    for (const waiting of queue) {
      if (!this.waiting.get(waiting.envelope.id)) continue;
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

  private send(partition: number, commands: WaitingCommand[]): void {
    const epoch = this.owners.epochOf(partition);
    const link = this.ports.bus.linkTo(partition, epoch);
    const envelopes = commands.map(({ envelope }) => envelope);
    const payload = link ? encodeShaped(envelopes) : encode(envelopes);
    if (payload.length > this.ports.bus.payloadBytesMax()) {
      this.sendApart(partition, commands);
      return;
    }
    const batch = ++this.lastBatch;
    const actAt = this.ports.clock.elapsed() + RESEND_AFTER_MS;
    for (const waiting of commands) {
      waiting.state = 'sent';
      waiting.actAt = actAt;
      waiting.copiesOut++;
      waiting.batch = batch;
    }
    try {
      this.deliver(link, partition, epoch, batch, payload);
    } catch (error) {
      // The link is closed: nothing was delivered.
      this.ports.onFault(new Fault(`send commands to partition ${partition}`, error));
      this.onUndelivered(batch);
    }
  }

  private deliver(
    link: DirectLink | null,
    partition: number,
    epoch: number | null,
    batch: number,
    payload: Uint8Array,
  ): void {
    if (link && epoch !== null) link.send(partition, epoch, batch, payload);
    else this.ports.bus.send(partition, epoch, batch, payload);
  }

  private sendApart(partition: number, commands: WaitingCommand[]): void {
    if (commands.length === 1) {
      this.settle(commands[0]!, tooLarge);
      return;
    }
    const middle = commands.length >> 1;
    this.send(partition, commands.slice(0, middle));
    this.send(partition, commands.slice(middle));
  }

  private onUndelivered(batch: number): void {
    const commands = this.waiting.all().filter((waiting) => waiting.batch === batch);
    const partition = commands[0]?.partition ?? this.owners.probedBy(batch);
    if (partition !== null && this.owners.lose(partition, this.ports.clock.elapsed())) {
      this.ports.bus.reportOrphan(partition);
    }
    for (const waiting of commands) {
      waiting.copiesOut--;
      this.pause(waiting);
    }
  }

  /**
   * Commands without a reply may never have reached the previous owner, so they are sent again. Paused commands need
   * not wait longer.
   */
  private onOwner(partition: number, epoch: number): void {
    if (!this.owners.learn(partition, epoch, this.ports.clock.elapsed())) return;
    for (const waiting of this.waiting.all()) {
      if (waiting.partition === partition && waiting.state === 'pausing') this.enqueue(waiting);
    }
    this.sendSentAgain(partition);
  }

  private sendSentAgain(partition: number): void {
    for (const waiting of this.waiting.all()) {
      if (waiting.partition === partition && waiting.state === 'sent') this.sendAgain(waiting);
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
    const whole = this.waiting.get(part.id) ? this.parts.add(part) : null;
    if (whole) this.onReplies(whole);
  }

  private onReply(reply: Reply): void {
    const waiting = this.waiting.get(reply.id);
    // The command was answered by another copy, or is past its deadline.
    if (!waiting) return;
    if (reply.kind === 'ok' || reply.kind === 'refused') waiting.queue.answered++;
    const isLast = copyOf(reply) === copyOf(waiting.envelope);
    switch (reply.kind) {
      case 'ok':
        if (reply.version !== undefined) this.ports.onVersion(waiting.envelope.eventKey, reply.version);
        if (reply.unchanged && !isLast) break;
        this.settle(waiting, done(reply.value as never));
        break;
      case 'refused':
        if (isLast) {
          waiting.copiesOut--;
          if (reply.stands) this.refusals.learn(waiting, reply.refusal, reply.stands, this.ports.clock.elapsed());
          this.settle(waiting, honest(waiting, reply));
        }
        break;
      case 'moved':
        // An archived event whose snapshot cannot be stored is answered `moved` too.
        if (waiting.envelope.command.type !== 'move') waiting.copiesOut--;
        if (isLast && waiting.state === 'sent') this.pause(waiting);
        break;
      case 'absent':
        if (isLast && waiting.state === 'sent') this.park(waiting);
        break;
    }
  }

  private settle(waiting: WaitingCommand, outcome: Outcome<never>): void {
    this.waiting.delete(waiting.envelope.id);
    this.parts.forget(waiting.envelope.id);
    this.tenants.leave(waiting.tenant);
    waiting.queue.waiting--;
    waiting.resolve(outcome);
  }

  private pause(waiting: WaitingCommand): void {
    waiting.batch = null;
    waiting.state = 'pausing';
    waiting.actAt = this.ports.clock.elapsed() + retryPauseMs;
  }

  private park(waiting: WaitingCommand): void {
    const { eventKey } = waiting.envelope;
    waiting.batch = null;
    waiting.copiesOut--;
    if (!this.creations.park(waiting)) return;
    this.create(waiting.event).catch((error) =>
      this.ports.onFault(new Fault(`create the inventory of ${eventKey}`, error)),
    );
  }

  /**
   * All commands that wait share the creation, so it has a deadline of its own. If either await fails, the waiting
   * commands get the refusal, and the event's next command tries again.
   */
  private async create(event: EventAddress): Promise<void> {
    const config = await this.ports.configOf(event.key);
    const created = config.ok ? await this.createWith(event, config.value) : config;
    for (const waiting of this.creations.end(event.key)) {
      if (!this.waiting.get(waiting.envelope.id)) continue;
      if (created.ok) this.enqueue(waiting);
      else this.settle(waiting, honest(waiting, created));
    }
  }

  private createWith(event: EventAddress, config: EventConfig): Promise<Outcome<never>> {
    const tenant = this.tenants.enterPastShare(event.organisationId);
    const now = this.ports.clock.elapsed();
    const queue = this.loads.of(this.ports.placement(event));
    return new Promise((resolve) =>
      this.take(tenant, event, timerCaller, { type: 'create', config }, queue, now, now + requestDeadlineMs, resolve),
    );
  }

  private armSweep(now: number): void {
    this.sweepDue = true;
    this.ports.clock.after(retryPauseMs, () => {
      this.sweepDue = false;
      const sweptAt = this.ports.clock.elapsed();
      this.sweep(sweptAt);
      this.loads.look(sweptAt, sweptAt - now - retryPauseMs);
      if (this.waiting.size > 0 && !this.sweepDue) this.armSweep(sweptAt);
    });
  }

  private sweep(now: number): void {
    const isHopeless = this.ports.isHopeless();
    for (const waiting of this.waiting.all()) {
      this.loads.note(waiting);
      if (isHopeless || now >= waiting.deadlineAt) {
        this.settle(waiting, waiting.copiesOut === 0 ? notCarriedOut : perhapsCarriedOut(waiting.envelope.command));
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

  private sendAgain(waiting: WaitingCommand): void {
    waiting.envelope.copy = copyOf(waiting.envelope) + 1;
    this.enqueue(waiting);
  }

  /** A partition with an owner does not reply to an empty batch. If no shard listens, NATS says so at once. */
  private probe(partition: number, now: number): void {
    if (!this.owners.probe(partition, this.lastBatch + 1, now)) return;
    this.lastBatch++;
    try {
      const epoch = this.owners.epochOf(partition);
      this.deliver(this.ports.bus.linkTo(partition, epoch), partition, epoch, this.lastBatch, encode([]));
    } catch (error) {
      this.ports.onFault(new Fault(`probe partition ${partition}`, error));
    }
  }

  private isOverdue(waiting: WaitingCommand, now: number): boolean {
    const sentAt = waiting.actAt - RESEND_AFTER_MS;
    if (this.owners.wasLostSince(waiting.partition, sentAt)) return true;
    return !waiting.resent && now >= waiting.actAt;
  }
}

function nameTrace(envelope: Envelope, { current }: Tracing): void {
  const span = current();
  if (span) envelope.trace = span.traceparent;
}

const COMMAND_BYTES = 192;

/** The bytes of one label, selection or section state, and of a command without any. */
const LABEL_BYTES = 48;

/**
 * Estimates the bytes of a command in a message from the number of things that it names. Batches are cut by this
 * estimate.
 */
function estimateBytes(command: Command): number {
  let named = 0;
  if ('selections' in command) named += command.selections.length;
  if ('labels' in command && command.labels) named += command.labels.length;
  if ('sectionStates' in command) named += Object.keys(command.sectionStates ?? {}).length;
  if ('rules' in command) for (const { labels = [] } of Object.values(command.rules)) named += 1 + labels.length;
  return COMMAND_BYTES + named * LABEL_BYTES;
}
