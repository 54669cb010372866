/**
 * The event's version as its actor tells it: in answers to commands, and when a replica asks.
 *
 * An answer on a direct link may overtake the announcement of its change. The replica then waits for the announcement
 * before it serves a reader. Readers share this wait. It ends when the replica has the version, or after ANNOUNCED_MS,
 * and never fails. Callers that ask share the question under way, too. If it fails, they get the refusal.
 */

import { done, type Outcome } from '@parterre/shared/protocol/errors';
import type { Clock } from '@parterre/shared/runtime/clock';

/** The longest wait for the announcement of a known change. */
export const ANNOUNCED_MS = 50;

export class ActorVersion {
  /** The version of the newest answer that this front door has passed on. */
  expected = 0;
  private latest = { version: 0, at: 0 };
  private asking: Promise<Outcome<number>> | null = null;
  private arrival: { whole: Promise<void>; end(): void } | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly ask: () => Promise<Outcome<number>>,
  ) {}

  /** A known answer that reaches `wanted` serves for ANNOUNCED_MS. Otherwise the actor is asked after this call. */
  async now(wanted: number): Promise<Outcome<number>> {
    const known = (await this.asking) ?? done(this.latest.version);
    if (!known.ok) return known;
    const isFresh = this.clock.elapsed() - this.latest.at < ANNOUNCED_MS;
    if (isFresh && known.value >= wanted) return known;
    this.asking ??= this.askNow().finally(() => {
      this.asking = null;
    });
    return this.asking;
  }

  private async askNow(): Promise<Outcome<number>> {
    const latest = await this.ask();
    if (latest.ok) this.latest = { version: latest.value, at: this.clock.elapsed() };
    return latest;
  }

  /** Resolves when the replica reaches the expected version. */
  announced(): Promise<void> {
    this.arrival ??= this.startWait();
    return this.arrival.whole;
  }

  private startWait() {
    let resolve: () => void;
    const whole = new Promise<void>((done) => {
      resolve = done;
    });
    const cancel = this.clock.after(ANNOUNCED_MS, () => this.arrival?.end());
    const end = () => {
      this.arrival = null;
      cancel();
      resolve();
    };
    return { whole, end };
  }

  /** The replica has reached `version`. */
  onReached(version: number): void {
    if (version >= this.expected) this.arrival?.end();
  }
}
