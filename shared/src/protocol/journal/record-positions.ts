/**
 * The records of a part: the number of each type, and the position of each field. The journal is kept for years. From
 * release 1.0 on numbers and positions never change, and no field is renamed here without its place. A new field is
 * optional and stands last, and a reader without the field passes over it. A field without which a fold goes wrong
 * needs a new type of record, or a new schema of parts: a reader refuses both if it does not know them.
 *
 * Settings are rare, and stay values with names.
 */

import type { SelectionRules } from '../../charts/selection-rules.ts';
import type { AssignmentBuckets } from '../assignment-buckets.ts';
import { Fault } from '../errors.ts';
import type {
  AccessSource,
  Attribution,
  AvailabilityRules,
  ChangedFacts,
  Channel,
  DroppedPrices,
  EventConfig,
  EventStatus,
  FreedLines,
  JournalRecord,
  Line,
  OtherEvent,
  PublicSale,
  Reach,
  SaleSettings,
  SectionStates,
  TicketRelease,
} from '../records.ts';
import { readFlag, readList, readNumber } from './msgpack-reader.ts';
import { writeFlag, writeList } from './msgpack-writer.ts';
import { action, head, operation, owner } from './operation-positions.ts';
import {
  type Codec,
  listOf,
  named,
  number,
  oneOf,
  optional,
  orNull,
  type Positions,
  positions,
  type RecordCodec,
  recordPositions,
  sameText,
  text,
} from './positions.ts';

type Type = JournalRecord['type'];
type RecordOf<T extends Type> = Extract<JournalRecord, { type: T }>;

const flag: Codec<boolean> = { write: writeFlag, read: readFlag };
const set: Codec<true> = { write: writeFlag, read: readFlag as () => true };
const units = listOf(number);
const texts = listOf(text);
const textOrNull = orNull(text);
const numberOrNull = orNull(number);
const optionalText = optional(text);
const passed = optional(texts);
const kept = optional(units);

const accessSource = oneOf<AccessSource>({ public: 0, promoter: 1, partner: 2, hosted_link: 3, staff_override: 4 });
const status = oneOf<EventStatus>({ active: 0, closed: 1, archived: 2, deleted: 3 });
const unblockReason = oneOf<RecordOf<'unblocked'>['reason']>({ operator: 0, scheduled: 1 });
const channelState = oneOf<RecordOf<'channel-state-set'>['state']>({ active: 0, paused: 1 });

const by = positions<JournalRecord['by']>({
  source: oneOf({ server: 0, buyer: 1, operator: 2, timer: 3 }),
  actor: orNull(sameText()),
});

const lines = listOf(
  positions<Line>({
    unit: number,
    price: number,
    tierId: optional(sameText()),
    quantity: optional(number),
    group: optional(number),
    channelId: optional(sameText()),
    releaseId: optional(sameText()),
    accessSource: optional(accessSource),
    fees: optional(sameText()),
  }),
);

const freed = optional(positions<FreedLines>({ accessSource, lines }));

const reach = optional(positions<Reach>({ channelIds: texts, includePublic: flag }));
const partnerRef = optional(sameText());
const channelRefs = optional(named<Record<string, string>>());
const overridden = optional(positions<NonNullable<Attribution['overridden']>>({ units, reason: text }));

type DroppedAssignment = NonNullable<RecordOf<'chart-updated'>['droppedAssignments']>[number];
const droppedAssignment = positions<DroppedAssignment>({ channelId: text, units });
const resale = positions<NonNullable<RecordOf<'unbooked'>['resale']>>({ listingId: text, toBookingRef: text });

/** Positions of both records of exchanges; `exchanged-with` has more behind them. */
const exchanged = {
  by,
  exchangeId: text,
  bookingRef: text,
  callId: text,
  units,
  holdId: textOrNull,
  accessSource,
  lines,
  reason: textOrNull,
  passed,
  channelRefs,
  partnerRef,
  buyerRef: optionalText,
  overridden,
  freed,
  blocked: optional(units),
};

