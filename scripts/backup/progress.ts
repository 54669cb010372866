/**
 * Lines that tell a person how far a long step is, and the place at which Ctrl-C ends it: the next record or piece
 * throws a `Refused`, so that every `finally` on the way takes back what it made. A second Ctrl-C leaves at once.
 */
import { Refused } from './refused.ts';

export type Say = (line: string) => void;

export type ProgressLine = { passed(count?: number): void; end(): void };

/** The end of the sentence that tells of a stop; null while nobody has asked for one. */
let stopWords: string | null = null;

/** `next`: what giving the command again does. */
export function stopOnInterrupt(next: string, say: Say): void {
  process.once('SIGINT', () => {
    say('Stopping behind this piece. Once more leaves at once.');
    stopAtNextPiece(next);
  });
}

export function stopAtNextPiece(next: string | null): void {
  stopWords = next;
}

const betweenLinesMs = 2_000;

/** A short step gets one line, at its end. `total` is null where it is unknown. */
export function progressOf(say: Say, step: string, total: number | null): ProgressLine {
  let done = 0;
  let toldAt = performance.now();
  const place = (): string => {
    const of = total === null ? '' : ` of ${total.toLocaleString('en')}`;
    return `${step}: ${done.toLocaleString('en')}${of}`;
  };
  const line = (): void => say(place());
  return {
    passed(count = 1) {
      done += count;
      if (stopWords !== null) throw new Refused(`Stopped at ${place()}. ${stopWords}`);
      if (performance.now() - toldAt < betweenLinesMs) return;
      toldAt = performance.now();
      line();
    },
    end: line,
  };
}

/** Counts what passes. */
export async function* counted<T>(records: AsyncIterable<T>, progress: ProgressLine): AsyncGenerator<T> {
  for await (const record of records) {
    progress.passed();
    yield record;
  }
  progress.end();
}
