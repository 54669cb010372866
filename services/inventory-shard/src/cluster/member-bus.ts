/**
 * The messages between shards, on core NATS: beats, pings, events to prepare, and front doors' reports of partitions
 * without an owner. Also the operator's questions about a shard.
 */
import { type NatsConnection, NoRespondersError } from '@nats-io/transport-node';
import type { Beat } from '@parterre/shared/protocol/beat';
import { journalForm } from '@parterre/shared/protocol/journal/heads';
import { askedEventsMax, type ShardStatus, type StatusQuestion } from '@parterre/shared/protocol/shard-status';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode, encode } from '@parterre/shared/protocol/wire';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { hearing } from '@parterre/shared/runtime/nats';
import { askAgain } from '../ask-again.ts';
import { handOverPrepareMs, memberPingAgainMs, memberPingTimeoutMs, ownBeatSilenceMs } from './bounds.ts';
import type { MemberBus } from './ownership.ts';

type Preparation = { partition: number; events: string[] };

export type ShardBus = MemberBus & {
  hearsItself(): boolean;
  /** Answers the operator's questions about this shard. `asked`: the keys of the events that a question names. */
  answerStatus(status: (asked: readonly string[]) => ShardStatus): void;
};

export function createMemberBus(nats: NatsConnection, clock: Clock, self: string, log: Logger): ShardBus {
  /** Null before the first beat. */
  let heardItselfAt: number | null = null;

  return {
    /**
     * False while this member's own beats do not come back: its NATS server hangs, so the others' do not come either.
     */
    hearsItself: () => heardItselfAt === null || clock.elapsed() < heardItselfAt + ownBeatSilenceMs,
    announce(beat) {
      heardItselfAt ??= clock.elapsed();
      if (!nats.isClosed()) nats.publish(subjects.member(self), encode({ ...beat, form: journalForm }));
    },
    listen({ onBeat, onOrphaned, onPrepare }) {
      nats.subscribe(subjects.ping(self), { callback: (_error, message) => void message.respond() });
      nats.subscribe(subjects.prepare(self), {
        callback: hearing((message) => {
          try {
            const { partition, events } = decode<Preparation>(message.data);
            void onPrepare(partition, events).then(() => message.respond());
          } catch (cause) {
            log.warn({ err: cause }, 'a preparation could not be read');
          }
        }),
      });
      nats.subscribe(subjects.allMembers, {
        callback(error, message) {
          try {
            if (error) throw error;
            if (message.subject === subjects.member(self)) heardItselfAt = clock.elapsed();
            onBeat(decode<Beat>(message.data));
          } catch (cause) {
            log.warn({ err: cause }, 'a beat could not be read');
          }
        },
      });
      nats.subscribe(subjects.allOrphaned, {
        callback: hearing(({ subject }) => onOrphaned(Number(subject.slice(subject.indexOf('.') + 1)))),
      });
    },
    answerStatus(status) {
      nats.subscribe(subjects.shardStatus(self), {
        callback: hearing((message) => {
          const { events = [] } = message.data.length === 0 ? {} : decode<StatusQuestion>(message.data);
          message.respond(encode(status(events.slice(0, askedEventsMax))));
        }),
      });
    },
    async prepare(heir, partition, events) {
      const preparation: Preparation = { partition, events };
      const payload = encode(preparation);
      const ask = (timeout: number) => nats.request(subjects.prepare(heir), payload, { timeout });
      const endsAt = clock.elapsed() + handOverPrepareMs;
      // The second question finds the events loaded, and leaves the heir only the groups of the last moment. It has the
      // time that the first left: a leaving owner has `drainDeadlineMs` for everything.
      await ask(handOverPrepareMs)
        .then(() => {
          const leftMs = endsAt - clock.elapsed();
          return leftMs > 0 ? ask(leftMs) : null;
        })
        .catch((error) => log.info({ err: error, partition }, 'the heir has not prepared the partition'));
    },
    async ping(id) {
      try {
        const ask = () => nats.request(subjects.ping(id), undefined, { timeout: memberPingTimeoutMs });
        await askAgain(clock, memberPingAgainMs, ask);
        return 'here';
      } catch (error) {
        const cause = error instanceof Error ? error.cause : null;
        return error instanceof NoRespondersError || cause instanceof NoRespondersError ? 'nobody' : 'silent';
      }
    },
  };
}
