/** The report of a failed history, for its investigation. */
import type { Verdict } from '../simulation.ts';

/** `kind`: the option of histories of another kind. */
export function tell({ seed, failure, trace }: Pick<Verdict, 'seed' | 'failure' | 'trace'>, kind = ''): string {
  return `${trace.join('\n')}\n\nseed ${seed}: ${failure}\n\nto play it again: npm run test:simulation -- ${kind}--seed ${seed}`;
}
