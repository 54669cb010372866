/**
 * A set of changed units, prepared for all viewers. The units are split by channel and each channel is written once, so
 * that an audience's frame is assembled from the channels in its reach. An audience learns nothing of units outside its
 * reach, not even that a unit changed.
 */

import type { Picture } from './picture.ts';
import type { Audience } from './rules/audience.ts';
import { statusWord } from './rules/objects.ts';

type OfChannel = { units: number[]; areas: Set<number>; text: string | null; pairs: number[] | null };

export class Changes {
  private readonly byChannel = new Map<number, OfChannel>();

  constructor(
    private readonly picture: Picture,
    private readonly words: Audience['words'],
    units: Iterable<number>,
  ) {
    for (const unit of units) {
      if (words === 'buyer' && picture.isStill(unit)) continue;
      const channel = this.ofChannel(words === 'buyer' ? picture.channelOf(unit) : 0);
      channel.units.push(unit);
      const object = picture.plan.objectOfUnit[unit]!;
      if (picture.isArea(object)) channel.areas.add(object);
    }
  }

  private ofChannel(number: number): OfChannel {
    const known = this.byChannel.get(number);
    if (known) return known;
    const made = { units: [], areas: new Set<number>(), text: null, pairs: null };
    this.byChannel.set(number, made);
    return made;
  }

  /** Whether no change is within this audience's reach. */
  isEmpty(audience: Audience): boolean {
    return this.within(audience).length === 0;
  }

  /** A list of `{label, status}` as JSON, comma-separated, without brackets. */
  text(audience: Audience): string {
    return this.within(audience)
      .map((channel) => {
        channel.text ??= channel.units.map((unit) => this.changeOf(unit)).join();
        return channel.text;
      })
      .join();
  }

  private changeOf(unit: number): string {
    const { plan } = this.picture;
    const word = statusWord(this.picture.seenOf(unit, this.words), { words: this.words });
    return `{"label":${JSON.stringify(plan.labels.at(unit))},"status":"${word}"}`;
  }

  /** Unit numbers and statuses in turn: number, status, number, status. */
  pairs(audience: Audience): number[] {
    const { index } = this.picture.numbering(this.words);
    return this.within(audience).flatMap((channel) => {
      channel.pairs ??= channel.units.flatMap((unit) => [
        index === null ? unit : index[unit]!,
        this.picture.seenOf(unit, this.words),
      ]);
      return channel.pairs;
    });
  }

  /** The areas, as object numbers, that have changed places. */
  areas(audience: Audience): Set<number> {
    const areas = new Set<number>();
    for (const channel of this.within(audience)) for (const object of channel.areas) areas.add(object);
    return areas;
  }

  private within(audience: Audience): OfChannel[] {
    if (this.words === 'server') return [...this.byChannel.values()];
    const { has } = this.picture.inReach(audience);
    return [...this.byChannel].filter(([number]) => has[number] === 1).map(([, channel]) => channel);
  }
}
