/** The host's settings of a map, and the host's callbacks. */

import type { GroupAccess } from './group/group-api.ts';
import type { Problem } from './messages/problems.ts';
import type { OwnMessages } from './messages/words.ts';
import type { Hold } from './rules/hold.ts';
import type { Wanted } from './rules/selection.ts';
import type { Access } from './sale/access.ts';

/** An event, or a performance group, which an access link does not open. */
export type SaleSubject = { event: string; access: Access } | { event?: undefined; group: string; access: GroupAccess };

export type MapOptions = SaleSubject & {
  /** Of the front door, possibly relative to the page's origin, which is the default. */
  baseUrl?: string;
  /** Guests and places in the whole selection; 10 where absent. */
  maxSelection?: number;
  /** BCP 47. Where absent the event's, else the page's, else the browser's. */
  locale?: string;
  /** The host's own texts, by key. */
  messages?: OwnMessages;
  /** `palette` uses colours that everybody can tell apart, instead of the chart's own colours. */
  colours?: 'palette' | 'chart';
  /** The buyer, when sessions belong to persons: this tab's stored hold is resumed only for the same holder. */
  holder?: string;
  /** The storage that keeps the hold over a reload, sessionStorage where absent; null for none. */
  storage?: Storage | null;
  onSelectionChange?(selection: Wanted[]): void;
  onHold?(hold: Hold): void;
  /** The buyer goes on to pay for the hold. */
  onContinue?(hold: Hold): void;
  onHoldExpired?(): void;
  onHoldReleased?(): void;
  onBooked?(labels: string[]): void;
  onError?(problem: Problem & { text: string }): void;
};

/** The absolute base URL. An unreadable one stays as it is: the first call then fails, and the page says so. */
export function baseUrlOf(
  { baseUrl = '' }: Pick<MapOptions, 'baseUrl'>,
  { origin }: Pick<Location, 'origin'> = location,
): string {
  try {
    return new URL(baseUrl, origin).href;
  } catch {
    return baseUrl;
  }
}