/** Every type of record, with all its fields. */
const table: { [T in Type]: readonly [number: number, fields: Positions<Omit<RecordOf<T>, 'type'>>] } = {
  created: [0, { by, config: named<EventConfig>() }],
  held: [
    1,
    {
      by,
      holdId: text,
      expiresAt: number,
      accessSource,
      lines,
      sessionId: optionalText,
      reach,
      partnerRef,
      buyerRef: optionalText,
      fingerprint: optionalText,
      createdAt: optional(number),
      extends: optional(number),
      passed,
      overridden,
      operation,
      visitors: optional(texts),
      reason: optionalText,
    },
  ],
  extended: [2, { by, holdId: text, callId: text, expiresAt: number, units, operation }],
  released: [3, { by, holdId: text, units, callId: optionalText, kept, operation, freed, reason: optionalText }],
  expired: [4, { by, holdId: text, expiresAt: number, units, kept, operation, freed }],
  booked: [
    5,
    {
      by,
      bookingRef: text,
      callId: text,
      holdId: textOrNull,
      accessSource,
      lines,
      partnerRef,
      buyerRef: optionalText,
      channelRefs,
      sessionId: optionalText,
      reach,
      fingerprint: optionalText,
      counter: optional(set),
      note: optionalText,
      passed,
      overridden,
      operation,
      reason: optionalText,
      blocked: optional(units),
      imported: optional(set),
    },
  ],
  unbooked: [6, { by, bookingRef: text, callId: text, units, resale: optional(resale), operation, freed }],
  blocked: [
    7,
    {
      by,
      units,
      releaseAt: numberOrNull,
      reason: textOrNull,
      callId: optionalText,
      fingerprint: optionalText,
      overridden,
    },
  ],
  unblocked: [8, { by, units, reason: unblockReason, callId: optionalText }],
  'hold-ttl-set': [9, { by, holdTtlMs: numberOrNull, callId: optionalText }],
  'status-set': [10, { by, status, callId: optionalText, salesPaused: optional(flag) }],
  configured: [
    11,
    {
      by,
      callId: text,
      currency: optionalText,
      sectionStates: optional(named<SectionStates>()),
      facts: optional(named<ChangedFacts>()),
    },
  ],
  'public-sale-set': [12, { by, callId: text, publicSale: orNull(named<PublicSale>()) }],
  'releases-set': [13, { by, callId: text, releases: named<TicketRelease[]>() }],
  'release-closed': [14, { by, callId: text, releaseId: text, at: number }],
  'availability-set': [15, { by, callId: text, rules: named<AvailabilityRules>(), version: number }],
  revealed: [16, { by, scopes: texts }],
  'sold-out': [17, { by, seatTotal: number }],
  'resale-listed': [18, { by, callId: text, listingId: text, bookingRef: text, units }],
  'resale-removed': [19, { by, callId: text, listingId: text, units, bookingRef: optionalText }],
  'channel-created': [20, { by, callId: text, channel: named<Channel>(), reason: textOrNull }],
  'channel-changed': [
    21,
    { by, callId: text, channelId: text, change: named<RecordOf<'channel-changed'>['change']>(), reason: textOrNull },
  ],
  'channel-state-set': [
    22,
    { by, callId: text, channelId: text, state: channelState, version: number, reason: textOrNull },
  ],
  'channels-assigned': [
    23,
    {
      by,
      callId: text,
      channelId: textOrNull,
      units,
      version: number,
      requested: number,
      buckets: named<AssignmentBuckets>(),
      reason: textOrNull,
    },
  ],
  'channel-archived': [
    24,
    { by, callId: text, channelId: text, destination: textOrNull, units, version: number, reason: textOrNull },
  ],
  'clock-set': [25, { by, from: number }],
  'chart-updated': [
    26,
    {
      by,
      callId: text,
      from: text,
      planHash: text,
      chartVersion: number,
      seatTotal: number,
      reason: textOrNull,
      droppedScopes: optional(texts),
      unblocked: optional(units),
      droppedAssignments: optional(listOf(droppedAssignment)),
      droppedPrices: optional(named<DroppedPrices[]>()),
      adjusted: optional(set),
      renumbered: optional(positions<NonNullable<RecordOf<'chart-updated'>['renumbered']>>({ from: units, to: units })),
    },
  ],
  'part-held': [27, { by, head, holdId: text, fingerprint: text }],
  'part-pinned': [28, { by, id: text, holdId: text, action, units }],
  'part-unpinned': [
    29,
    { by, id: text, holdId: text, actionId: text, expiresAt: number, units, refused: optional(set) },
  ],
  'operation-aborted': [30, { by, head, createdAt: number }],
  'action-refused': [31, { by, id: text, actionId: text }],
  locked: [32, { by, owner, lockId: text }],
  'lock-drained': [33, { by, owner, lockId: text }],
  unlocked: [34, { by, owner, lockId: text }],
  reserved: [35, { by, offerId: text, owner, callId: text, lines }],
  unreserved: [36, { by, offerId: text, callId: text, units, bookingRef: optionalText, owner: optional(owner) }],
  exchanged: [37, exchanged],
  'hold-kept': [38, { by, holdId: text, callId: text, expiresAt: number, units, fingerprint: optionalText }],
  'event-configured': [
    39,
    {
      by,
      callId: text,
      selectionRules: orNull(named<SelectionRules>()),
      currency: optionalText,
      sectionStates: optional(named<SectionStates>()),
    },
  ],
  'call-named': [
    40,
    { by, callId: text, fingerprint: text, units: optional(units), answer: optional(named<object>()) },
  ],
  accepted: [41, { by, reason: text, lostFrom: number, lostTo: number }],
  'holds-ended': [60, { by, callId: text, units, reason: text }],
  'reservation-made': [
    61,
    { by, callId: text, reservationId: text, name: text, units, until: number, note: textOrNull },
  ],
  'reservation-changed': [
    62,
    { by, callId: text, reservationId: text, name: text, units, givenUp: units, until: number, note: textOrNull },
  ],
  'reservation-ended': [
    63,
    { by, reservationId: text, name: text, units, reason: unblockReason, callId: optionalText },
  ],
  'reservation-booked': [64, { by, callId: text, reservationId: text, name: text, bookingRef: text, units }],
  restored: [42, { by, reason: text, sequence: number, left: number, link: optionalText }],
  'sale-settings-set': [43, { by, callId: text, settings: named<Partial<SaleSettings>>() }],
  'exchanged-with': [
    65,
    {
      ...exchanged,
      fee: optional(number),
      waived: optional(named<{ amount: number; reason: string }>()),
      swappedWith: optionalText,
      other: optional(named<OtherEvent>()),
    },
  ],
  'exchange-pinned': [66, { by, exchangeId: text, pinId: text, bookingRef: text, units, toEventKey: text }],
  'exchange-unpinned': [67, { by, exchangeId: text, pinId: text, bookingRef: text, units }],
  'exchange-refused': [68, { by, exchangeId: text, pinId: text }],
  'chart-set': [48, { by, callId: text, chartId: text }],
  renumbered: [
    49,
    { by, callId: text, bookingRef: text, exchangeId: text, accessSource, labels: texts, lines, channelRefs },
  ],
};

const byNumber: RecordCodec[] = [];
const byType = new Map<string, RecordCodec>();
for (const [type, [place, fields]] of Object.entries(table)) {
  const codec = recordPositions(type, place, fields);
  byNumber[place] = codec;
  byType.set(type, codec);
}

/** Writes a list of the records. */
export function writeRecords(records: readonly JournalRecord[]): void {
  writeList(records.length);
  for (let i = 0; i < records.length; i++) {
    const record = records[i]!;
    try {
      byType.get(record.type)!.write(record);
    } catch (error) {
      throw new Fault(`encode a record of the type ${record.type}`, error);
    }
  }
}

/** Reads what `writeRecords` wrote. */
export function readRecords(): JournalRecord[] {
  const records: JournalRecord[] = [];
  for (let left = readList(); left > 0; left--) records.push(readRecord() as JournalRecord);
  return records;
}

function readRecord(): object {
  const count = readList();
  const place = readNumber();
  const codec = byNumber[place];
  if (!codec) throw new Fault(`decode a record: a later version of Parterre writes records of the type ${place}`);
  return codec.read(count - 1);
}
