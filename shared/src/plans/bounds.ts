/** The bounds of compiling plans (I8). */
import { SECOND_MS } from '../units.ts';

/** Plans that wait for the compiler, beside the plan that is compiled. The next is refused with a fault. */
export const plansWaitingMax = 256;
/** The compiler ends after this time on one document. 100,000 seats take a tenth of a second of one core. */
export const compileMsMax = 60 * SECOND_MS;
/** The pause before a compiler that died is started again. It doubles with each death in a row. */
export const compilerPauseMsMin = 250;
export const compilerPauseMsMax = 8 * SECOND_MS;
/** A compiler without work ends after this time: it gives 100 MB back, and the next starts in a twentieth of a second. */
export const compilerRestMsMax = 10 * SECOND_MS;
/** Objects of a plan that the loop makes in one turn: about a millisecond. */
export const objectsPerTurn = 2_000;
