/**
 * The time of the NATS servers, from the answers to a question about a stream (nats-server 2.10 and newer). Up to three
 * streams are asked, whose leaders may be different servers, and the median counts: one server with a wrong clock does
 * not decide.
 *
 * Failure at the await: a stream does not answer, or answers too late. Its answer does not count. Without any answer
 * the time is unknown now. Servers before 2.10 never tell their time.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import { names } from '@parterre/shared/protocol/subjects';
import type { Clock } from '@parterre/shared/runtime/clock';
import { roundTripMsMax, streamsAskedMax } from './bounds.ts';

/** The time of NATS in epoch milliseconds, minus `Clock.elapsed` at that moment. Null: unknown now. */
export type AskNatsTime = () => Promise<number | null | 'untold'>;

export function createNatsTime(
  manager: Pick<JetStreamManager, 'streams'>,
  partitions: number,
  clock: Pick<Clock, 'elapsed'>,
): AskNatsTime {
  async function ask(partition: number): Promise<number | null | 'untold'> {
    const sentAt = clock.elapsed();
    const info = await manager.streams.info(names.journalStream(partition)).catch(() => null);
    const roundTripMs = clock.elapsed() - sentAt;
    if (!info || roundTripMs > roundTripMsMax) return null;
    if (info.ts === undefined) return 'untold';
    // biome-ignore lint/style/noRestrictedGlobals: reads a written date; the time now comes from NATS.
    return Date.parse(info.ts) - (sentAt + roundTripMs / 2);
  }

  return async () => {
    const asked = Array.from({ length: Math.min(partitions, streamsAskedMax) }, (_, partition) => ask(partition));
    const answers = await Promise.all(asked);
    const times = answers.filter((answer) => typeof answer === 'number');
    return median(times) ?? (answers.includes('untold') ? 'untold' : null);
  };
}

/** The lower one of two in the middle; null for none. */
function median(numbers: number[]): number | null {
  return numbers.sort((a, b) => a - b)[(numbers.length - 1) >> 1] ?? null;
}
