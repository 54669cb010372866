/** The report of a failed history, for its investigation. */
import type { Verdict } from '../simulation.ts';

export function tell({ seed, failure, trace }: Verdict): string {
  return `${trace.join('\n')}\n\nseed ${seed}: ${failure}\n\nto play it again: SEED=${seed} npm run test:simulation`;
}
