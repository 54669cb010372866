/**
 * The durable consumer of a journal, and the places up to which it knew the journal to be settled. Every
 * `journalPlaceMs` a notifier asks for the place and remembers it, with the link of its message: a link names the
 * history (I9).
 *
 * A consumer that is lost (an operator deletes it, a server loses it) is made again. It begins behind the newest place
 * that this notifier remembers; without one, and on a first start, with the messages of the last `journalResumeMs`. So
 * no receiver gets years of old events. Occurrences keep their ids, so receivers recognise those that come again.
 *
 * A journal that lost records gets other messages at the sequences of the lost ones, and its consumer would pass over
 * them: they count as settled. NATS 2.15 takes such a consumer back to the end of the stream when the server starts
 * (tried); this file does not rely on it. States of a known consumer:
 *
 *   compared → alike → read
 *            → beyond the end of the stream, or the newest place is not in the stream → in doubt, and compared again →
 *              … for `lossCertainMs` → deleted, and made again behind the newest place that is in the stream. Without
 *              one it begins with the messages of the last `journalResumeMs`, and with the last settled message that
 *              the
 *              stream has, if that is older.
 *
 * Failure at each await: NATS does not answer → the caller starts again after a pause; the notifier dies between the
 * delete and the making → the next start makes the consumer, by age. Two notifiers do the same at once: the second
 * finds a consumer that was made later than its places, and keeps it.
 */
import { AckPolicy, type ConsumerInfo, type JetStreamManager } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { Fault } from '@parterre/shared/protocol/errors';
import { isSameLink, type Link, linkOf } from '@parterre/shared/protocol/journal/links';
import { lossCertainMs } from '@parterre/shared/protocol/limits';
import { names, subjects } from '@parterre/shared/protocol/subjects';
import {
  deliveryAckWaitMs,
  journalPendingMax,
  journalPlaceMs,
  journalPlacesKept,
  journalResumeMs,
} from '@parterre/shared/protocol/webhook-limits';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { storedMessage } from '@parterre/shared/runtime/stored-message';
import { type ConsumerBeginning, ensureConsumerFrom, findConsumer } from '../streams/consumers.ts';

export type ConsumerPorts = { manager: JetStreamManager; clock: Clock; log: Logger };

/** Everything up to `sequence` is settled. `link`: of the message there. `made`: the time of the consumer. */
type SettledPlace = { sequence: number; link: Link; made: string };

export const consumerName = 'notifier';

export class JournalConsumer {
  readonly #ports: ConsumerPorts;
  readonly #partition: number;
  readonly #stream: string;
  /** The newest last. */
  #places: SettledPlace[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;
  #doubtedSince: number | null = null;

  constructor(ports: ConsumerPorts, partition: number) {
    this.#ports = ports;
    this.#partition = partition;
    this.#stream = names.journalStream(partition);
  }

  /** Makes the consumer where it is missing. Throws while it is in doubt. */
  async ensure(): Promise<void> {
    const { manager, clock, log } = this.#ports;
    const since = clock.now() - journalResumeMs;
    const known = await findConsumer(manager, this.#stream, consumerName);
    const isOther = await this.#isCertainlyOther(known);
    const beginning = isOther ? await this.#beginningAfterLoss(known, since) : this.#beginning(since);
    if (isOther && known) {
      log.error(
        { stream: this.#stream, ...beginning, settled: known.ack_floor.stream_seq },
        'the journal lacks records that its consumer has settled: the consumer is made anew, and begins here',
      );
      await manager.consumers.delete(this.#stream, consumerName);
    }
    const { made } = await ensureConsumerFrom(manager, this.#stream, this.#config(), beginning);
    if (!made || known) return;
    const facts = { stream: this.#stream, ...beginning };
    // A new deployment has none yet.
    if ('since' in beginning) log.info(facts, 'the consumer of a journal is made, and begins here');
    else log.warn(facts, 'the consumer of a journal was missing: it is made anew, and begins here');
  }

  /** Asks at most every `journalPlaceMs`. Throws where the consumer and the stream differ. */
  async askPlace(): Promise<void> {
    const { manager, clock } = this.#ports;
    if (clock.elapsed() - this.#askedAt < journalPlaceMs) return;
    const consumer = await manager.consumers.info(this.#stream, consumerName);
    if (await this.#isOther(consumer))
      throw new Fault(`follow ${this.#stream}: it lacks what its consumer has settled`);
    const sequence = consumer.ack_floor.stream_seq;
    // 0: nothing is settled yet, and a beginning at 1 would be the beginning of the journal.
    const isNew = sequence > 0 && sequence !== this.#places.at(-1)?.sequence;
    const message = isNew ? await storedMessage(manager, this.#stream, sequence) : null;
    if (message) this.#places.push({ sequence, link: linkOf(message.data), made: consumer.created });
    if (this.#places.length > journalPlacesKept) this.#places.shift();
    this.#askedAt = clock.elapsed();
  }

  /** Throws while it is in doubt. */
  async #isCertainlyOther(consumer: ConsumerInfo | null): Promise<boolean> {
    if (!(await this.#isOther(consumer))) {
      this.#doubtedSince = null;
      return false;
    }
    const { clock } = this.#ports;
    this.#doubtedSince ??= clock.elapsed();
    if (clock.elapsed() - this.#doubtedSince < lossCertainMs) {
      throw new Fault(`follow ${this.#stream}: it lacks what its consumer has settled, and is read again`);
    }
    this.#doubtedSince = null;
    return true;
  }

  async #beginningAfterLoss(consumer: ConsumerInfo | null, since: number): Promise<ConsumerBeginning> {
    while (this.#places.length > 0 && !(await this.#isThere(this.#places.at(-1)!))) this.#places.pop();
    if (this.#places.length > 0) return this.#beginning(since);
    const settledAt = consumer && (await this.#settledMessageTime(consumer));
    return { since: Math.min(since, settledAt ?? Number.POSITIVE_INFINITY) };
  }

  /** Behind the newest place, or by age. */
  #beginning(since: number): ConsumerBeginning {
    const place = this.#places.at(-1);
    return place ? { sequence: place.sequence + 1 } : { since };
  }

  async #isOther(consumer: ConsumerInfo | null): Promise<boolean> {
    const { state } = await this.#ports.manager.streams.info(this.#stream);
    if (consumer && consumer.delivered.stream_seq > state.last_seq) return true;
    const place = this.#places.at(-1);
    // The places of another consumer tell nothing: another notifier has made this one anew.
    const isOfPlace = consumer === null || place?.made === consumer.created;
    return place !== undefined && isOfPlace && !(await this.#isThere(place));
  }

  async #isThere({ sequence, link }: SettledPlace): Promise<boolean> {
    const message = await storedMessage(this.#ports.manager, this.#stream, sequence);
    return message !== null && isSameLink(linkOf(message.data), link);
  }

  /** The time of the last message in the stream that counts as settled. Null without one. */
  async #settledMessageTime({ ack_floor }: ConsumerInfo): Promise<number | null> {
    const { manager } = this.#ports;
    const { state } = await manager.streams.info(this.#stream);
    const sequence = Math.min(ack_floor.stream_seq, state.last_seq);
    const message = sequence > 0 ? await storedMessage(manager, this.#stream, sequence) : null;
    return message?.time.getTime() ?? null;
  }

  #config() {
    return {
      durable_name: consumerName,
      filter_subject: subjects.journalOfPartition(this.#partition),
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(deliveryAckWaitMs),
      max_ack_pending: journalPendingMax,
    };
  }
}
