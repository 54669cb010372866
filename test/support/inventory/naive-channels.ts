/**
 * The channels of an event in plain lists: the expected outcome of each channel call. The code shares nothing with the
 * rules; tests pass the seats' statuses in. Where a call has several faults, any of them may be told.
 */
import type { Command } from '@parterre/shared/protocol/commands';
import type { Channel } from '@parterre/shared/protocol/records';

type Status = 'free' | 'held' | 'booked' | 'blocked';
export type Seats = ReadonlyMap<string, Status>;

export type ChannelCommand = Command & {
  type: 'create-channel' | 'change-channel' | 'set-channel-state' | 'assign-channel' | 'archive-channel';
};

export type NaiveOutcome = { answer: object } | { refused: string[] };

export class NaiveChannels {
  readonly list: Channel[] = [];
  /** By label. A label that is absent belongs to public sale. */
  readonly channelOf = new Map<string, string>();
  version = 0;

  /** `places` maps the label of each area to the labels of its places. */
  tell(command: ChannelCommand, now: number, seats: Seats, places: ReadonlyMap<string, string[]>): NaiveOutcome {
    switch (command.type) {
      case 'create-channel':
        return this.#create(command, now);
      case 'change-channel':
        return this.#change(command, now);
      case 'set-channel-state':
        return this.#turn(command, now);
      case 'archive-channel':
        return this.#archive(command, now, seats);
      case 'assign-channel':
        return this.#assign(command, seats, places);
    }
  }

