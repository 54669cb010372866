/** The bounds of compiling plans (I8). */
import { SECOND_MS } from '../../runtime/units.ts';

/** Plans that wait for the compiler, beside the plan that is compiled. The next is refused with a fault. */
export const plansWaitingMax = 256;
/** The compiler ends after this time on one document. 100,000 seats take a tenth of a second of one core. */
export const compileMsMax = 60 * SECOND_MS;
/** Objects of a plan that the loop makes in one turn: about a millisecond. */
export const objectsPerTurn = 2_000;
