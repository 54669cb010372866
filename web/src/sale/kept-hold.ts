/**
 * The hold of this tab, kept over a reload: under the event and the way in, so that a page that comes to the same event another way (another
 * key, another link, another buyer) does not take up a hold that is not its own.
 */
import { type Access, type Kept, tailOf } from './access.ts';

export type KeptHold = ReturnType<typeof keptHold>;

/** `holder` is who is choosing, where a host's sessions belong to somebody. */
export function keptHold(storage: Kept, eventKey: string, access: Access, holder = '') {
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

/** A session of the host's may be another one after each reload: only the host knows whose it is. */
function wayOf(access: Access): string {
  if ('capability' in access) return `link-${tailOf(access.capability)}`;
  return 'publicKey' in access ? `key-${tailOf(access.publicKey)}` : 'session';
}
