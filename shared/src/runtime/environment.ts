/** Parses settings that several services share. Their `config.ts` hands in the environment. */
import { readFileSync } from 'node:fs';
import { Fault } from '../protocol/errors.ts';

const secretLengthMin = 32;

/** An invalid setting. The message says everything, so it is logged in one line without a stack trace. */
export class SettingFault extends Fault {}

/** An empty variable counts as not set. Throws a `SettingFault` that names the variable. */
export function wholeNumber(environment: NodeJS.ProcessEnv, name: string, fallback: number): number {
  const text = environment[name];
  if (!text) return fallback;
  if (!/^\d{1,6}$/.test(text)) throw new SettingFault(`read ${name}: "${text}" is not a whole number`);
  return Number(text);
}

/**
 * A secret from the variable, or from the file that `<name>_FILE` names, without the line feed at its end. Null when
 * neither is set. Throws a `SettingFault` when both are set or the file gives nothing. No message has the secret.
 */
export function secretOf(environment: NodeJS.ProcessEnv, name: string): string | null {
  return secretSource(environment, name)?.read() ?? null;
}

/** A secret that others could try to guess. Throws a `SettingFault` that names the variable, never its value. */
export function longSecretOf(environment: NodeJS.ProcessEnv, name: string): string | null {
  const secret = secretOf(environment, name);
  if (secret === null || secret.length >= secretLengthMin) return secret;
  throw new SettingFault(`read ${name}: it needs at least ${secretLengthMin} characters`);
}

/** A secret whose file may change. `read` throws a `SettingFault`. */
export type SecretSource = { read(): string };

/** Null when neither variable is set. The first reading is made here, so that a bad file ends the start. */
export function secretSource(environment: NodeJS.ProcessEnv, name: string): SecretSource | null {
  const value = environment[name] || null;
  const file = environment[`${name}_FILE`] || null;
  if (value !== null && file !== null) {
    throw new SettingFault(`read ${name}: both ${name} and ${name}_FILE are set, and only one may be`);
  }
  if (file === null) return value === null ? null : { read: () => value };
  const source = { read: () => secretIn(file, `${name}_FILE`) };
  source.read();
  return source;
}

/** Throws a `SettingFault` when the file cannot be read. `variable` names the file in its message. */
export function checkReadable(file: string, variable: string): void {
  secretIn(file, variable);
}

function secretIn(file: string, variable: string): string {
  const text = textOf(file, variable).replace(/\r?\n$/, '');
  if (text === '') throw new SettingFault(`read ${variable}: ${file} is empty`);
  return text;
}

function textOf(file: string, variable: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new SettingFault(`read ${variable}: ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
