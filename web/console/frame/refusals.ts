/** What a refused or unanswered call tells the person: a sentence, then the places, and the faults of fields. Pure. */
import type { Result } from '../../src/sale/calls.ts';
import type { PlainKey, Words } from '../messages/words.ts';
import type { ActState } from './act.ts';

const sentences: Readonly<Record<string, PlainKey>> = {
  forbidden: 'refused.forbidden',
  not_found: 'refused.not_found',
  mode_mismatch: 'refused.mode_mismatch',
  rate_limited: 'refused.rate_limited',
  idempotency_in_progress: 'refused.in_progress',
};

const PLACES_NAMED_MAX = 12;

/** Empty where there is nothing to tell. A code without a sentence of ours is told in the server's own words. */
export function toldOf(state: ActState, { text, list }: Words): string {
  if (state.kind === 'unknown') return text('refused.unknown');
  if (state.kind !== 'refused') return '';
  const { code, message, conflicts = [], labels = [] } = state.problem;
  const known = conflicts.length > 0 ? 'refused.conflict' : sentences[code];
  const sentence = known ? text(known) : (message ?? text('refused.other', { code }));
  const places = conflicts.length > 0 ? conflicts.map(({ name, label }) => name ?? label) : labels;
  if (places.length === 0) return sentence;
  const named = places.slice(0, PLACES_NAMED_MAX);
  const more = places.length - named.length;
  return `${sentence} ${text('refused.places', { places: list(named) })}${more > 0 ? ` ${text('refused.more', { count: more })}` : ''}`;
}

type Issue = { path: string; message: string };

/** The fault of the field at this path of the body; null without one. */
export type FaultOf = (path: string) => string | null;

/** The faults of fields after a refusal. `rest` has those that no field asked for. */
export function faultsOf(state: ActState): { at: FaultOf; rest(): string } {
  const { issues = [] } = (state.kind === 'refused' ? state.problem : {}) as { issues?: readonly Issue[] };
  const told = new Set<Issue>();
  return {
    at(path) {
      const its = issues.filter((issue) => issue.path === path || issue.path.startsWith(`${path}.`));
      for (const issue of its) told.add(issue);
      return its.length === 0 ? null : its.map(({ message }) => message).join(' ');
    },
    rest: () =>
      issues
        .filter((issue) => !told.has(issue))
        .map(({ path, message }) => `${path}: ${message}`)
        .join(' '),
  };
}

/** The page's own refusal of a field, before anything is sent. */
export function faultAt(path: string, message: string): Extract<Result<never>, { ok: false }> {
  return {
    ok: false,
    status: 422,
    problem: { code: 'invalid_request', message, issues: [{ path, message }] } as never,
  };
}

/** The page's own refusal of a wish, before anything is sent. */
export function refusedWith(message: string): Extract<Result<never>, { ok: false }> {
  return { ok: false, status: 409, problem: { code: 'conflict', message } };
}
