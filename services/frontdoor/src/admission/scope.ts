/** What a credential of a server or a console lets an operation of the catalog see, and which page a query asks for. */
import type { Page, Scope } from '@parterre/shared/catalog/scope';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import type { ConsolePrincipal, EditorPrincipal } from './principals.ts';

export function scopeOf(principal: ConsolePrincipal | EditorPrincipal): Scope {
  const { organisationId } = principal;
  if (principal.kind === 'dashboard') {
    const { userId, role } = principal;
    return { organisationId, mode: null, workspaceId: null, environment: null, actor: userId, role };
  }
  if (principal.kind === 'manage') {
    const { mode, workspaceId, sessionId } = principal;
    return { organisationId, mode, workspaceId, environment: null, actor: sessionId, role: null };
  }
  if (principal.kind === 'designer') {
    const { workspaceId, sessionId } = principal;
    return { organisationId, mode: null, workspaceId, environment: null, actor: sessionId, role: null };
  }
  const { mode, workspaceId, environment, keyId } = principal;
  return { organisationId, mode, workspaceId, environment, actor: keyId, role: null };
}

/** For operations that make or change something: the name that the caller gave to the call, where there is one. */
export function callIdOf({ callId }: { callId: string | null }): { callId?: string } {
  return callId === null ? {} : { callId };
}

/** `limit` is clamped, never an error; an unreadable cursor starts over (the catalog's part). */
export function pageOf(query: URLSearchParams, bounds: { usual: number; most: number }): Page {
  const asked = wholeNumberOf(query, 'limit');
  const limit = asked === null ? bounds.usual : Math.min(Math.max(asked, 1), bounds.most);
  const cursor = query.get('cursor');
  return cursor === null || cursor === '' ? { limit } : { limit, cursor };
}

/** Rounded down; null where the query names none that can be read. */
export function wholeNumberOf(query: URLSearchParams, name: string): number | null {
  const text = query.get(name)?.trim() ?? '';
  const number = Math.floor(Number(text));
  return text === '' || Number.isNaN(number) ? null : number;
}

/** The page before an entry; one that cannot be read starts over. */
export function beforeOf(query: URLSearchParams): { before?: number } {
  const before = wholeNumberOf(query, 'before');
  return before !== null && before >= 0 ? { before } : {};
}

/** One of `known`, undefined where none is named; `none` tells whoever names another. */
export function choiceOf<T extends string>(
  query: URLSearchParams,
  name: string,
  known: readonly T[],
  none: string,
): Outcome<T | undefined> {
  const named = query.get(name) ?? '';
  const choice = known.find((each) => each === named);
  if (named === '' || choice !== undefined) return done(choice);
  return refuse('invalid_request', none, {
    details: { issues: [{ path: name, message: `Must be one of ${known.join(', ')}.` }] },
  });
}