  #named(id: string): Channel | undefined {
    return this.list.find((each) => each.id === id);
  }

  /** The refusals for a channel that cannot be changed; empty when it can. */
  #unchangeable(id: string): string[] {
    const channel = this.#named(id);
    if (!channel) return ['not_found'];
    return channel.state === 'archived' ? ['channel_archived'] : [];
  }

  #isTarget(id: string | null): boolean {
    return id === null || this.list.some((each) => each.id === id && each.state !== 'archived');
  }

  #isTaken(name: string, by?: string): boolean {
    const open = this.list.filter(({ id, state }) => state !== 'archived' && id !== by);
    return open.some((each) => each.name.trim().toLowerCase() === name.trim().toLowerCase());
  }

  #create({ channel: draft }: Command & { type: 'create-channel' }, at: number): NaiveOutcome {
    if (this.#isTaken(draft.name)) return { refused: ['channel_name_taken'] };
    const made = { archiveDestination: null, pricingVersion: 1, createdAt: at, updatedAt: at, archivedAt: null };
    this.list.push({ ...draft, state: 'active', ...made });
    return { answer: { channel: { ...this.list.at(-1)! } } };
  }

  #change(command: Command & { type: 'change-channel' }, updatedAt: number): NaiveOutcome {
    const { channelId, change, expectedPricingVersion: expected } = command;
    const refused = this.#unchangeable(channelId);
    const channel = this.#named(channelId);
    if (channel && expected !== undefined && expected !== channel.pricingVersion)
      refused.push('channel_pricing_conflict');
    if (change.name !== undefined && this.#isTaken(change.name, channelId)) refused.push('channel_name_taken');
    if (refused.length > 0) return { refused };
    const { priceOverrides: before, pricingVersion } = channel!;
    const told = (prices: Channel['priceOverrides']): string =>
      prices
        .map((each) => JSON.stringify(each))
        .sort()
        .join();
    const isNews = change.priceOverrides !== undefined && told(change.priceOverrides) !== told(before);
    Object.assign(channel!, change, { updatedAt, pricingVersion: pricingVersion + (isNews ? 1 : 0) });
    return { answer: { channel: { ...channel! } } };
  }

  #turn({ channelId, state }: Command & { type: 'set-channel-state' }, updatedAt: number): NaiveOutcome {
    const refused = this.#unchangeable(channelId);
    if (refused.length > 0) return { refused };
    const channel = this.#named(channelId)!;
    if (channel.state !== state) this.version++;
    Object.assign(channel, { state, updatedAt });
    return { answer: { channel: { ...channel } } };
  }

  #archive({ channelId, destination }: Command & { type: 'archive-channel' }, at: number, seats: Seats): NaiveOutcome {
    const channel = this.#named(channelId);
    if (!channel) return { refused: ['not_found'] };
    const where = destination ?? 'public';
    const its = [...this.channelOf].filter(([, id]) => id === channelId).map(([label]) => label);
    const count = (status: Status): number => its.filter((label) => seats.get(label) === status).length;
    const moved = { free: count('free'), blocked: count('blocked'), booked: count('booked'), units: its.length };
    if (channel.state === 'archived') {
      if (channel.archiveDestination !== where) return { refused: ['channel_archived'] };
      return { answer: { channel: { ...channel }, assignmentVersion: this.version, moved } };
    }
    const refused: string[] = [];
    if (destination === channelId || !this.#isTarget(destination)) refused.push('invalid_channel_scope');
    if (count('held') > 0) refused.push('channel_archive_blocked_by_holds');
    if (refused.length > 0) return { refused };
    this.version++;
    for (const label of its) this.#give(label, destination);
    Object.assign(channel, { state: 'archived', archiveDestination: where, updatedAt: at, archivedAt: at });
    return { answer: { channel: { ...channel }, assignmentVersion: this.version, moved } };
  }

  #give(label: string, channelId: string | null): void {
    if (channelId === null) this.channelOf.delete(label);
    else this.channelOf.set(label, channelId);
  }

  #assign(
    command: Command & { type: 'assign-channel' },
    seats: Seats,
    places: ReadonlyMap<string, string[]>,
  ): NaiveOutcome {
    const { channelId, labels, assignmentVersion } = command;
    const refused: string[] = [];
    if (assignmentVersion !== this.version) refused.push('channel_assignment_conflict');
    if (!this.#isTarget(channelId)) refused.push('invalid_channel_scope');
    if (refused.length > 0) return { refused };
    const named = [...new Set(labels.flatMap((label) => places.get(label) ?? [label]))];
    const notFound = named.filter((label) => !seats.has(label));
    const known = named.filter((label) => seats.has(label));
    const others = known.filter((label) => (this.channelOf.get(label) ?? null) !== channelId);
    const are = (status: Status): string[] => others.filter((label) => seats.get(label) === status);
    const moving = [...are('free'), ...are('blocked')];
    const owners = moving.flatMap((label) => this.channelOf.get(label) ?? []);
    const channels = this.list
      .map(({ id, name }) => ({ channelId: id, name, count: owners.filter((owner) => owner === id).length }))
      .filter(({ count }) => count > 0);
    for (const label of moving) this.#give(label, channelId);
    if (moving.length > 0) this.version++;
    const bucket = (some: string[]) => ({ count: some.length, labels: some.toSorted(), truncated: false });
    const buckets = {
      changedFromPublic: { count: moving.length - owners.length },
      movedFromOtherChannel: { count: owners.length, channels },
      alreadyInTarget: { count: known.length - others.length },
      skippedHeld: bucket(are('held')),
      skippedBooked: bucket(are('booked')),
      notFound: bucket(notFound),
    };
    const answer = { assignmentVersion: this.version, requested: named.length, applied: moving.length, buckets };
    return { answer };
  }

  /** The channels as a read returns them. */
  shown(seats: Seats): object {
    const countsOf = (id: string | undefined) => {
      const its = [...seats].filter(([label]) => this.channelOf.get(label) === id);
      const count = (status: Status): number => its.filter(([, each]) => each === status).length;
      const byStatus = { free: count('free'), held: count('held'), booked: count('booked'), blocked: count('blocked') };
      return { allocated: its.length, ...byStatus, units: its.length };
    };
    const channels = this.list.map((channel) => ({ ...channel, counts: countsOf(channel.id) }));
    return { assignmentVersion: this.version, publicSale: countsOf(undefined), channels };
  }
}
