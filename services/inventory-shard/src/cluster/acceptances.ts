/**
 * Hears the operator's word on lost records (I9, protocol/loss-acceptance.ts): to go on without them, or to restore
 * them. The owner carries it out. Every shard hears it. The owner of the partition answers, the others are silent. A
 * partition does one at a time.
 *
 * An event: partition/acceptance.ts and partition/restoration.ts. A halted partition, in order:
 *
 *   the missing stream is made, and begins above every known sequence → the catalog's position is
 *   overruled, and the noted identity forgotten → the term ends, and this process takes the partition again: the fence
 *   notes the identity of the stream → a stream that ends
 *   too early is filled up → opened. Its events still halt by their own evidence
 *
 * Failure at each await: NATS does not answer → refused, and the command is given again: each step is done where it is
 * not done yet. After a crash behind the second step the next owner opens the partition. Its events still halt by their
 * own evidence.
 */
import type { NatsConnection } from '@nats-io/transport-node';
import type {
  AcceptanceNews,
  LossToAccept,
  LossToRestore,
  StreamToAccept,
} from '@parterre/shared/protocol/loss-acceptance';
import { subjects } from '@parterre/shared/protocol/subjects';
import { decode, encode } from '@parterre/shared/protocol/wire';
import { type Clock, pause } from '@parterre/shared/runtime/clock';
import type { Logger } from '@parterre/shared/runtime/log';
import { hearing } from '@parterre/shared/runtime/nats';
import type { Partition, SayFilled } from '../partition/partition.ts';
import { reopenLookMs, reopenWaitMs } from './bounds.ts';

export type AcceptancesPorts = {
  nats: NatsConnection;
  clock: Clock;
  log: Logger;
  /** The partition while this process owns it. */
  find(number: number): Partition | null;
  /** Whether NATS has the partition's stream. */
  hasStream(number: number): Promise<boolean>;
  /** Makes the missing stream, to begin behind this sequence. */
  makeStream(number: number, behind: number): Promise<void>;
  /**
   * The catalog's position up to this sequence halts the partition no more, and the next fence notes the identity of
   * the stream that is there.
   */
  overrule(number: number, above: number): Promise<void>;
  /** Ends the term at once. This process takes the partition again, if it is still the heir. */
  retake(number: number): void;
};

export function hearAcceptances(ports: AcceptancesPorts): void {
  const { nats, log } = ports;
  const underWay = new Set<number>();
  nats.subscribe(subjects.allAcceptances, {
    callback: hearing(({ subject, data, reply }) => {
      const number = Number(subject.slice(subject.indexOf('.') + 1));
      const partition = ports.find(number);
      if (!partition || !reply) return;
      const say = (news: AcceptanceNews): void => {
        if (!nats.isClosed()) nats.publish(reply, encode(news));
      };
      if (underWay.has(number)) {
        say({ refused: 'The partition carries out another acceptance. Wait for its end.' });
        return;
      }
      underWay.add(number);
      say({ filled: 0, of: 0 });
      void carryOut(ports, number, partition, data, say)
        .catch((error) => {
          log.error({ err: error, partition: number }, 'an acceptance failed');
          say({ refused: `The owner could not finish: ${error instanceof Error ? error.message : error}.` });
        })
        .finally(() => underWay.delete(number));
    }),
  });
}

async function carryOut(
  ports: AcceptancesPorts,
  number: number,
  partition: Partition,
  data: Uint8Array,
  say: (news: AcceptanceNews) => void,
): Promise<void> {
  const word = decode<LossToAccept | LossToRestore | StreamToAccept>(data);
  const sayFilled: SayFilled = (filled, of) => say({ filled, of });
  if (word.eventKey === null) {
    say(await acceptStream(ports, number, partition, word, sayFilled));
    return;
  }
  if (!partition.takesDecisions('isDryRun' in word && word.isDryRun)) {
    say({ refused: `The partition is ${partition.state}. Open a halted one with --partition ${number}.` });
    return;
  }
  if ('isDryRun' in word) {
    const restoration = await partition.restoreLoss(word, sayFilled);
    say('refused' in restoration ? restoration : { restored: restoration });
    return;
  }
  const acceptance = await partition.acceptLoss(word, sayFilled);
  say('refused' in acceptance ? acceptance : { accepted: acceptance });
}

async function acceptStream(
  ports: AcceptancesPorts,
  number: number,
  partition: Partition,
  { reason, above }: StreamToAccept,
  say: SayFilled,
): Promise<AcceptanceNews> {
  const hasStream = await ports.hasStream(number);
  if (hasStream && partition.state === 'serving') return fillUp(partition, above, say);
  if (hasStream && partition.state !== 'halted') return { refused: `The partition is ${partition.state}.` };
  if (!hasStream) await ports.makeStream(number, above);
  await ports.overrule(number, above);
  ports.log.warn({ partition: number, reason, above, hasStream }, 'an operator opens the partition on another stream');
  ports.retake(number);
  const opened = await nextTerm(ports, number, partition);
  return opened ? fillUp(opened, above, say) : { refused: 'The partition is not open yet. Give the command again.' };
}

async function nextTerm(
  { clock, find }: AcceptancesPorts,
  number: number,
  before: Partition,
): Promise<Partition | null> {
  const endsAt = clock.elapsed() + reopenWaitMs;
  while (clock.elapsed() < endsAt) {
    const partition = find(number);
    if (partition && partition !== before && partition.state === 'serving') return partition;
    await pause(clock, reopenLookMs);
  }
  return null;
}

async function fillUp(partition: Partition, above: number, say: SayFilled): Promise<AcceptanceNews> {
  const filled = await partition.fillTo(above, say);
  return 'refused' in filled ? filled : { opened: filled };
}
