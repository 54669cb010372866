/** The options of the benchmark of sales. bench/README.md describes them. */
import { resolve } from 'node:path';
import { endWith, readArguments } from '../arguments.ts';
import type { Beside } from './contender.ts';
import { type Pass, passesBeside, passesOf } from './passes.ts';

export type Options = {
  pairs: number;
  seconds: number;
  cluster: boolean;
  passes: Pass[];
  beside?: Beside;
  guard: boolean;
  /** A partial run replaces RESULTS.md and RESULTS.json only with `write`. */
  isPartial: boolean;
  write: boolean;
  json: string | undefined;
};

/** A quick run leaves these out: neither the goals nor the guard need them. */
const leftOutIfQuick = ['nats-echo', 'redis-uws-everysec', 'redis-uws-always', 'postgres'];

export function readOptions(): Options {
  const given = readArguments({
    json: { type: 'string' },
    only: { type: 'string' },
    beside: { type: 'string' },
    'beside-env': { type: 'string' },
    quick: { type: 'boolean', default: false },
    guard: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    pairs: { type: 'string' },
    seconds: { type: 'string' },
  });
  const { quick, guard, cluster, json, write } = given;
  const pairs = Number(given.pairs ?? (quick ? 3 : 5));
  if (!Number.isInteger(pairs) || pairs < 1) return endWith('--pairs is a whole number from 1');
  const seconds = Number(given.seconds ?? (quick ? 1 : 2.5));
  if (!(seconds > 0)) return endWith('--seconds is a number above 0');
  const beside = besideOf(given.beside, given['beside-env']);
  const chosen = beside ? { passes: passesBeside() } : passesOf(given.only, quick ? leftOutIfQuick : []);
  if ('fault' in chosen) return endWith(chosen.fault);
  const isPartial = [quick, guard, cluster, given.only, given.pairs, given.seconds, beside].some(Boolean);
  return { pairs, seconds, cluster, passes: chosen.passes, guard, isPartial, write, json, ...(beside && { beside }) };
}

/** `--beside-env A=1,B=2` sets variables of the other side alone. */
function besideOf(checkout: string | undefined, variables: string | undefined): Beside | undefined {
  if (checkout === undefined) return variables === undefined ? undefined : endWith('--beside-env needs --beside');
  const env = Object.fromEntries((variables?.split(',') ?? []).map((pair) => pair.split('=') as [string, string]));
  return { checkout: resolve(checkout), env };
}
