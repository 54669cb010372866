/** What a host says of the map that it wants, and hears of it. */

import type { Hold } from './rules/hold.ts';
import type { Wanted } from './rules/selection.ts';
import type { Problem } from './rules/words.ts';
import type { Access } from './sale/access.ts';

export type MapOptions = {
  event: string;
  access: Access;
  /** Of the front door; the page's own origin where absent. */
  baseUrl?: string;
  /** Guests and places in all that may be chosen; 10 where absent. */
  maxSelection?: number;
  /** BCP-47; the event's own where absent. */
  locale?: string;
  /** `chart` takes the colours of the chart's categories instead of those that everybody can tell apart. */
  colours?: 'palette' | 'chart';
  /** Who is choosing, where sessions belong to somebody: the hold that this tab kept is taken up again only for the same. */
  holder?: string;
  /** Where the hold is kept over a reload, sessionStorage where absent; null for nowhere. */
  storage?: Storage | null;
  onSelectionChange?(selection: Wanted[]): void;
  onHold?(hold: Hold): void;
  onHoldExpired?(): void;
  onHoldReleased?(): void;
  onBooked?(labels: string[]): void;
  onError?(problem: Problem & { text: string }): void;
};
