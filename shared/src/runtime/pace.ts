/**
 * The rests of readers of several journals. The readers share each rest, so their requests share packets and their
 * writes share flushes. A rest grows with the messages behind it: a busy reader gathers large batches, an idle reader
 * is prompt.
 *
 * States: awake → (a reader rests) at rest until the least time has passed, while other readers join → at rest for the
 * messages of all who joined, unless the rest is hurried → awake. A message that comes meanwhile waits in its stream.
 */
import type { Clock } from './clock.ts';

export type RestBounds = { msMin: number; msMax: number };

export type Pace = {
  /** Resolves with the end of the common rest. `messages` is the number that this reader had since its last rest. */
  rest(messages: number): Promise<void>;
  /** A present rest ends once its least time has passed. A later rest is not concerned. */
  hurry(): void;
};

type Rest = { messages: number; isHurried: boolean; isLeastOver: boolean; ended: Promise<void>; end(): void };

/**
 * A rest is so much longer for each message. Batches have fixed costs, and a few hundred messages are a busy second.
 */
const msPerMessage = 4;

export function restMs({ msMin, msMax }: RestBounds, messages: number): number {
  return Math.min(msMin + msPerMessage * messages, msMax);
}

export function createPace(clock: Clock, bounds: RestBounds): Pace {
  let present: Rest | null = null;

  function begin(): Rest {
    let wake = () => {};
    let cancel = () => {};
    const ended = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const end = (): void => {
      cancel();
      present = null;
      wake();
    };
    const rest: Rest = { messages: 0, isHurried: false, isLeastOver: false, ended, end };
    clock.after(bounds.msMin, () => {
      rest.isLeastOver = true;
      const moreMs = restMs(bounds, rest.messages) - bounds.msMin;
      if (rest.isHurried || moreMs <= 0) end();
      else cancel = clock.after(moreMs, end);
    });
    return rest;
  }

  return {
    rest(messages) {
      present ??= begin();
      present.messages += messages;
      return present.ended;
    },
    hurry() {
      if (present?.isLeastOver) present.end();
      else if (present) present.isHurried = true;
    },
  };
}
