/** Reading settings that several services share from the environment their `config.ts` hands in. */
import { Fault } from './errors.ts';

/** A setting that cannot be gone by: told in one line, as its words say all there is to know. */
export class SettingFault extends Fault {}

/** An empty variable is one that is not set. Throws a `SettingFault` that names the variable. */
export function wholeNumber(environment: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = environment[name];
  if (!text) return fallback;
  if (!/^\d{1,6}$/.test(text)) throw new SettingFault(`read ${name}: "${text}" is not a whole number`);
  return Number(text);
}
