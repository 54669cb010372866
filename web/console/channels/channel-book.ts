/**
 * The channels of an event with their units and sales, and the channel of each seat, read again and again: other
 * people paint seats too.
 *
 * States: reading → shown → behind (a reading failed, the last figures stay and say so) → shown; failed, where the
 * first reading got no answer. The seats are read anew when the number of assignments has changed; a change between two
 * pages starts the reading over with the next turn. A book that is left drops every late answer.
 */
import type { Result } from '../../src/sale/calls.ts';
import type { Server } from '../server/calls.ts';
import type { ChannelId } from './assigning.ts';

export type ChannelCounts = { allocated: number; free: number; held: number; booked: number; blocked: number };

export type PriceOverride = { categoryKey: string; tierId: string | null; price: number };

export type Channel = {
  id: string;
  name: string;
  color: string | null;
  marker: string | null;
  externalRef: string | null;
  state: 'active' | 'paused' | 'archived';
  accessIntent: 'none' | 'internal' | 'server' | 'hosted_link';
  salesStartAt?: number | null;
  priceOverrides: PriceOverride[];
  pricingVersion: number;
  counts: ChannelCounts;
  access: { hasActiveGrants: boolean; lastMintAt: number | null };
};

export type ReportRow = {
  channelId: ChannelId;
  name: string;
  state: Channel['state'];
  allocation: ChannelCounts;
  attribution: { sold: number; units: number; bookedValue: number | null };
  sellThrough: number | null;
};
export type ChannelReport = { rows: ReportRow[]; totals: Omit<ReportRow, 'channelId' | 'name' | 'state'> };

type Listed = { assignmentVersion: number; publicSale: { counts: ChannelCounts }; channels: Channel[] };
type Page = {
  assignmentVersion: number;
  allocations: { label: string; channelId: string }[];
  nextAfterLabel: string | null;
};

const READ_EVERY_MS = 5_000;
const PLACES_PER_PAGE = 10_000;

export class ChannelBook {
  state: 'reading' | 'shown' | 'behind' | 'failed' = 'reading';
  version = 0;
  publicSale: ChannelCounts = { allocated: 0, free: 0, held: 0, booked: 0, blocked: 0 };
  channels: readonly Channel[] = [];
  report: ChannelReport | null = null;
  #of: ReadonlyMap<string, string> = new Map();
  #versionOfSeats: number | null = null;
  readonly #server: Server;
  readonly #path: string;
  readonly #changed: () => void;
  readonly #left = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(server: Server, eventKey: string, changed: () => void) {
    this.#server = server;
    this.#path = `events/${encodeURIComponent(eventKey)}/channels`;
    this.#changed = changed;
    void this.reread();
  }

  channelOf = (label: string): ChannelId => this.#of.get(label) ?? null;

  countsOf(id: ChannelId): ChannelCounts | undefined {
    return id === null ? this.publicSale : this.channels.find((channel) => channel.id === id)?.counts;
  }

  close(): void {
    this.#left.abort();
    clearTimeout(this.#timer);
  }

  async reread(): Promise<void> {
    clearTimeout(this.#timer);
    const { signal } = this.#left;
    const [listed, told] = await Promise.all([
      this.#server.get<Listed>(this.#path, signal),
      this.#server.get<{ report: ChannelReport }>(`${this.#path}/report`, signal),
    ]);
    if (signal.aborted) return;
    const isRead = listed.ok && told.ok && (await this.#readSeats(listed.value.assignmentVersion));
    if (signal.aborted) return;
    if (listed.ok && told.ok && isRead) this.#take(listed.value, told.value.report);
    else this.state = this.state === 'reading' || this.state === 'failed' ? 'failed' : 'behind';
    this.#changed();
    clearTimeout(this.#timer);
    if (this.state !== 'failed') this.#timer = setTimeout(() => void this.reread(), READ_EVERY_MS);
  }

  #take({ assignmentVersion, publicSale, channels }: Listed, report: ChannelReport): void {
    this.state = 'shown';
    this.version = assignmentVersion;
    this.publicSale = publicSale.counts;
    this.channels = channels;
    this.report = report;
  }

  /** False if the seats could not be read, or changed on the way. */
  async #readSeats(version: number): Promise<boolean> {
    if (this.#versionOfSeats === version) return true;
    const of = new Map<string, string>();
    for (let after: string | null = ''; after !== null; ) {
      const query = new URLSearchParams({ limit: String(PLACES_PER_PAGE), ...(after !== '' && { afterLabel: after }) });
      const page: Result<Page> = await this.#server.get<Page>(`${this.#path}/allocation?${query}`, this.#left.signal);
      if (!page.ok || page.value.assignmentVersion !== version) return false;
      for (const { label, channelId } of page.value.allocations) of.set(label, channelId);
      after = page.value.nextAfterLabel;
    }
    this.#of = of;
    this.#versionOfSeats = version;
    return true;
  }
}
