/** Parses settings that several services share. Their `config.ts` hands in the environment. */
import { Fault } from './errors.ts';

/** An invalid setting. The message says everything, so it is logged in one line without a stack trace. */
export class SettingFault extends Fault {}

/** An empty variable counts as not set. Throws a `SettingFault` that names the variable. */
export function wholeNumber(environment: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = environment[name];
  if (!text) return fallback;
  if (!/^\d{1,6}$/.test(text)) throw new SettingFault(`read ${name}: "${text}" is not a whole number`);
  return Number(text);
}
