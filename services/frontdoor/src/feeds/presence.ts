/**
 * Who is about on one event, over all front doors: buyers who watch, told apart, and holds under way. Each front door tells the
 * others its share on core NATS, as 32-bit hashes of the buyers it has, whenever it changed and every KEEP_ALIVE_MS; nobody waits for it.
 *
 * States of another's share: unknown → known → unknown, when it was not repeated for SHARE_ENDS_MS (its front door died or was cut
 * off) or says that nobody is left. A share that is lost is told again with the next one. States of telling: quiet → due → quiet: they are counted at
 * most every TELL_MS, and viewers told only of another number than before.
 */
import type { Clock } from '@parterre/shared/clock';
import { presenceSharesMax, shoppersPerShareMax } from '@parterre/shared/limits';
import type { Presence } from './frames.ts';

/** `shoppers` are hashes, four bytes each, little-endian; `more` counts those for whom there was no room. */
export type Share = { door: string; shoppers: Uint8Array; more: number; asks?: true };

export type PresencePorts = {
  clock: Clock;
  /** This front door, among the others. */
  door: string;
  /** To the other front doors. */
  share(share: Share): void;
  activeHolds(): number;
  /** To the viewers of the event. */
  tell(presence: Presence): void;
};

type Known = { shoppers: Uint32Array; more: number; at: number };

const SHARE_MS = 2_000;
const KEEP_ALIVE_MS = 4_000;
const SHARE_ENDS_MS = 10_000;
const TELL_MS = 2_000;

export class EventPresence {
  /** The last that viewers were told; null before the first. */
  told: Presence | null = null;
  /** Sockets by the hash of the buyer they are of. */
  private readonly own = new Map<number, number>();
  private readonly others = new Map<string, Known>();
  private sharedAt = Number.NEGATIVE_INFINITY;
  private countedAt = Number.NEGATIVE_INFINITY;
  private isShareDue = false;
  private isTellDue = false;
  private closed = false;

  constructor(private readonly ports: PresencePorts) {}

  /** Called once the others are heard, who then say whom they have. */
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

  /** What another front door says; our own come back too. */
  onShare({ door, shoppers, more, asks }: Share): void {
    if (door === this.ports.door || this.closed) return;
    if (asks && this.own.size > 0) this.share(false);
    if (shoppers.length === 0 && more === 0) {
      if (this.others.delete(door)) this.noteChange();
      return;
    }
    if (!this.others.has(door) && this.others.size >= presenceSharesMax) return;
    // Copied, since what was received need not begin at an even address.
    const hashes = new Uint32Array(new Uint8Array(shoppers).buffer);
    this.others.set(door, { shoppers: hashes, more, at: this.ports.clock.elapsed() });
    this.noteChange();
  }

  /** Buyers or holds may be others than viewers were told. */
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

  /** The others are told that nobody is left here. */
  close(): void {
    this.own.clear();
    this.share(false);
    this.closed = true;
  }
}
