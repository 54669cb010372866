/**
 * Sessions that are embedded in pages: a buyer's (bse_), a manager's (mse_) and a designer's (dse_). Each is good from the one origin that it is bound to
 * (scheme, host and port as the browser sends them; a request without an Origin comes from no page), until it expires or is revoked.
 */
import type { Principal } from '@parterre/shared/catalog/scope';
import type { Clock } from '@parterre/shared/clock';
import { done, type Outcome, refuse } from '@parterre/shared/errors';
import { sha256 } from '@parterre/shared/ids';
import { isSessionToken } from '@parterre/shared/session-tokens';
import type { DesignerPrincipal, Hashed, ManagePrincipal } from './principals.ts';

export type Resolve = (hash: string) => Outcome<Principal> | Promise<Outcome<Principal>>;

const badToken = refuse('buyer_access_invalid', 'This is no token of a buyer (bse_…).');
const revoked = refuse('buyer_access_revoked', 'This access was revoked.');
const expired = refuse('buyer_access_expired', 'This access has expired. Come back with a fresh token.');
const foreign = refuse('buyer_access_origin_mismatch', 'This token was made for another origin.');
const endedConsole = refuse('unauthorized', 'This manage session is not known, or it was revoked or has expired.');
const endedDesigner = refuse('unauthorized', 'This designer session is not known, or it was revoked or has expired.');
const foreignDesigner = refuse('forbidden', 'This designer session is bound to another origin.');
const foreignConsole = refuse('forbidden', 'This manage session is bound to another origin.');

export function createEmbeddedSessions(resolve: Resolve, clock: Clock) {
  return {
    /** A token that was made here and is gone from the catalog has expired long ago. */
    async buyer(token: string, origin: string): Promise<Outcome<Hashed<Extract<Principal, { kind: 'buyer' }>>>> {
      if (!isSessionToken(token, 'bse')) return badToken;
      const keyHash = sha256(token);
      const found = await resolve(keyHash);
      if (!found.ok) return found.refusal.code === 'unauthorized' ? expired : found;
      const holder = found.value;
      if (holder.kind !== 'buyer') return badToken;
      if (holder.revokedAt !== null) return revoked;
      if (holder.expiresAt <= clock.now()) return expired;
      return holder.origin === origin ? done({ ...holder, keyHash }) : foreign;
    },

    /** Of a console's or designer's token, whether it stands or not; null where it is not known. */
    async boundOrigin(token: string): Promise<string | null> {
      if (!isSessionToken(token, 'mse') && !isSessionToken(token, 'dse')) return null;
      const found = await resolve(sha256(token));
      return found.ok && (found.value.kind === 'manage' || found.value.kind === 'designer') ? found.value.origin : null;
    },

    async designer(token: string, origin: string): Promise<Outcome<DesignerPrincipal>> {
      const keyHash = sha256(token);
      const found = isSessionToken(token, 'dse') ? await resolve(keyHash) : endedDesigner;
      if (!found.ok) return found.refusal.code === 'unauthorized' ? endedDesigner : found;
      const holder = found.value;
      if (holder.kind !== 'designer' || holder.revokedAt !== null || holder.expiresAt <= clock.now()) {
        return endedDesigner;
      }
      return holder.origin === origin ? done({ ...holder, keyHash }) : foreignDesigner;
    },

    async manage(token: string, origin: string): Promise<Outcome<ManagePrincipal>> {
      if (!isSessionToken(token, 'mse')) return endedConsole;
      const keyHash = sha256(token);
      const found = await resolve(keyHash);
      if (!found.ok) return found.refusal.code === 'unauthorized' ? endedConsole : found;
      const holder = found.value;
      if (holder.kind !== 'manage' || holder.revokedAt !== null || holder.expiresAt <= clock.now()) return endedConsole;
      return holder.origin === origin ? done({ ...holder, keyHash }) : foreignConsole;
    },
  };
}
