/**
 * Counts the successes of each kind of call and the number of each refusal: a generator without successes proves
 * nothing.
 */
import type { Answer } from '@parterre/shared/protocol/commands';

export class Tally {
  readonly successes = new Map<string, number>();
  readonly refusals = new Map<string, number>();
  soldOuts = 0;

  add(kind: string, answer: Answer): void {
    if (answer.kind === 'ok') count(this.successes, kind);
    if (answer.kind !== 'refused') return;
    const { code, reason = code } = answer.refusal;
    count(this.refusals, reason === code ? code : `${code}/${reason}`);
  }

  toString(): string {
    const lines = (counts: Map<string, number>): string =>
      [...counts].map(([what, number]) => `  ${String(number).padStart(7)} ${what}`).join('\n');
    return `successes\n${lines(this.successes)}\nrefusals\n${lines(this.refusals)}\nsold out: ${this.soldOuts}`;
  }
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}
