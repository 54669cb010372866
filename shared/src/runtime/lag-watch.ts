/**
 * How far readers of streams are behind, for the metrics: the age of the oldest message that a reader has not settled.
 * NATS alone knows the messages that nobody has read yet, so a scrape asks NATS, at most every `lagKeepMs`.
 *
 * States: unknown → (a scrape) asked → known → (the next scrape after `lagKeepMs`) asked again. Failure at the await:
 * no answer within `lagAnswerMsMax`, or an error → the scrape tells what was known, whose age grows; the question goes
 * on, and no second one is sent beside it. What was known for longer than `lagKnownMsMax` is told no more: a lag of 0
 * would say that all is well.
 *
 * The time of a message is that of its NATS server, so a wrong clock there makes the lag wrong.
 */
import type { JetStreamManager } from '@nats-io/jetstream';
import { type Clock, pause } from './clock.ts';
import type { Logger } from './log.ts';
import type { Sample } from './measures.ts';
import { storedMessage } from './stored-message.ts';
import { SECOND_MS } from './units.ts';

const lagKeepMs = 5_000;
const lagAnswerMsMax = 1_000;
const lagKnownMsMax = 60_000;

/** `oldestAt`: the time of the oldest message that is not settled (epoch ms); null when all are settled. */
export type Behind = { messages: number; oldestAt: number | null };

/** What a reader that has settled everything up to `settled` has before it. */
export async function behindIn(manager: JetStreamManager, stream: string, settled: number): Promise<Behind> {
  const { state } = await manager.streams.info(stream);
  const first = Math.max(settled + 1, state.first_seq);
  if (first > state.last_seq) return { messages: 0, oldestAt: null };
  const message = await storedMessage(manager, stream, first);
  return { messages: state.last_seq - first + 1, oldestAt: message?.time.getTime() ?? null };
}

type LagPorts = {
  clock: Clock;
  log: Logger;
  /** By the value of the label `stream`. */
  ask(): Promise<ReadonlyMap<string, Behind>>;
};

export class LagWatch {
  readonly #ports: LagPorts;
  #known: ReadonlyMap<string, Behind> = new Map();
  #knownAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | null = null;

  constructor(ports: LagPorts) {
    this.#ports = ports;
  }

  /** The age of the oldest message, in seconds. */
  async seconds(): Promise<Sample[]> {
    const now = this.#ports.clock.now();
    const ageOf = ({ oldestAt }: Behind): number => (oldestAt === null ? 0 : Math.max(0, now - oldestAt) / SECOND_MS);
    return Array.from(await this.#recent(), ([stream, behind]) => [{ stream }, ageOf(behind)]);
  }

  async messages(): Promise<Sample[]> {
    return Array.from(await this.#recent(), ([stream, { messages }]) => [{ stream }, messages]);
  }

  async #recent(): Promise<ReadonlyMap<string, Behind>> {
    const { clock } = this.#ports;
    if (clock.elapsed() - this.#knownAt >= lagKeepMs) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = null;
      });
      await Promise.race([this.#asking, pause(clock, lagAnswerMsMax)]);
    }
    return clock.elapsed() - this.#knownAt < lagKnownMsMax ? this.#known : new Map();
  }

  async #ask(): Promise<void> {
    const { ask, clock, log } = this.#ports;
    try {
      this.#known = await ask();
      this.#knownAt = clock.elapsed();
    } catch (error) {
      log.debug({ err: error }, 'NATS does not tell how far the streams are read');
    }
  }
}
