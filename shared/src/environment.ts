/** Reading settings that several services share from the environment their `config.ts` hands in. */
import { Fault } from './errors.ts';

const PARTITIONS_DEFAULT = 8;

/** An empty variable is one that is not set. Throws a `Fault` that names the variable. */
export function wholeNumber(environment: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = environment[name];
  if (!text) return fallback;
  if (!/^\d{1,6}$/.test(text)) throw new Fault(`read ${name}: "${text}" is not a whole number`);
  return Number(text);
}

/** The number of journal partitions, the same for every service of a deployment: a power of two. */
export function journalPartitions(environment: NodeJS.ProcessEnv): number {
  const partitions = wholeNumber(environment, 'JOURNAL_PARTITIONS', PARTITIONS_DEFAULT);
  if (partitions < 1 || (partitions & (partitions - 1)) !== 0) {
    throw new Fault(`read JOURNAL_PARTITIONS: ${partitions} is not a power of two`);
  }
  return partitions;
}
