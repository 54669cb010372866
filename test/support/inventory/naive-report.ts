/**
 * The report of an event, computed record by record and label by label from its journal. It is slow and shares nothing
 * with the rules but the plans. The real report and its file must equal it at any moment.
 */
import { accessibilityKinds } from '@parterre/shared/charts/accessibility';
import { categoryOf, objectOf, type Plan } from '@parterre/shared/charts/plan';
import { priceWithFees, thawedFees } from '@parterre/shared/protocol/money';
import type { EventGroup, JournalRecord, Line } from '@parterre/shared/protocol/records';

type Claim = Line & { owner: string };
/** `reservedUnder` is the ticket release of an offered unit. */
type Unit = {
  isBlocked: boolean;
  isReserved: boolean;
  booked: Claim | null;
  held: Claim | null;
  reservedUnder: string | null;
};
type Status = 'free' | 'held' | 'booked' | 'blocked' | 'not_for_sale';

/** Rows of fees, by name: the real report has them in the order of the bookings. */
export function inOrder<Row extends { name: string; allIn: boolean }>(rows: readonly Row[]): Row[] {
  const nameOf = ({ name, allIn }: Row) => `${name} ${allIn}`;
  return rows.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
}

export class NaiveReport {
  #plan!: Plan;
  #exchanges: { fees: number; waived: number } | null = null;
  #currency = '';
  #units = new Map<string, Unit>();
  /** The ids of the current list of ticket releases, and the name of every ticket release that ever existed. */
  #listed: string[] = [];
  readonly #names = new Map<string, string>();
  /** Names by id, in order of creation. */
  readonly #channels = new Map<string, string>();
  readonly #planOf: (hash: string) => Plan;

  constructor(planOf: (hash: string) => Plan) {
    this.#planOf = planOf;
  }

  fold({ plan, records }: Pick<EventGroup, 'plan' | 'records'>): void {
    for (const record of records) this.#read(record, this.#planOf(plan));
  }

