/**
 * The load generator as a process of its own: an order comes as a message, and the result or the error goes back. The
 * message `cut` ends the present order early.
 */
import { type LoadOrder, type LoadResult, runLoad } from './load.ts';

export type LoadMessage = { result: LoadResult } | { problem: string };

let cutter = new AbortController();

process.on('message', (order: LoadOrder | 'cut') => {
  if (order === 'cut') {
    cutter.abort();
    return;
  }
  cutter = new AbortController();
  runLoad(order, cutter.signal).then(
    (result) => tell({ result }),
    (error: Error) => tell({ problem: String(error.stack) }),
  );
});
process.on('disconnect', () => process.exit(0));

function tell(message: LoadMessage): void {
  process.send!(message);
}
