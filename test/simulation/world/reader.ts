/**
 * The reader thread of a simulated process: the thread's own program. The thread dies at a read, behind a part of its
 * answers, and its last answers are lost. It answers late, so that answers come in another order than the reads.
 */
import { createReader } from '../../../services/inventory-shard/src/readers/reader-program.ts';
import type { StartReader } from '../../../services/inventory-shard/src/readers/reader-thread.ts';
import type { Faults } from '../faults.ts';
import type { SimulatedProcess } from './process.ts';
import type { Random } from './scheduler.ts';

const lateMsMax = 6_000;
const readMsMax = 40;

/** `onRead` is called with each answer that reaches the loop. */
export function simulatedReader(
  random: Random,
  faults: Faults,
  owner: SimulatedProcess,
  onRead: () => void,
): StartReader {
  return ({ onAnswer, onError, onExit }) => {
    let isAlive = true;
    const inTime = (delayMs: number, run: () => void): void => {
      owner.clock.after(delayMs, () => {
        if (isAlive) run();
      });
    };
    const hear = createReader((told) => {
      const copy = structuredClone(told);
      inTime(random.delay(1, faults.strikes('readerLate') ? lateMsMax : readMsMax), () => {
        onRead();
        onAnswer(copy);
      });
    });
    const end = (): void => {
      isAlive = false;
      onExit();
    };
    return {
      postMessage(message, transfer = []) {
        if (!isAlive) return;
        hear(structuredClone(message, { transfer }));
        if (message.type !== 'read' || !faults.strikes('readerDies')) return;
        inTime(random.delay(1, readMsMax), () => {
          onError(new Error('the simulated reader thread died'));
          end();
        });
      },
      terminate: async () => end(),
    };
  };
}
