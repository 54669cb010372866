/** Lines that tell a person how far a long step is. */

export type Say = (line: string) => void;

export type ProgressLine = { passed(count?: number): void; end(): void };

const betweenLinesMs = 2_000;

/** A short step gets one line, at its end. `total` is null where it is unknown. */
export function progressOf(say: Say, step: string, total: number | null): ProgressLine {
  let done = 0;
  let toldAt = performance.now();
  const line = (): void => {
    const of = total === null ? '' : ` of ${total.toLocaleString('en')}`;
    say(`${step}: ${done.toLocaleString('en')}${of}`);
  };
  return {
    passed(count = 1) {
      done += count;
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
