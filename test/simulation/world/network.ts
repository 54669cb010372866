/**
 * Core NATS as the services see it: subjects, queue groups, replies, "no responders". The servers themselves never fail
 * here; only the links of processes (process.ts) and single deliveries do, which are lost or doubled.
 */
import { type Msg, type NatsConnection, NoRespondersError } from '@nats-io/transport-node';
import { Fault } from '@parterre/shared/protocol/errors';
import type { Faults } from '../faults.ts';
import type { SimulatedProcess } from './process.ts';
import type { Scheduler } from './scheduler.ts';

type Callback = (error: Error | null, message: Msg) => void;
type Subscription = { owner: SimulatedProcess; subject: string; queue: string | null; callback: Callback };
type Message = { subject: string; data: Uint8Array; reply: string | undefined };

const nothing = new Uint8Array(0);
const noResponders = { code: 503 };
const none: Subscription[] = [];

export class Network {
  /** Called at the servers with every feed message. */
  onFeed: (sender: SimulatedProcess, subject: string, data: Uint8Array) => void = () => {};
  readonly #scheduler: Scheduler;
  readonly #faults: Faults;
  readonly #subscriptions = new Map<string, Subscription[]>();
  #inboxes = 0;

  constructor(scheduler: Scheduler, faults: Faults) {
    this.#scheduler = scheduler;
    this.#faults = faults;
  }

  /** The part of a connection that the services use. */
  connect(owner: SimulatedProcess): NatsConnection {
    const flushes = new Set<(error: Error) => void>();
    owner.onLink((isUp) => {
      if (isUp) return;
      for (const reject of flushes) reject(new Fault('the link is down'));
      flushes.clear();
    });
    const flush = (): Promise<void> =>
      new Promise((resolve, reject) => {
        flushes.add(reject);
        const answer = (): void => {
          flushes.delete(reject);
          resolve();
        };
        owner.send(() => owner.receive(answer), true);
      });
    const subscribe = (subject: string, { queue, callback }: { queue?: string; callback: Callback }) => {
      const subscription = { owner, subject, queue: queue ?? null, callback };
      let isClosed = false;
      let isDraining = false;
      owner.send(() => this.#add(subscription), true);
      return {
        isClosed: () => isClosed,
        isDraining: () => isDraining,
        unsubscribe: () => {
          isClosed = true;
          subscription.callback = () => {};
          owner.send(() => this.#remove(subscription), true);
        },
        drain: async () => {
          isDraining = true;
          owner.send(() => this.#remove(subscription), true);
          await flush();
          isClosed = true;
        },
      };
    };
    const connection = {
      isClosed: () => false,
      flush,
      subscribe,
      publish: (subject: string, data: Uint8Array = nothing, more: { reply?: string } = {}) =>
        owner.send(() => this.#route(owner, { subject, data, reply: more.reply })),
      request: (subject: string, data: Uint8Array = nothing, { timeout }: { timeout: number }) => {
        const reply = `request.${this.#inboxes++}`;
        return new Promise((resolve, reject) => {
          const end = (settle: () => void): void => {
            subscription.unsubscribe();
            cancel();
            settle();
          };
          const subscription = subscribe(reply, {
            callback: (_error, message) =>
              end(() => (message.headers?.code === 503 ? reject(new NoRespondersError(subject)) : resolve(message))),
          });
          const cancel = owner.clock.after(timeout, () => end(() => reject(new Fault(`request ${subject}: timeout`))));
          connection.publish(subject, data, { reply });
        });
      },
    };
    return connection as unknown as NatsConnection;
  }

  #add(subscription: Subscription): void {
    const known = this.#subscriptions.get(subscription.subject);
    if (known) known.push(subscription);
    else this.#subscriptions.set(subscription.subject, [subscription]);
  }

  #remove(subscription: Subscription): void {
    const left = this.#subscriptions.get(subscription.subject)?.filter((each) => each !== subscription) ?? [];
    if (left.length > 0) this.#subscriptions.set(subscription.subject, left);
    else this.#subscriptions.delete(subscription.subject);
  }

  /** Every subscriber without a queue group, then one of each group. */
  #listeners(subject: string): Subscription[] {
    const exact = this.#subscriptions.get(subject) ?? none;
    const wide = this.#subscriptions.get(`${subject.slice(0, subject.lastIndexOf('.'))}.*`) ?? none;
    const able = (wide.length === 0 ? exact : [...exact, ...wide]).filter(({ owner }) => owner.connected);
    if (able.every(({ queue }) => queue === null)) return able;
    const queues = new Map<string, Subscription[]>();
    for (const each of able) if (each.queue !== null) queues.set(each.queue, [...(queues.get(each.queue) ?? []), each]);
    const chosen = [...queues.values()].map((members) => this.#scheduler.random.pick(members));
    return [...able.filter(({ queue }) => queue === null), ...chosen];
  }

  #route(sender: SimulatedProcess, message: Message): void {
    if (message.subject.startsWith('feed.')) this.onFeed(sender, message.subject, message.data);
    const { now } = this.#scheduler;
    const listeners = this.#listeners(message.subject);
    if (listeners.length === 0 && message.reply !== undefined) this.#tellNobody(sender, message.reply);
    const isBeat = message.subject.startsWith('members.');
    for (const listener of listeners) {
      const isMuted = isBeat && (sender.mutedUntil > now || listener.owner.mutedUntil > now);
      if (isMuted || this.#faults.strikes('messageLost')) continue;
      this.#deliver(listener, message);
      if (this.#faults.strikes('messageTwice')) this.#deliver(listener, message);
    }
  }

  #tellNobody(sender: SimulatedProcess, reply: string): void {
    for (const listener of this.#listeners(reply)) {
      if (listener.owner !== sender) continue;
      this.#deliver(listener, { subject: reply, data: nothing, reply: undefined }, noResponders);
    }
  }

  #deliver({ owner, callback }: Subscription, message: Message, headers?: { code: number }): void {
    const { subject, data, reply } = message;
    const respond = (data: Uint8Array = nothing): void => {
      if (reply !== undefined) owner.send(() => this.#route(owner, { subject: reply, data, reply: undefined }));
    };
    owner.receive(() => callback(null, { subject, data, reply, headers, respond } as unknown as Msg));
  }
}
