/**
 * Steps of a start that need streams, buckets or a database. A new cluster of NATS, or one under load, has no leader
 * for some of them yet, and answers late, with a refusal, or never. Such a step is not a failure: it waits.
 *
 * States of a step: tried → done; tried → not ready → (a pause, doubled from `startRetryMs` to `startRetryMsMax`) →
 * tried again, without a limit of tries; tried → failed, which is thrown. The log has a line when a step waits for the
 * first time, a warning every `layoutPatienceMs`, and a line when the step is done at last. Meanwhile /healthz is 200
 * and /readyz is 503.
 *
 * A try may have had its effect although its answer was lost. So each step can be repeated: it looks first, or makes
 * the same thing again.
 */
import { JetStreamApiError } from '@nats-io/jetstream';
import { layoutPatienceMs, startRetryMs, startRetryMsMax } from '../protocol/limits.ts';
import { type Clock, pause } from './clock.ts';
import { SettingFault } from './environment.ts';
import type { Logger } from './log.ts';
import { isSilence } from './nats.ts';

type WaitPorts = { clock: Clock; log: Logger };

/** `step` names the step in the log, as the object of "waiting to …". */
export async function whenReady<T>(
  { clock, log }: WaitPorts,
  step: string,
  run: () => Promise<T>,
  isNotReady: (error: unknown) => boolean = natsIsNotReady,
): Promise<T> {
  const startedAt = clock.elapsed();
  let tellAt = startedAt;
  for (let pauseMs = startRetryMs; ; pauseMs = Math.min(2 * pauseMs, startRetryMsMax)) {
    try {
      const result = await run();
      if (tellAt > startedAt) log.info({ waitedMs: Math.round(clock.elapsed() - startedAt) }, `done at last: ${step}`);
      return result;
    } catch (error) {
      if (error instanceof SettingFault || !isNotReady(error)) throw error;
      const now = clock.elapsed();
      if (now >= tellAt) {
        const level = tellAt === startedAt ? 'info' : 'warn';
        log[level]({ problem: (error as Error).message }, `waiting to ${step}, trying again`);
        tellAt = now + layoutPatienceMs;
      }
    }
    await pause(clock, pauseMs);
  }
}

/** No peers for the copies yet: some servers of the cluster have not come. NATS gives it as an error of the request. */
const NO_PEERS = 10_005;
/** The server is no cluster, and the deployment asks for copies. Waiting does not help. */
const NO_CLUSTER = 10_074;

/** NATS did not answer, or refuses for a reason that passes: no leader, no majority, JetStream not up, no room. */
export function natsIsNotReady(error: unknown): boolean {
  if (isSilence(error) || isNotEnabled(error)) return true;
  if (error instanceof JetStreamApiError) {
    return error.code === NO_PEERS || (error.status >= 500 && error.code !== NO_CLUSTER);
  }
  const cause = (error as { cause?: unknown } | null)?.cause;
  return cause !== undefined && natsIsNotReady(cause);
}

/** The library exports no class for this error. */
function isNotEnabled(error: unknown): boolean {
  return error instanceof Error && error.name === 'JetStreamNotEnabled';
}
