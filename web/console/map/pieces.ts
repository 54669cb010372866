/**
 * A call about more labels than the server takes at once, as several calls one after the other.
 *
 * States: piece by piece → done, or stopped at the first refusal or silence. The pieces before it have happened; `part`
 * hears how many labels these had. A repetition with the same key is the same act: pieces that have happened are
 * answered again, and change nothing.
 */
import type { Result } from '../../src/sale/calls.ts';

export async function inPieces<T>(
  labels: readonly string[],
  most: number,
  key: string,
  call: (piece: readonly string[], key: string) => Promise<Result<T>>,
  part: (count: number) => void = () => {},
): Promise<Result<T[]>> {
  const values: T[] = [];
  for (let from = 0; from < labels.length; from += most) {
    const answer = await call(labels.slice(from, from + most), from === 0 ? key : `${key}-${from / most}`);
    if (!answer.ok) {
      if (from > 0) part(from);
      return answer;
    }
    values.push(answer.value);
  }
  return { ok: true, value: values };
}

/**
 * What a call names, fixed for the life of its key: statuses change while a person reads, and a repetition of a call
 * without an answer must name the same places.
 */
export function fixedByKey<T>(make: () => T): (key: string) => T {
  let kept: { key: string; value: T } | null = null;
  return (key) => {
    if (kept?.key !== key) kept = { key, value: make() };
    return kept.value;
  };
}
