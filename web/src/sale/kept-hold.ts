/**
 * This tab's hold, kept over a reload. It is stored under the event and the kind of access, so that a page with another
 * key, another link or another buyer does not resume a hold that is not its own.
 */
import { type Access, type PageStorage, tailOf } from './access.ts';

export type KeptHold = ReturnType<typeof keptHold>;

/** `holder` is the buyer, when a host's sessions belong to persons. */
export function keptHold(storage: PageStorage, eventKey: string, access: Access, holder = '') {
  const name = `parterre:hold:${eventKey}:${wayOf(access)}:${holder}`;
  return {
    get(): { holdId: string; extends: number } | null {
      const [holdId = '', times] = storage?.getItem(name)?.split(' ') ?? [];
      return holdId ? { holdId, extends: Number(times) || 0 } : null;
    },
    set: (holdId: string, times: number) => storage?.setItem(name, `${holdId} ${times}`),
    drop: () => storage?.removeItem(name),
  };
}

/** A host's session may belong to another buyer after each reload: only the host knows. */
function wayOf(access: Access): string {
  if ('capability' in access) return `link-${tailOf(access.capability)}`;
  return 'publicKey' in access ? `key-${tailOf(access.publicKey)}` : 'session';
}
