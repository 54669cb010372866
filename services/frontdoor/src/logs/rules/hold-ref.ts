/** Hold ids as readers of logs and reports see them. Pure. */
import { sha256 } from '@parterre/shared/protocol/ids';

const REF_LENGTH = 10;

/**
 * A short name for a hold: `hold:` and ten characters of the SHA-256 of its id, in base64url. A hold id acts like a
 * secret: a buyer who knows the id may release the hold. The short name opens nothing, is always the same for a hold,
 * and can be made from the id by everybody who has the id.
 */
export function holdRef(holdId: string): string {
  return `hold:${sha256(holdId).slice(0, REF_LENGTH)}`;
}

/** A hold as a caller reads it in a report: a manage session may act on no hold, and reads the short name. */
export function holdAsSeenBy({ kind }: { kind: string }): (holdId: string) => string {
  return kind === 'manage' ? holdRef : (holdId) => holdId;
}
