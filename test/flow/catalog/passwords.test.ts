/** The cost of a stored password: by the setting for new ones, by its own form for older ones. */
import { systemClock } from '@parterre/shared/runtime/clock';
import { expect, test } from 'vitest';
import { createPasswords } from '../../../services/catalog/src/accounts/passwords.ts';
import { readConfig } from '../../../services/catalog/src/config.ts';

const passwordLogNOf = (cost?: string) => readConfig({ PARTERRE_PASSWORD_COST: cost }).passwordLogN;

test('without a setting a password costs scrypt with N 2^15, and passwords of other costs stay valid', async () => {
  const usual = createPasswords(passwordLogNOf(), systemClock);
  const kept = await usual.kept('seven seats in row C');
  expect(kept).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/);
  const cheap = createPasswords(passwordLogNOf('10'), systemClock);
  for (const passwords of [usual, cheap]) {
    expect(await passwords.isRight('seven seats in row C', kept)).toBe(true);
    expect(await passwords.isRight('eight seats in row C', kept)).toBe(false);
    expect(await passwords.isRight('seven seats in row C', null)).toBe(false);
  }
});

test('a password of nobody takes the work of a stored one, so that no answer tells which users exist', async () => {
  const passwords = createPasswords(passwordLogNOf(), systemClock);
  const since = performance.now();
  expect(await passwords.isRight('seven seats in row C', null)).toBe(false);
  // The work takes tens of milliseconds.
  expect(performance.now() - since).toBeGreaterThan(10);
});

test.each(['9', '21', '12.5', 'high'])('a cost of %s is refused', (cost) => {
  expect(() => passwordLogNOf(cost)).toThrow();
});
