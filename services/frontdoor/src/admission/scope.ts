/** The scope of a server's or console's credential for operations of the catalog. */
import type { Scope } from '@parterre/shared/protocol/catalog/scope';
import type { ConsolePrincipal, EditorPrincipal } from './principal.ts';

export function scopeOf(principal: ConsolePrincipal | EditorPrincipal): Scope {
  const { organisationId } = principal;
  if (principal.kind === 'dashboard') {
    const { userId, role, mode = null } = principal;
    return { organisationId, mode, workspaceId: null, environment: null, actor: userId, role };
  }
  if (principal.kind === 'manage') {
    const { mode, workspaceId, sessionId } = principal;
    return { organisationId, mode, workspaceId, environment: null, actor: sessionId, role: null };
  }
  if (principal.kind === 'designer') {
    const { workspaceId, sessionId, mode = 'test' } = principal;
    return { organisationId, mode, workspaceId, environment: null, actor: sessionId, role: null };
  }
  const { mode, workspaceId, environment, keyId } = principal;
  return { organisationId, mode, workspaceId, environment, actor: keyId, role: null };
}

/** The name that the caller gave to the call, if any, for operations that create or change something. */
export function callIdOf({ callId }: { callId: string | null }): { callId?: string } {
  return callId === null ? {} : { callId };
}
