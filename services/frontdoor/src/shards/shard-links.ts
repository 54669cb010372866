/**
 * The direct links of this front door, by shard. Beats tell the address of a shard and the partitions that it owns. A
 * batch goes over a link only to the owner and epoch that a beat named; any other batch goes over NATS.
 *
 * A link is made at the first beat that names an address, and ended when its shard has not been heard for
 * `forgetAfterMs` or has another address. Without NATS no direct link is used: the front door would not hear of revoked
 * keys. NATS is gone when its client says so, or when no beat of the shard came for `beatSilenceMs`.
 */
import type { Beat } from '@parterre/shared/protocol/beat';
import type { LinkKeys } from '@parterre/shared/protocol/link/link';
import type { Clock } from '@parterre/shared/runtime/clock';
import { SECOND_MS } from '@parterre/shared/runtime/units';
import { ShardLink, type ShardLinkPorts } from './shard-link.ts';

const forgetAfterMs = 10 * SECOND_MS;
const beatSilenceMs = SECOND_MS;

export type LinkHandlers = Pick<ShardLinkPorts, 'onReplies' | 'onUndelivered' | 'onFault'> & {
  /** A link to the partition's owner is lost: the outcome of batches without replies is unknown. */
  onDoubt(partition: number): void;
};

type LinkedShard = { address: string; link: ShardLink; heardAt: number };
type Owner = { epoch: number; shard: LinkedShard };

export class ShardLinks {
  readonly #keys: LinkKeys;
  readonly #clock: Clock;
  readonly #hasNats: () => boolean;
  readonly #shards = new Map<string, LinkedShard>();
  readonly #owners = new Map<number, Owner>();
  #frontDoor = '';
  #handlers: LinkHandlers | null = null;

  constructor(keys: LinkKeys, clock: Clock, hasNats: () => boolean) {
    this.#keys = keys;
    this.#clock = clock;
    this.#hasNats = hasNats;
  }

  /** The number of open links. */
  get open(): number {
    let open = 0;
    for (const { link } of this.#shards.values()) if (link.isOpen) open++;
    return open;
  }

  /** Call this once, before the first beat. */
  listen(frontDoor: string, handlers: LinkHandlers): void {
    this.#frontDoor = frontDoor;
    this.#handlers = handlers;
  }

  hear({ id, owns, link: address }: Beat): void {
    const known = address ? this.#knownAt(id, address) : undefined;
    for (const [partition, epoch] of owns) {
      const owner = this.#owners.get(partition);
      if (owner && owner.epoch > epoch) continue;
      if (known) this.#owners.set(partition, { epoch, shard: known });
      else this.#owners.delete(partition);
    }
    this.#forgetSilent();
  }

  /** The open link to this owner, for this turn. Null without one, and without NATS. */
  to(partition: number, epoch: number): ShardLink | null {
    const owner = this.#owners.get(partition);
    return owner?.epoch === epoch && owner.shard.link.isOpen && this.#isHeard(owner.shard) ? owner.shard.link : null;
  }

  close(): void {
    for (const { link } of this.#shards.values()) link.end();
    this.#shards.clear();
    this.#owners.clear();
  }

  #isHeard({ heardAt }: LinkedShard): boolean {
    return this.#hasNats() && this.#clock.elapsed() - heardAt < beatSilenceMs;
  }

  #knownAt(id: string, address: string): LinkedShard {
    const now = this.#clock.elapsed();
    const known = this.#shards.get(id);
    if (known?.address === address) {
      known.heardAt = now;
      return known;
    }
    known?.link.end();
    const made: LinkedShard = { address, link: this.#connect(address), heardAt: now };
    this.#shards.set(id, made);
    return made;
  }

  #connect(address: string): ShardLink {
    const { onReplies, onUndelivered, onFault } = this.#handlers!;
    const link: ShardLink = new ShardLink(address, {
      clock: this.#clock,
      keys: this.#keys,
      frontDoor: this.#frontDoor,
      onReplies,
      onUndelivered,
      onFault,
      onLost: () => this.#onLost(link),
    });
    return link;
  }

  #onLost(link: ShardLink): void {
    for (const [partition, owner] of this.#owners) if (owner.shard.link === link) this.#handlers!.onDoubt(partition);
  }

  #forgetSilent(): void {
    const before = this.#clock.elapsed() - forgetAfterMs;
    for (const [id, { link, heardAt }] of this.#shards) {
      if (heardAt >= before) continue;
      this.#shards.delete(id);
      link.end();
    }
  }
}