  #read(record: JournalRecord, plan: Plan): void {
    const units = (numbers: readonly number[]): Unit[] => numbers.map((unit) => this.#unit(unit));
    switch (record.type) {
      case 'created':
        this.#currency = record.config.currency;
        this.#plan = plan;
        this.#units = new Map(plan.labels.all().map((label) => [label, freeUnit()]));
        return;
      case 'chart-updated':
        this.#moveTo(plan);
        return;
      case 'held':
        for (const line of record.lines) this.#unit(line.unit).held = { ...line, owner: record.holdId };
        return;
      case 'released':
      case 'expired':
        for (const unit of units(record.units)) unit.held = null;
        return;
      case 'booked':
        for (const line of record.lines) {
          const booked = { ...line, owner: record.bookingRef };
          Object.assign(this.#unit(line.unit), {
            held: null,
            isBlocked: false,
            booked,
            isReserved: false,
            reservedUnder: null,
          });
        }
        return;
      case 'exchanged':
      case 'exchanged-with':
        if (record.type === 'exchanged-with') this.#charge(record);
        // Of a swap, the other booking may have the units already.
        for (const unit of units(record.units)) if (unit.booked?.owner === record.bookingRef) unit.booked = null;
        for (const line of record.lines) {
          Object.assign(this.#unit(line.unit), {
            held: null,
            isBlocked: false,
            booked: { ...line, owner: record.bookingRef },
          });
        }
        return;
      case 'unbooked':
        for (const unit of units(record.units)) unit.booked = null;
        return;
      case 'blocked':
      case 'unblocked':
        for (const unit of units(record.units)) unit.isBlocked = record.type === 'blocked';
        return;
      case 'reserved':
        for (const { unit, releaseId = null } of record.lines) {
          Object.assign(this.#unit(unit), { isBlocked: true, isReserved: true, reservedUnder: releaseId });
        }
        return;
      case 'unreserved':
        for (const unit of units(record.units))
          Object.assign(unit, { isBlocked: false, isReserved: false, reservedUnder: null });
        return;
      case 'reservation-made':
      case 'reservation-changed':
        for (const unit of units(record.units)) Object.assign(unit, { isBlocked: true, isReserved: true });
        if (record.type === 'reservation-made') return;
        for (const unit of units(record.givenUp)) Object.assign(unit, { isBlocked: false, isReserved: false });
        return;
      case 'reservation-ended':
      case 'reservation-booked':
        for (const unit of units(record.units)) Object.assign(unit, { isBlocked: false, isReserved: false });
        return;
      case 'configured':
        this.#currency = record.currency ?? this.#currency;
        return;
      case 'releases-set':
        this.#listed = record.releases.map(({ id }) => id);
        for (const { id, name } of record.releases) this.#names.set(id, name);
        return;
      case 'channel-created':
        this.#channels.set(record.channel.id, record.channel.name);
        return;
      case 'channel-changed':
        if (record.change.name !== undefined) this.#channels.set(record.channelId, record.change.name);
        return;
      default:
        return; // No effect on holders.
    }
  }

  #unit(unit: number): Unit {
    return this.#units.get(this.#plan.labels.at(unit))!;
  }

  /** A unit keeps its holder when the new chart has its label and sells it in the same way (whole or by places). */
  #moveTo(plan: Plan): void {
    const isOne = (on: Plan, label: string): boolean | null => {
      const unit = on.labels.unitOf(label);
      return unit === undefined ? null : objectOf(on, unit).bookingMode !== 'individual';
    };
    const moved = plan.labels.all().map((label): [string, Unit] => {
      const isTheSame = isOne(plan, label) === isOne(this.#plan, label);
      return [label, isTheSame ? this.#units.get(label)! : freeUnit()];
    });
    this.#units = new Map(moved);
    this.#plan = plan;
  }

  #charge({ fee = 0, waived }: JournalRecord & { type: 'exchanged-with' }): void {
    if (fee === 0 && !waived) return;
    const { fees, waived: before } = this.#exchanges ?? { fees: 0, waived: 0 };
    this.#exchanges = { fees: fees + fee, waived: before + (waived?.amount ?? 0) };
  }

  report(): object {
    const { categories, sections } = this.#plan;
    const labels = this.#plan.labels.all();
    const inCategory = (key: string) => labels.filter((label) => this.#categoryOf(label).key === key);
    const inSection = (id: string) => labels.filter((label) => sections[this.#objectOf(label).section]!.id === id);
    const { total: _, ...byStatus } = this.#totals(labels);
    const reserved = [...this.#units.values()].filter(({ isReserved }) => isReserved).length;
    return {
      byStatus,
      ...(reserved > 0 && { reserved }),
      byCategory: categories.map(({ key }) => ({ category: key, ...this.#totalsAndValue(inCategory(key)) })),
      bySection: sections.map(({ id, label, zoneId }) => ({
        sectionId: id,
        sectionLabel: label,
        zoneId,
        ...this.#totalsAndValue(inSection(id)),
      })),
      byRelease: this.#byRelease(),
      ...(this.#exchanges && { exchanges: this.#exchanges }),
      ...(this.#channels.size > 0 && { byChannel: this.#byChannel() }),
      byAccessibility: accessibilityKinds
        .map((type) => ({ type, ...this.#totals(labels.filter((label) => this.#kindsOf(label).includes(type))) }))
        .filter(({ total }) => total > 0),
      ...this.#fees(),
    };
  }

  #fees(): object {
    const booked = [...this.#units.values()].flatMap((unit) => unit.booked ?? []);
    const sold = booked.filter(({ fees }) => fees !== undefined);
    if (sold.length === 0) return {};
    const rows = sold.flatMap(({ fees, quantity = 1 }) => {
      const { allIn, fees: list } = thawedFees(fees);
      return list.map(({ name, amount }) => ({ name, allIn, booked: quantity, amount: amount * quantity }));
    });
    const byFee = new Map<string, (typeof rows)[number]>();
    for (const row of rows) {
      const { booked, amount } = byFee.get(`${row.name} ${row.allIn}`) ?? { booked: 0, amount: 0 };
      byFee.set(`${row.name} ${row.allIn}`, { ...row, booked: booked + row.booked, amount: amount + row.amount });
    }
    const onTop = rows.filter(({ allIn }) => !allIn);
    return { byFee: inOrder([...byFee.values()]), feesOnTop: onTop.reduce((sum, { amount }) => sum + amount, 0) };
  }

  /** The rows of the report file, as column name and cell text. */
  lines(): Record<string, string>[] {
    return this.#plan.labels.all().map((label) => {
      const { booked, held } = this.#units.get(label)!;
      const claim = booked ?? held;
      const object = this.#objectOf(label);
      const { price = '', quantity = 1, tierId = '', releaseId = '', channelId = '' } = claim ?? {};
      return {
        label,
        categoryKey: this.#categoryOf(label).key,
        zoneId: object.zoneId ?? '',
        accessibility: this.#kindsOf(label).join(' '),
        status: this.#statusOf(label),
        bookingRef: booked?.owner ?? '',
        holdId: booked ? '' : (held?.owner ?? ''),
        tierId,
        releaseId,
        channelId,
        unitPrice: `${price}`,
        currency: claim ? this.#currency : '',
        quantity: claim ? `${quantity}` : '',
        configuredValue: claim ? `${claim.price * quantity}` : '',
        fees: claim ? `${thawedFees(claim.fees).fees.reduce((sum, { amount }) => sum + amount, 0) * quantity}` : '',
        total: claim ? `${priceWithFees(claim.price, thawedFees(claim.fees)) * quantity}` : '',
      };
    });
  }

  #statusOf(label: string): Status {
    const { isBlocked, booked, held } = this.#units.get(label)!;
    if (booked) return 'booked';
    if (held) return 'held';
    if (isBlocked) return 'blocked';
    return this.#categoryOf(label).notForSale ? 'not_for_sale' : 'free';
  }

  #totals(labels: string[]) {
    const statuses = labels.map((label) => this.#statusOf(label));
    const count = (...wanted: Status[]): number => statuses.filter((status) => wanted.includes(status)).length;
    const free = count('free');
    const held = count('held');
    const booked = count('booked');
    return { total: labels.length, free, held, booked, not_for_sale: count('blocked', 'not_for_sale') };
  }

  #totalsAndValue(labels: string[]): object {
    const claims = labels.flatMap((label) => this.#units.get(label)!.booked ?? []);
    return { ...this.#totals(labels), bookedValue: sumOf(claims) };
  }

  /**
   * Listed ticket releases in list order, then unlisted ones that have units, by id. An offer's units count as such.
   */
  #byRelease(): object[] {
    const units = [...this.#units.values()];
    const under = (claims: (Claim | null)[], id: string) =>
      claims.flatMap((each) => (each?.releaseId === id ? each : []));
    const rowOf = (releaseId: string) => {
      const held = under(
        units.map((unit) => unit.held),
        releaseId,
      );
      const booked = under(
        units.map((unit) => unit.booked),
        releaseId,
      );
      const name = this.#names.get(releaseId);
      return { releaseId, name, held: held.length, booked: booked.length, bookedValue: sumOf(booked) };
    };
    const isReserved = (id: string) => units.some(({ reservedUnder }) => reservedUnder === id);
    const others = [...this.#names.keys()]
      .filter((id) => !this.#listed.includes(id))
      .sort()
      .map(rowOf);
    return [
      ...this.#listed.map(rowOf),
      ...others.filter(({ releaseId, held, booked }) => held + booked > 0 || isReserved(releaseId)),
    ];
  }

  #byChannel(): object[] {
    const units = [...this.#units.values()];
    return [[null, 'Public sale'] as const, ...this.#channels].map(([channelId, name]) => {
      const isIts = (claim: Claim): boolean => (claim.channelId ?? null) === channelId;
      const booked = units.flatMap((unit) => unit.booked ?? []).filter(isIts);
      const held = units.flatMap((unit) => unit.held ?? []).filter(isIts);
      return { channelId, name, held: held.length, booked: booked.length, bookedValue: sumOf(booked) };
    });
  }

  #objectOf(label: string) {
    return objectOf(this.#plan, this.#plan.labels.unitOf(label)!);
  }

  #categoryOf(label: string) {
    return categoryOf(this.#plan, this.#plan.labels.unitOf(label)!);
  }

  #kindsOf(label: string): string[] {
    const bits = this.#plan.accessibilityOfUnit[this.#plan.labels.unitOf(label)!]!;
    return accessibilityKinds.filter((_, bit) => bits & (1 << bit));
  }
}

function freeUnit(): Unit {
  return { isBlocked: false, isReserved: false, booked: null, held: null, reservedUnder: null };
}

function sumOf(claims: Claim[]): number {
  return claims.reduce((sum, { price, quantity = 1 }) => sum + price * quantity, 0);
}
