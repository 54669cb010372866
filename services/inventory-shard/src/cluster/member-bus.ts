/** The messages between shards, on core NATS: beats, pings, and front doors' reports of partitions without an owner. */
import { type NatsConnection, NoRespondersError } from '@nats-io/transport-node';
import type { Beat } from '@parterre/shared/beat';
import type { Logger } from '@parterre/shared/log';
import { hearing } from '@parterre/shared/nats';
import { subjects } from '@parterre/shared/subjects';
import { decode, encode } from '@parterre/shared/wire';
import { memberPingTimeoutMs } from './bounds.ts';
import type { MemberBus } from './ownership.ts';

export function createMemberBus(nats: NatsConnection, self: string, log: Logger): MemberBus {
  return {
    announce(beat) {
      if (!nats.isClosed()) nats.publish(subjects.member(self), encode(beat));
    },
    listen({ onBeat, onOrphaned }) {
      nats.subscribe(subjects.ping(self), { callback: (_error, message) => void message.respond() });
      nats.subscribe(subjects.allMembers, {
        callback(error, message) {
          try {
            if (error) throw error;
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
    async ping(id) {
      try {
        await nats.request(subjects.ping(id), undefined, { timeout: memberPingTimeoutMs });
        return 'here';
      } catch (error) {
        const cause = error instanceof Error ? error.cause : null;
        return error instanceof NoRespondersError || cause instanceof NoRespondersError ? 'nobody' : 'silent';
      }
    },
  };
}
