/**
 * Gives a process a share of a core, until the parent leaves: stops the process while it has had more than its share.
 * A process of its own, so that no busy generator delays its timer. What the process takes in a late turn is made up
 * for in the next ones. Linux tells the time of the process's first thread in nanoseconds (schedstat).
 */
import { readFileSync } from 'node:fs';

const lookMs = 5;
const pid = Number(process.argv[2]);
const share = Number(process.argv[3]);
/** A process that was idle may use so much at once. */
const savedMsMax = 10;

const usedMs = (): number => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
let lookedAt = performance.now();
let used = usedMs();
let saved = 0;

setInterval(() => {
  const now = performance.now();
  const usedNow = usedMs();
  saved = Math.min(savedMsMax, saved + (now - lookedAt) * share - (usedNow - used));
  lookedAt = now;
  used = usedNow;
  process.kill(pid, saved > 0 ? 'SIGCONT' : 'SIGSTOP');
}, lookMs);

process.on('disconnect', () => {
  process.kill(pid, 'SIGCONT');
  process.exit(0);
});
