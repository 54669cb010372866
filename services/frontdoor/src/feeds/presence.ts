/**
 * Counts the distinct buyers who watch one event, and its active holds, over all front doors. Each front door sends the
 * others its share on core NATS: 32-bit hashes of its buyers. It sends the share when the share changed, and every
 * KEEP_ALIVE_MS. No front door waits for a share.
 *
 * States of another front door's share: unknown → known → unknown. The share is forgotten if it is not repeated for
 * SHARE_ENDS_MS (its front door died or was cut off), or if it says that no buyer is left. The next share makes up for
 * a lost share. States of telling: quiet → due → quiet. The buyers are counted at most every TELL_MS, and viewers are
 * told a count only if it differs from the last count.
 */
import type { Clock } from '@parterre/shared/runtime/clock';
import { presenceSharesMax, shoppersPerShareMax } from '../feed-limits.ts';
import type { Presence } from './frames/frame.ts';

/**
 * `shoppers` are hashes, four bytes each, little-endian. `more` counts the buyers beyond the bound. `asks` asks the
 * other front doors for their shares.
 */
export type Share = { door: string; shoppers: Uint8Array; more: number; asks?: true };

export type PresencePorts = {
  clock: Clock;
  /** This front door's name among all front doors. */
  door: string;
  /** Sends to the other front doors. */
  share(share: Share): void;
  activeHolds(): number;
  /** Sends to the event's viewers. */
  tell(presence: Presence): void;
};

type RemoteShoppers = { shoppers: Uint32Array; more: number; at: number };

const SHARE_MS = 2_000;
const KEEP_ALIVE_MS = 4_000;
const SHARE_ENDS_MS = 10_000;
const TELL_MS = 2_000;

export class EventPresence {
  /** The last count that viewers were told; null before the first. */
  told: Presence | null = null;
  /** The number of this front door's sockets by the hash of their buyer. */
  private readonly own = new Map<number, number>();
  private readonly others = new Map<string, RemoteShoppers>();
  private sharedAt = Number.NEGATIVE_INFINITY;
  private countedAt = Number.NEGATIVE_INFINITY;
  private isShareDue = false;
  private isTellDue = false;
  private closed = false;

  constructor(private readonly ports: PresencePorts) {}

  /** Call this once shares of other front doors can arrive. Asks the other front doors for their shares. */
  start(): void {
    this.share(true);
    this.armKeepAlive();
  }

  join(shopper: number): void {
    const sockets = this.own.get(shopper) ?? 0;
    this.own.set(shopper, sockets + 1);
    if (sockets === 0) this.ownChanged();
  }

  leave(shopper: number): void {
    const sockets = this.own.get(shopper) ?? 0;
    if (sockets > 1) this.own.set(shopper, sockets - 1);
    else if (this.own.delete(shopper)) this.ownChanged();
  }

  private ownChanged(): void {
    this.noteChange();
    if (this.isShareDue) return;
    this.isShareDue = true;
    this.after(SHARE_MS - (this.ports.clock.elapsed() - this.sharedAt), () => this.share(false));
  }

  private share(asks: boolean): void {
    this.isShareDue = false;
    this.sharedAt = this.ports.clock.elapsed();
    const shoppers = Uint32Array.from([...this.own.keys()].slice(0, shoppersPerShareMax));
    const more = this.own.size - shoppers.length;
    this.ports.share({
      door: this.ports.door,
      shoppers: new Uint8Array(shoppers.buffer),
      more,
      ...(asks && { asks: true as const }),
    });
  }

  private armKeepAlive(): void {
    this.after(KEEP_ALIVE_MS, () => {
      const quietFor = this.ports.clock.elapsed() - this.sharedAt;
      if (this.own.size > 0 && quietFor >= KEEP_ALIVE_MS / 2) this.share(false);
      this.forgetTheDead();
      this.armKeepAlive();
    });
  }

  private forgetTheDead(): void {
    for (const [door, { at }] of this.others) {
      if (this.ports.clock.elapsed() - at > SHARE_ENDS_MS && this.others.delete(door)) this.noteChange();
    }
  }

  /** Takes a share from any front door. This front door's own shares come back too and are ignored. */
  onShare({ door, shoppers, more, asks }: Share): void {
    if (door === this.ports.door || this.closed) return;
    if (asks && this.own.size > 0) this.share(false);
    if (shoppers.length === 0 && more === 0) {
      if (this.others.delete(door)) this.noteChange();
      return;
    }
    if (!this.others.has(door) && this.others.size >= presenceSharesMax) return;
    // Copied, because the received bytes may begin at an odd address.
    const hashes = new Uint32Array(new Uint8Array(shoppers).buffer);
    this.others.set(door, { shoppers: hashes, more, at: this.ports.clock.elapsed() });
    this.noteChange();
  }

  /** The counts may differ from the counts that viewers were told last. */
  noteChange(): void {
    if (this.isTellDue) return;
    this.isTellDue = true;
    this.after(TELL_MS - (this.ports.clock.elapsed() - this.countedAt), () => this.tell());
  }

  private tell(): void {
    this.isTellDue = false;
    const now = this.now();
    this.countedAt = this.ports.clock.elapsed();
    const { told } = this;
    if (told?.shoppingSessions === now.shoppingSessions && told.activeHolds === now.activeHolds) return;
    this.told = now;
    this.ports.tell(now);
  }

  now(): Presence {
    const shoppers = new Set(this.own.keys());
    let more = 0;
    for (const known of this.others.values()) {
      for (const shopper of known.shoppers) shoppers.add(shopper);
      more += known.more;
    }
    return { shoppingSessions: shoppers.size + more, activeHolds: this.ports.activeHolds() };
  }

  private after(delayMs: number, run: () => void): void {
    this.ports.clock.after(Math.max(0, delayMs), () => {
      if (!this.closed) run();
    });
  }

  /** Tells the other front doors that no buyer is left here. */
  close(): void {
    this.own.clear();
    this.share(false);
    this.closed = true;
  }
}
