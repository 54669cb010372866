/** Hold ids as readers of logs and reports see them. Pure. */
import type { Role } from '@parterre/shared/protocol/catalog/scope';
import { sha256 } from '@parterre/shared/protocol/ids';
import { roleHas } from '@parterre/shared/protocol/rights';

const REF_LENGTH = 10;

/**
 * A short name for a hold: `hold:` and ten characters of the SHA-256 of its id, in base64url. A hold id acts like a
 * secret: a buyer who knows the id may release the hold. The short name opens nothing, is always the same for a hold,
 * and can be made from the id by everybody who has the id.
 */
export function holdRef(holdId: string): string {
  return `hold:${sha256(holdId).slice(0, REF_LENGTH)}`;
}

/**
 * A hold as a caller reads it in a report: a manage session, and a user whose role may not sell, may act on no hold,
 * and read the short name.
 */
export function holdAsSeenBy({ kind, role }: { kind: string; role?: Role }): (holdId: string) => string {
  const mayAct = kind !== 'manage' && (role === undefined || roleHas(role, 'sell'));
  return mayAct ? (holdId) => holdId : holdRef;
}
