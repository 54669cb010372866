/**
 * An event's inventory at one version, and the view that each audience has of it. Only the replica writes the picture,
 * whole (`take`) or unit by unit (`set`). So statuses, buyers' views and the free places of areas always have the same
 * version. Nothing is awaited.
 *
 * Free places are counted for each area and channel as units change. An audience's count is the sum over the channels
 * in its reach.
 */

import type { Plan } from '@parterre/shared/charts/plan';
import { noScopes, type ScopesInForce, scopeState, scopeStatesOf } from '@parterre/shared/charts/scopes';
import type { Offered } from '@parterre/shared/protocol/feed-change';
import type { PriceUnit } from '@parterre/shared/protocol/money';
import { unitStatus } from '@parterre/shared/protocol/records';
import { audiencesPerEventMax } from '../feed-limits.ts';
import { type Audience, type ChannelMap, channelMapOf, hasMoney, type InReach, inReach } from './rules/audience.ts';
import { shownToBuyers, stripped } from './rules/objects.ts';

/** The hidden and closed divisions, and the `ScopeState` of each object that follows from them. */
type Scopes = ScopesInForce & { byObject: Uint8Array | null };

const REACHES_MAX = 2 * audiencesPerEventMax;

export type FreePlaces = Record<string, { free: number }>;

export class Picture {
  plan!: Plan;
  scopes: Scopes = { ...noScopes, byObject: null };
  channels: ChannelMap = channelMapOf(undefined);
  statuses: Uint8Array = new Uint8Array(0);
  /** The value of all booked units, in the event's unit. Null if the event's actor does not tell it. */
  bookedValue: number | null = null;
  /** Of `bookedValue`. */
  priceUnit: PriceUnit = 'major';
  /**
   * The statuses as buyers may know them. They differ from `statuses` for units that are listed for resale. Null while
   * nothing was listed since the last view.
   */
  private overlay: Uint8Array | null = null;
  /** The status that a buyer sees of each unit within reach. */
  private shown: Uint8Array = new Uint8Array(0);
  /** Free places of each area, by object number: as servers see them, and as buyers see them by channel number. */
  private areas = new Map<number, { free: number; shown: Int32Array }>();
  private reaches = new Map<string, InReach>();
  private visible: { index: Int32Array; count: number } | null = null;

  /**
   * Replaces the whole picture. Returns the units whose status changed for any audience; no units if the chart changed.
   */
  take(plan: Plan, statuses: Uint8Array, offered: Offered | undefined, scopes: ScopesInForce, channels: ChannelMap) {
    const before = this.statuses;
    const shownBefore = this.shown;
    const samePlan = this.plan?.hash === plan.hash;
    this.plan = plan;
    this.statuses = statuses;
    this.overlay = offered ? statuses.slice() : null;
    this.offer(offered);
    this.channels = channels;
    this.reaches.clear();
    this.takeScopes(scopes);
    const changed: number[] = [];
    for (let unit = 0; samePlan && unit < statuses.length; unit++) {
      if (statuses[unit] !== before[unit] || this.shown[unit] !== shownBefore[unit]) changed.push(unit);
    }
    return changed;
  }

  takeScopes({ hidden, closed }: ScopesInForce): void {
    this.scopes = { hidden, closed, byObject: scopeStatesOf(this.plan, { hidden, closed }) };
    this.visible = null;
    const shown = new Uint8Array(this.plan.unitCount);
    for (let unit = 0; unit < shown.length; unit++) shown[unit] = this.shownNow(unit);
    this.shown = shown;
    this.countAreas();
  }

  set(units: readonly number[], statuses: readonly number[], offered: Offered | undefined): void {
    if (offered) this.overlay ??= this.statuses.slice();
    for (const [index, unit] of units.entries()) {
      const before = this.statuses[unit]!;
      const after = statuses[index]!;
      this.statuses[unit] = after;
      if (this.overlay) this.overlay[unit] = after;
      const area = this.areas.get(this.plan.objectOfUnit[unit]!);
      if (area) area.free += isFree(after) - isFree(before);
    }
    this.offer(offered);
    for (const unit of units) this.show(unit);
  }

  /** Shows units as free whose hold is over. The true status of a unit that is listed for resale stays booked. */
  free(units: readonly number[]): void {
    this.turn(units, unitStatus.held, unitStatus.free);
  }

  /** Shows units as held again whose hold was extended in time. */
  holdAgain(units: readonly number[]): void {
    this.turn(units, unitStatus.free, unitStatus.held);
  }

  private turn(units: readonly number[], from: number, to: number): void {
    for (const unit of units) {
      if (this.overlay?.[unit] === from) this.overlay[unit] = to;
      if (this.statuses[unit] === from) {
        this.statuses[unit] = to;
        const area = this.areas.get(this.plan.objectOfUnit[unit]!);
        if (area) area.free += isFree(to) - isFree(from);
      }
      this.show(unit);
    }
  }

