/** The shard client over a fake bus and a clock of the test. The test plays the owners of all partitions. */
import type { Answers } from '@parterre/shared/protocol/answers';
import type { Caller, Command, Envelope, Reply } from '@parterre/shared/protocol/commands';
import { done, type Outcome } from '@parterre/shared/protocol/errors';
import { natsPayloadBytesMin, requestDeadlineMs } from '@parterre/shared/protocol/limits';
import type { EventConfig } from '@parterre/shared/protocol/records';
import { decode, encode } from '@parterre/shared/protocol/wire';
import type { CommandBus, CommandBusHandlers } from '../../../services/frontdoor/src/shards/command-bus.ts';
import { createShardClient } from '../../../services/frontdoor/src/shards/shard-client.ts';
import { ManualClock } from '../manual-clock.ts';

type Sent = { partition: number; epoch: number | null; batch: number; envelopes: Envelope[] };

export const caller: Caller = { source: 'server', actor: 'key_1', accessSource: 'public' };
export const config = { eventKey: 'a' } as EventConfig;
export const event = { key: 'a', region: 'africa', organisationId: 'org_1' };

export function shardClientOnFake(configOf: (key: string) => Promise<Outcome<EventConfig>> = async () => done(config)) {
  const sent: Sent[] = [];
  const turnEnds: (() => void)[] = [];
  const faults: unknown[] = [];
  const orphans: number[] = [];
  const versions: [eventKey: string, version: number][] = [];
  const clock = new ManualClock();
  let handlers!: CommandBusHandlers;
  let broken = false;
  let hopeless = false;
  const bus: CommandBus = {
    linkTo: () => null,
    payloadBytesMax: () => natsPayloadBytesMin,
    send(partition, epoch, batch, payload) {
      if (broken) throw new Error('closed');
      sent.push({ partition, epoch, batch, envelopes: decode<Envelope[]>(payload) });
    },
    reportOrphan: (partition) => orphans.push(partition),
    listen(given) {
      handlers = given;
    },
    openLinks: () => 0,
    close() {},
  };
  const shards = createShardClient({
    bus,
    placement: ({ key }) => key.charCodeAt(0) % 2,
    clock,
    configOf,
    onVersion: (eventKey, version) => versions.push([eventKey, version]),
    atTurnEnd: (run) => turnEnds.push(run),
    isHopeless: () => hopeless,
    onFault: (fault) => faults.push(fault),
  });
  return {
    shards,
    /** A request that begins now, with its whole deadline before it. */
    client: {
      ...shards,
      submit: <C extends Command>(asked: typeof event, by: Caller, command: C): Promise<Outcome<Answers[C['type']]>> =>
        shards.submit(asked, by, command, clock.elapsed() + requestDeadlineMs),
    },
    sent,
    clock,
    faults,
    orphans,
    versions,
    owner: (partition: number, epoch: number) => handlers.onOwner(partition, epoch),
    doubt: (partition: number) => handlers.onDoubt(partition),
    endTurn: () => turnEnds.splice(0).forEach((run) => void run()),
    answer: (...replies: Reply[]) => handlers.onReplies(encode(replies)),
    undelivered: (batch: number) => handlers.onUndelivered(batch),
    receive: (payload: Uint8Array) => handlers.onReplies(payload),
    giveUp: (now: boolean) => {
      hopeless = now;
    },
    breakBus: (now: boolean) => {
      broken = now;
    },
  };
}