  private offer(offered: Offered | undefined): void {
    for (const [index, unit] of offered?.units.entries() ?? []) this.overlay![unit] = offered!.statuses[index]!;
  }

  private show(unit: number): void {
    const before = this.shown[unit]!;
    const after = this.shownNow(unit);
    this.shown[unit] = after;
    const area = this.areas.get(this.plan.objectOfUnit[unit]!);
    if (area) area.shown[this.channelOf(unit)]! += isFree(after) - isFree(before);
  }

  private shownNow(unit: number): number {
    return shownToBuyers(this.plan, unit, (this.overlay ?? this.statuses)[unit]!, this.scopes.byObject);
  }

  private countAreas(): void {
    this.areas = new Map();
    for (const [object, { type, firstUnit, unitCount }] of this.plan.objects.entries()) {
      if (type !== 'gaArea') continue;
      const area = { free: 0, shown: new Int32Array(this.channels.size) };
      for (let unit = firstUnit; unit < firstUnit + unitCount; unit++) {
        area.free += isFree(this.statuses[unit]!);
        area.shown[this.channelOf(unit)]! += isFree(this.shown[unit]!);
      }
      this.areas.set(object, area);
    }
  }

  /** 0 is public sale. */
  channelOf(unit: number): number {
    return this.channels.of === null ? 0 : this.channels.of[unit]!;
  }

  inReach(audience: Audience): InReach {
    const known = this.reaches.get(audience.id);
    if (known) return known;
    const found = inReach(this.channels, audience);
    // The bound on watching audiences does not cover audiences that only read.
    if (this.reaches.size >= REACHES_MAX) this.reaches.clear();
    this.reaches.set(audience.id, found);
    return found;
  }

  /** The status of a unit within reach; `stripped` where the audience does not see the unit at all. */
  seenOf(unit: number, words: Audience['words']): number {
    return words === 'server' ? this.statuses[unit]! : this.shown[unit]!;
  }

  /** Whether the unit's object is hidden or closed. As long as it is, buyers see no change of the unit. */
  isStill(unit: number): boolean {
    return this.scopes.byObject !== null && this.scopes.byObject[this.plan.objectOfUnit[unit]!] !== scopeState.open;
  }

  /**
   * The status that this audience sees of every unit, `stripped` for an invisible unit. Callers must not write to it.
   */
  shownTo(audience: Audience): Uint8Array {
    if (audience.words === 'server') return this.statuses;
    const { has } = this.inReach(audience);
    if (has.every((sells) => sells === 1)) return this.shown;
    const shown = new Uint8Array(this.shown.length);
    for (let unit = 0; unit < shown.length; unit++) {
      const seen = this.shown[unit]!;
      shown[unit] = has[this.channelOf(unit)] === 1 || seen === stripped ? seen : unitStatus.blocked;
    }
    return shown;
  }

  /** Null for an audience that may not see it. */
  bookedValueFor(audience: Audience): { gross: number; priceUnit: PriceUnit } | null {
    const { bookedValue: gross, priceUnit } = this;
    return hasMoney(audience) && gross !== null ? { gross, priceUnit } : null;
  }

  /** Free places of the given areas, or of all areas, by object id. */
  freePlaces(audience: Audience, objects: Iterable<number> = this.areas.keys()): FreePlaces {
    const { has } = this.inReach(audience);
    const free: FreePlaces = Object.create(null);
    for (const object of objects) {
      const area = this.areas.get(object);
      if (!area || (audience.words === 'buyer' && this.scopes.byObject?.[object] === scopeState.hidden)) continue;
      const count = audience.words === 'server' ? area.free : area.shown.reduce((sum, n, i) => sum + n * has[i]!, 0);
      free[this.plan.objects[object]!.id] = { free: count };
    }
    return free;
  }

  isArea(object: number): boolean {
    return this.areas.has(object);
  }

  /**
   * The numbers of units in binary frames: their order in the chart that the audience gets. A buyer's chart lacks
   * hidden units; `index` has -1 for them.
   */
  numbering(words: Audience['words']): { index: Int32Array | null; count: number } {
    if (words === 'server' || this.scopes.hidden.length === 0) return { index: null, count: this.plan.unitCount };
    this.visible ??= this.numberVisible();
    return this.visible;
  }

  private numberVisible(): { index: Int32Array; count: number } {
    const index = new Int32Array(this.plan.unitCount);
    let count = 0;
    for (let unit = 0; unit < index.length; unit++) index[unit] = this.shown[unit] === stripped ? -1 : count++;
    return { index, count };
  }
}

function isFree(status: number): number {
  return status === unitStatus.free ? 1 : 0;
}
