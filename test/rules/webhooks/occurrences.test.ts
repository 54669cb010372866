import { entryId } from '@parterre/shared/protocol/catalog/history';
import { eventMeta } from '@parterre/shared/protocol/event-meta';
import { type Link, linkOf, textOfLink } from '@parterre/shared/protocol/journal/links';
import { encodePart, linkAfter, readGroup } from '@parterre/shared/protocol/journal/messages';
import {
  needsPlan,
  occurrenceAt,
  occurrenceNamesOf,
  occurrencesOf,
  pingBody,
} from '@parterre/shared/protocol/occurrences/occurrences';
import type { EventGroup, JournalRecord } from '@parterre/shared/protocol/records';
import { describe, expect, it } from 'vitest';
import { event, plan } from '../../support/notifier/plan.ts';

const place = { partition: 3, sequence: 41 };
const buyer = { source: 'buyer', actor: 'ses_secret' } as const;
const server = { source: 'server', actor: 'key_1' } as const;
const class4b = { reservationId: 'rsv_1', name: 'Class 4b' };
const timer = { source: 'timer', actor: null } as const;

function groupOf(...records: JournalRecord[]): EventGroup {
  return { from: 0, at: 5_000, plan: plan.hash, records };
}

/** A group of an event behind a history. */
const linked = (group: EventGroup) => ({ group, link: linkOf('gala') });

function bodiesOf(...records: JournalRecord[]) {
  return occurrencesOf(linked(groupOf(...records)), place, event, plan).map(({ body }) => JSON.parse(body));
}

const meta = eventMeta(event);

const cases: [JournalRecord, [string, Record<string, unknown>][]][] = [
  [
    {
      type: 'held',
      holdId: 'hld_1',
      expiresAt: 9_000,
      accessSource: 'public',
      lines: [{ unit: 0, price: 40 }],
      fingerprint: 'f',
      by: buyer,
    },
    [['hold.created', { holdId: 'hld_1', labels: ['A-1'], expiresAt: 9_000, source: 'buyer' }]],
  ],
  [{ type: 'sold-out', seatTotal: 9, by: timer }, [['event.soldout', { at: 5_000, seatTotal: 9 }]]],
  [
    { type: 'released', holdId: 'hld_1', units: [1], by: buyer },
    [
      ['hold.released', { holdId: 'hld_1', labels: ['A-2'], replacedBy: null }],
      ['seat.released', { labels: ['A-2'], items: null, reason: 'released', holdId: 'hld_1' }],
    ],
  ],
  [
    { type: 'expired', holdId: 'hld_1', expiresAt: 5_000, units: [0, 1], by: timer },
    [
      ['hold.expired', { holdId: 'hld_1', labels: ['A-1', 'A-2'], expiresAt: 5_000, source: 'timer' }],
      ['seat.released', { labels: ['A-1', 'A-2'], items: null, reason: 'hold_expired', holdId: 'hld_1' }],
    ],
  ],
  [
    { type: 'released', holdId: 'hld_1', units: [0, 1, 2], kept: [0, 2], by: buyer },
    [
      ['hold.released', { holdId: 'hld_1', labels: ['A-1', 'A-2', 'B1'], replacedBy: null }],
      ['seat.released', { labels: ['A-2'], items: null, reason: 'released', holdId: 'hld_1' }],
    ],
  ],
  [
    { type: 'released', holdId: 'hld_1', units: [0, 2], kept: [0, 2], by: buyer },
    [['hold.released', { holdId: 'hld_1', labels: ['A-1', 'B1'], replacedBy: null }]],
  ],
  [
    { type: 'expired', holdId: 'hld_1', expiresAt: 5_000, units: [0, 1], kept: [1], by: timer },
    [
      ['hold.expired', { holdId: 'hld_1', labels: ['A-1', 'A-2'], expiresAt: 5_000, source: 'timer' }],
      ['seat.released', { labels: ['A-1'], items: null, reason: 'hold_expired', holdId: 'hld_1' }],
    ],
  ],
  [
    { type: 'expired', holdId: 'hld_1', expiresAt: 5_000, units: [0], kept: [0], by: timer },
    [['hold.expired', { holdId: 'hld_1', labels: ['A-1'], expiresAt: 5_000, source: 'timer' }]],
  ],
  [
    { type: 'unbooked', callId: 'call', bookingRef: 'order-1', units: [2], by: server },
    [['seat.released', { labels: ['B1'], items: null, reason: 'unbooked', bookingRef: 'order-1' }]],
  ],
  [
    {
      type: 'unbooked',
      callId: 'call',
      bookingRef: 'order-1',
      units: [0, 2],
      resale: { listingId: 'lst_1', toBookingRef: 'order-2' },
      by: server,
    },
    [['object.resale.sold', { labels: ['A-1', 'B1'], fromBookingRef: 'order-1', toBookingRef: 'order-2' }]],
  ],
  [
    {
      type: 'exchanged',
      exchangeId: 'exc_1',
      callId: 'call',
      bookingRef: 'order-1',
      units: [0, 1],
      holdId: null,
      accessSource: 'public',
      lines: [{ unit: 2, price: 40 }],
      reason: 'A pillar',
      by: server,
    },
    [
      [
        'seat.booked',
        expect.objectContaining({ bookingRef: 'order-1', labels: ['B1'], reason: 'exchanged', exchangeId: 'exc_1' }),
      ],
      [
        'seat.released',
        {
          labels: ['A-1', 'A-2'],
          items: null,
          reason: 'exchanged',
          bookingRef: 'order-1',
          exchangeId: 'exc_1',
          currency: 'EUR',
          priceUnit: 'major',
        },
      ],
    ],
  ],
  [
    { type: 'resale-listed', callId: 'call', listingId: 'lst_1', bookingRef: 'order-1', units: [0], by: server },
    [['resale.listed', { listingId: 'lst_1', bookingRef: 'order-1', labels: ['A-1'] }]],
  ],
  [
    { type: 'resale-removed', callId: 'call', listingId: 'lst_1', units: [0], by: server },
    [['resale.removed', { listingId: 'lst_1', bookingRef: null, labels: ['A-1'] }]],
  ],
  [
    { type: 'blocked', units: [0], releaseAt: null, reason: 'camera', by: server },
    [['seat.blocked', { labels: ['A-1'], releaseAt: null, reason: 'camera', by: 'server' }]],
  ],
  [
    { type: 'unblocked', units: [0], reason: 'scheduled', by: timer },
    [['seat.released', { labels: ['A-1'], items: null, reason: 'unblocked' }]],
  ],
  [
    { type: 'released', holdId: 'hld_1', callId: 'call', units: [0], reason: 'Abandoned', by: server },
    [
      ['hold.released', { holdId: 'hld_1', labels: ['A-1'], replacedBy: null }],
      ['seat.released', { labels: ['A-1'], items: null, reason: 'operator', holdId: 'hld_1' }],
    ],
  ],
  [{ type: 'holds-ended', callId: 'call', units: [0], reason: 'Abandoned', by: server }, []],
  [
    { type: 'reservation-made', callId: 'call', ...class4b, units: [0], until: 9, note: null, by: server },
    [['seat.blocked', { labels: ['A-1'], releaseAt: 9, reason: 'Class 4b', by: 'server', reservationId: 'rsv_1' }]],
  ],
  [
    {
      type: 'reservation-changed',
      callId: 'call',
      ...class4b,
      units: [0],
      givenUp: [1],
      until: 9,
      note: null,
      by: server,
    },
    [
      ['seat.blocked', { labels: ['A-1'], releaseAt: 9, reason: 'Class 4b', by: 'server', reservationId: 'rsv_1' }],
      ['seat.released', { labels: ['A-2'], items: null, reason: 'unblocked', reservationId: 'rsv_1' }],
    ],
  ],
  [
    { type: 'reservation-ended', ...class4b, units: [0], reason: 'scheduled', by: timer },
    [['seat.released', { labels: ['A-1'], items: null, reason: 'unblocked', reservationId: 'rsv_1' }]],
  ],
  [{ type: 'reservation-booked', callId: 'call', ...class4b, bookingRef: 'order-1', units: [0], by: server }, []],
  [{ type: 'hold-ttl-set', holdTtlMs: null, by: server }, [['event.updated', { changed: ['holdTtlMs'], event: meta }]]],
  [{ type: 'clock-set', from: 5_000, by: timer }, []],
  [{ type: 'status-set', status: 'closed', by: server }, [['event.closed', { event: { ...meta, status: 'closed' } }]]],
  [{ type: 'status-set', status: 'active', by: server }, [['event.reopened', { event: meta }]]],
  [
    { type: 'status-set', status: 'archived', by: server },
    [['event.archived', { event: { ...meta, status: 'archived' } }]],
  ],
  [
    { type: 'status-set', status: 'deleted', by: server },
    [['event.deleted', { event: { ...meta, status: 'deleted' } }]],
  ],
  [
    { type: 'status-set', status: 'active', salesPaused: true, by: server },
    [['event.updated', { changed: ['status', 'salesPaused'], event: { ...meta, salesPaused: true } }]],
  ],
  [
    { type: 'configured', callId: 'call', facts: { name: 'Ball', startsAt: 9, posterAssetId: 'ast_1' }, by: server },
    [
      [
        'event.updated',
        {
          changed: ['name', 'startsAt', 'posterAssetId'],
          event: { ...meta, name: 'Ball', startsAt: 9, posterAssetId: 'ast_1', posterUrl: '/pub/assets/ast_1' },
        },
      ],
    ],
  ],
  // An earlier shard wrote no facts of the catalog.
  [{ type: 'configured', callId: 'call', by: server }, []],
  [
    { type: 'configured', callId: 'call', currency: 'CHF', sectionStates: {}, by: server },
    [['event.updated', { changed: ['currency', 'sectionStates'], event: { ...meta, currency: 'CHF' } }]],
  ],
  [
    { type: 'event-configured', callId: 'call', selectionRules: null, by: server },
    [['event.updated', { changed: ['selectionRules'], event: meta }]],
  ],
  [
    { type: 'public-sale-set', callId: 'call', publicSale: null, by: server },
    [['event.updated', { changed: ['publicSale'], event: meta }]],
  ],
  [
    { type: 'sale-settings-set', callId: 'call', settings: { salesEndAt: null, buyerLimit: null }, by: server },
    [['event.updated', { changed: ['salesEndAt', 'buyerLimit'], event: meta }]],
  ],
  [
    { type: 'releases-set', callId: 'call', releases: [], by: server },
    [['event.updated', { changed: ['releases'], event: meta }]],
  ],
  [
    { type: 'availability-set', callId: 'call', rules: {}, version: 1, by: server },
    [['event.updated', { changed: ['availability'], event: meta }]],
  ],
];

describe('occurrences of a journal group', () => {
  it.each(cases)('gives %o', (record, told) => {
    expect(bodiesOf(record).map((body) => [body.event, body.data])).toEqual(told);
    expect([...occurrenceNamesOf(groupOf(record))]).toEqual(told.map(([name]) => name));
  });

  it("says the words of a booked place in the event's language", () => {
    const lines = [{ unit: 0, price: 40 }];
    const record: JournalRecord = {
      type: 'booked',
      callId: 'c',
      holdId: null,
      bookingRef: 'r',
      accessSource: 'public',
      lines,
      by: server,
    };
    const [booked] = occurrencesOf(
      linked(groupOf(record)),
      { partition: 0, sequence: 7 },
      { ...event, locale: 'es' },
      plan,
    );
    const { items } = JSON.parse(booked!.body).data;
    const none = { floor: null, section: null, area: null, table: null, entrance: null };
    expect(items).toMatchObject([
      { place: { ...none, row: 'A', seat: '1', name: 'Fila A, asiento 1' }, categoryLabel: 'Stalls', tierName: null },
    ]);
  });

  const owner = { kind: 'group', key: 'pg_1' } as const;
  const operation = { id: 'op_1', owner, operationId: 'pghop_1' };
  const lines = [{ unit: 0, price: 40 }];
  const part = {
    holdId: 'hld_1',
    expiresAt: 9_000,
    accessSource: 'public',
    callId: 'c',
    operation,
    by: server,
  } as const;
  const parts: JournalRecord[] = [
    { type: 'held', ...part, lines },
    { type: 'extended', ...part, units: [0] },
    { type: 'released', ...part, units: [0] },
    { type: 'expired', ...part, units: [0] },
    { type: 'booked', ...part, bookingRef: 'order-1', lines },
    { type: 'unbooked', ...part, bookingRef: 'order-1', units: [0] },
  ];

  it.each(parts)('names the group of $type', (record) => {
    const bodies = bodiesOf(record);
    expect(bodies.length).toBeGreaterThan(0);
    for (const body of bodies) expect(body).toMatchObject({ performanceGroupKey: 'pg_1', operationId: 'pghop_1' });
    const ofSeason = { ...operation, owner: { kind: 'season', key: 'sea_1' } } as const;
    const [body] = bodiesOf({ ...record, operation: ofSeason } as JournalRecord);
    expect(body).toMatchObject({ seasonKey: 'sea_1', operationId: 'pghop_1' });
    expect(body).not.toHaveProperty('performanceGroupKey');
  });

  it('a reserved seat names its season', () => {
    const season = { kind: 'season', key: 'sea_1' } as const;
    const [body] = bodiesOf({ type: 'reserved', offerId: 'sro_1', owner: season, callId: 'c', lines, by: server });
    expect(body).toMatchObject({ event: 'seat.blocked', seasonKey: 'sea_1', data: { labels: ['A-1'] } });
    expect(body).not.toHaveProperty('operationId');
  });

  it('the end of an offer names its season, and so does the booking of its seats', () => {
    const season = { kind: 'season', key: 'sea_1' } as const;
    const end: JournalRecord & { type: 'unreserved' } = {
      type: 'unreserved',
      offerId: 'sro_1',
      owner: season,
      callId: 'c',
      units: [0],
      by: server,
    };
    expect(bodiesOf(end)).toMatchObject([{ event: 'seat.released', seasonKey: 'sea_1' }]);
    const sale = { type: 'booked', bookingRef: 'order-1', callId: 'c', holdId: null, lines, by: server } as const;
    const booked = { ...sale, accessSource: 'public' } as const;
    const [body, ...others] = bodiesOf({ ...end, bookingRef: 'order-1' }, booked);
    expect(body).toMatchObject({ seasonKey: 'sea_1', data: { bookingRef: 'order-1' } });
    expect(others).toEqual([]);
    expect(bodiesOf(booked)[0]).not.toHaveProperty('seasonKey');
  });

  it('a booking has priced items, places, guests and value', () => {
    const [body] = bodiesOf({
      type: 'booked',
      callId: 'call',
      bookingRef: 'order-1',
      holdId: null,
      accessSource: 'partner',
      lines: [
        { unit: 0, price: 40, channelId: 'chn_1' },
        { unit: 3, price: 10, quantity: 8 },
        { unit: 6, price: 5, group: 6 },
        { unit: 7, price: 5, group: 6 },
      ],
      by: server,
    });
    expect(body.data).toMatchObject({
      bookingRef: 'order-1',
      holdId: null,
      resale: false,
      labels: ['A-1', 'T1', '__sl_ga__ga__1', '__sl_ga__ga__2'],
      quantity: 11,
      currency: 'EUR',
      configuredValue: 130,
      source: 'server',
    });
    expect(body.data.items).toHaveLength(3);
    expect(body.data.items[0]).toMatchObject({
      label: 'A-1',
      channelId: 'chn_1',
      channelExternalRef: null,
      accessSource: 'partner',
      partnerRef: null,
    });
  });

  it('each item has its channel by the name at the sale, and its partner, but no session', () => {
    const [body] = bodiesOf({
      type: 'booked',
      callId: 'call',
      bookingRef: 'order-1',
      holdId: null,
      accessSource: 'partner',
      by: buyer,
      lines: [
        { unit: 0, price: 40, channelId: 'chn_1' },
        { unit: 1, price: 40, channelId: 'chn_2' },
        { unit: 2, price: 40 },
      ],
      channelRefs: { chn_1: 'club-26' },
      partnerRef: 'partner-7',
      buyerRef: 'buyer-9',
      sessionId: 'ses_secret',
      reach: { channelIds: ['chn_1'], includePublic: true },
    });
    const { items } = body.data as { items: Record<string, unknown>[] };
    expect(items.map((item) => [item.channelId, item.channelExternalRef, item.accessSource, item.partnerRef])).toEqual([
      ['chn_1', 'club-26', 'partner', 'partner-7'],
      ['chn_2', null, 'partner', 'partner-7'],
      [null, null, 'public', 'partner-7'],
    ]);
    expect(JSON.stringify(body)).not.toMatch(/ses_secret|buyer-9|includePublic/);
  });

  it('a new event is shown as it was made, without internal fields', () => {
    const { planHash, holdTtlMs, currency, ownership, mode, organisationId, workspaceId, externalRef } = event;
    const config = { eventId: 'evt_1', eventKey: 'gala', organisationId, workspaceId, mode, ownership };
    const [body] = bodiesOf({
      type: 'created',
      config: { ...config, externalRef, currency, planHash, holdTtlMs },
      by: server,
    });
    expect(body.event).toBe('event.created');
    expect(body.data.event).toMatchObject({ key: 'gala', sold: 0, inventoryModelVersion: 2, posterUrl: null });
    for (const field of ['organisationId', 'planHash', 'chartVersion', 'holdTtlMs']) {
      expect(body.data.event).not.toHaveProperty(field);
    }
  });

  it('a new event is shown as it was made, whatever has changed since', () => {
    const { planHash, holdTtlMs, ownership, mode, organisationId, workspaceId } = event;
    const config = { eventId: 'evt_1', eventKey: 'gala', organisationId, workspaceId, mode, ownership, planHash };
    const group = groupOf({
      type: 'created',
      config: { ...config, externalRef: null, currency: 'EUR', holdTtlMs },
      by: server,
    });
    const since = { status: 'closed', salesPaused: true, sold: 3, currency: 'SEK', updatedAt: 9_000 } as const;
    const [told] = occurrencesOf(linked(group), place, { ...event, ...since }, null);
    expect(JSON.parse(told!.body).data.event).toMatchObject({
      status: 'active',
      salesPaused: false,
      sold: 0,
      currency: 'EUR',
      externalRef: null,
      updatedAt: event.createdAt,
    });
  });

  it('a ping is marked as a test and has its workspace where there is one', () => {
    const ping = { id: 'occ_9', at: 7_000, livemode: true, workspaceId: null };
    const body = {
      occurrenceId: 'occ_9',
      event: 'ping',
      type: 'ping',
      at: 7_000,
      sequence: null,
      index: 0,
      livemode: true,
      test: true,
      data: {},
    };
    expect(JSON.parse(pingBody(ping))).toEqual(body);
    expect(JSON.parse(pingBody({ ...ping, workspaceId: 'ws_1' }))).toEqual({ ...body, workspaceId: 'ws_1' });
  });

  it('the envelope surrounds the data, with externalRef only where it is set', () => {
    const record: JournalRecord = { type: 'released', holdId: 'hld_1', units: [0], by: buyer };
    const [, occurrence] = occurrencesOf(
      linked(groupOf(record)),
      place,
      { ...event, externalRef: null, mode: 'test' },
      plan,
    );
    const { data: _data, ...facts } = JSON.parse(occurrence!.body);
    expect(facts).toEqual({
      occurrenceId: occurrence!.id,
      event: 'seat.released',
      type: 'seat.released',
      at: 5_000,
      sequence: entryId(41, 0),
      index: 1,
      livemode: false,
      eventKey: 'gala',
      eventId: 'evt_1',
      workspaceId: 'ws_1',
    });
    expect(bodiesOf(record)[0].externalRef).toBe('show-7');
  });

  it('a group that is read again gives the same ids, and another history gives others at the same place', () => {
    const records: JournalRecord[] = [
      { type: 'expired', holdId: 'hld_1', expiresAt: 5_000, units: [0], by: timer },
      { type: 'expired', holdId: 'hld_2', expiresAt: 5_000, units: [1], by: timer },
    ];
    const part = (link: Link, at = 5_000) =>
      encodePart({ event: event.key, from: 7, at, plan: plan.hash, link, records });
    const ids = (data: Uint8Array) =>
      occurrencesOf({ group: readGroup(data), link: linkAfter(data) }, place, event, plan).map(({ id }) => id);
    const told = ids(part(linkOf('before')));
    expect(ids(part(linkOf('before')))).toEqual(told);
    const others = [part(linkOf('another history')), part(linkOf('before'), 5_001)].flatMap(ids);
    expect(new Set([...told, ...others]).size).toBe(12);
    expect(told[0]).toMatch(/^occ_[0-9A-Za-z]{22}$/);
  });

  it('a restored part keeps the ids of the lost part', () => {
    const records: JournalRecord[] = [
      { type: 'expired', holdId: 'hld_1', expiresAt: 5_000, units: [0], by: timer },
      { type: 'expired', holdId: 'hld_2', expiresAt: 5_000, units: [1], by: timer },
    ];
    const ids = (own: JournalRecord[], link: Link) =>
      occurrencesOf({ group: groupOf(...own), link }, place, event, plan).map(({ id }) => id);
    const lost = linkOf('lost');
    const restored: JournalRecord = {
      type: 'restored',
      reason: 'the disk burned',
      sequence: 8,
      left: 0,
      link: textOfLink(lost),
      by: timer,
    };
    expect(ids([restored, ...records], linkOf('restored'))).toEqual(ids(records, lost));
  });

  it('each occurrence can be made again from its place, byte for byte', () => {
    const group = groupOf(...cases.map(([record]) => record));
    const all = occurrencesOf(linked(group), place, event, plan);
    expect(all.map((each) => occurrenceAt(linked(group), each.place, each.name, event, plan))).toEqual(all);
    expect(all.at(-1)!.place).toEqual({ ...place, index: cases.length - 1 });
    const [first] = all;
    expect(occurrenceAt(linked(group), first!.place, 'seat.booked', event, plan)).toBeNull();
    expect(occurrenceAt(linked(group), { ...place, index: 999 }, first!.name, event, plan)).toBeNull();
  });

  describe('the place in the history of the event', () => {
    const placesOf = (...records: JournalRecord[]) =>
      bodiesOf(...records).map(({ event: name, sequence, index }) => [name, sequence - entryId(41, 0), index]);
    const released: JournalRecord = { type: 'released', holdId: 'hld_1', units: [0, 1], kept: [1], by: buyer };
    const held: JournalRecord = { type: 'held', ...part, holdId: 'hld_2', lines };
    const booked: JournalRecord = { type: 'booked', ...part, callId: 'sale', bookingRef: 'order-2', lines };
    const resold: JournalRecord = {
      type: 'unbooked',
      ...part,
      callId: 'sale',
      bookingRef: 'order-1',
      units: [0],
      resale: { listingId: 'lst_1', toBookingRef: 'order-2' },
    };

    it('the records of one act share a sequence, and their bodies are counted', () => {
      expect(placesOf(released, held, { type: 'sold-out', seatTotal: 9, by: timer })).toEqual([
        ['hold.released', 0, 0],
        ['seat.released', 0, 1],
        ['hold.created', 0, 2],
        ['event.soldout', 2, 0],
      ]);
      expect(bodiesOf(released, held)[0].data).toEqual({
        holdId: 'hld_1',
        labels: ['A-1', 'A-2'],
        replacedBy: 'hld_2',
      });
      expect(placesOf(resold, booked)).toEqual([
        ['object.resale.sold', 0, 0],
        ['seat.booked', 0, 1],
      ]);
      expect(bodiesOf(resold, booked)[1].data).toMatchObject({ resale: true, holdId: 'hld_1' });
    });

    it('calls of one commit are acts of their own', () => {
      const other: JournalRecord = { ...booked, callId: 'other', bookingRef: 'order-3' } as JournalRecord;
      expect(placesOf({ ...released, callId: 'call' } as JournalRecord, held, booked, other)).toEqual([
        ['hold.released', 0, 0],
        ['seat.released', 0, 1],
        ['hold.created', 1, 0],
        ['seat.booked', 2, 0],
        ['seat.booked', 3, 0],
      ]);
    });

    it('a restored part keeps the place of the lost part', () => {
      const restored: JournalRecord = { type: 'restored', reason: 'a fire', sequence: 8, left: 0, by: timer };
      const [body] = bodiesOf(restored, booked);
      expect([body.sequence, body.index]).toEqual([entryId(8, 0), 0]);
    });
  });

  it('freed places have the terms of their sale', () => {
    const freed = { accessSource: 'partner', lines: [{ unit: 0, price: 40, channelId: 'chn_1' }] } as const;
    const of = { units: [0], freed: { ...freed, lines: [...freed.lines] }, by: server };
    const ends: JournalRecord[] = [
      { type: 'unbooked', bookingRef: 'order-1', callId: 'call', ...of },
      { type: 'released', holdId: 'hld_1', ...of },
      { type: 'expired', holdId: 'hld_1', expiresAt: 5_000, ...of },
    ];
    for (const end of ends) {
      expect(bodiesOf(end).at(-1).data.items).toMatchObject([
        { label: 'A-1', unitPrice: 40, currency: 'EUR', accessSource: 'partner' },
      ]);
    }
  });

  it('only wanted occurrences are made, and only those with places need the plan', () => {
    const { planHash, holdTtlMs, currency, ownership, mode, organisationId, workspaceId, externalRef } = event;
    const known = { organisationId, workspaceId, mode, ownership, externalRef, currency, planHash, holdTtlMs };
    const group = groupOf(
      { type: 'created', config: { eventId: 'evt_1', eventKey: 'gala', ...known }, by: server },
      { type: 'expired', holdId: 'hld_1', expiresAt: 5_000, units: [0], by: timer },
      { type: 'sold-out', seatTotal: 9, by: timer },
    );
    expect([...occurrenceNamesOf(group)].filter((name) => !needsPlan([name]))).toEqual([
      'event.created',
      'event.soldout',
    ]);
    const wanted = new Set(['event.soldout', 'event.created']);
    const told = occurrencesOf(linked(group), place, event, null, wanted);
    expect(told.map(({ name, ref }) => [name, ref])).toEqual([
      ['event.created', 'gala'],
      ['event.soldout', 'gala'],
    ]);
    expect(() => occurrencesOf(linked(group), place, event, null)).toThrow('plan');
    const released = occurrencesOf(linked(group), place, event, plan, new Set(['seat.released']));
    expect(released.map(({ name }) => name)).toEqual(['seat.released']);
  });

  it('the ref is a booking, a hold, an event, or null', () => {
    const group = groupOf(...cases.map(([record]) => record));
    const refs = occurrencesOf(linked(group), place, event, plan).map(({ name, ref }) => `${name} ${ref}`);
    expect([...new Set(refs)]).toEqual([
      'hold.created hld_1',
      'event.soldout gala',
      'hold.released hld_1',
      'seat.released hld_1',
      'hold.expired hld_1',
      'seat.released order-1',
      'object.resale.sold order-2',
      'seat.booked order-1',
      'resale.listed order-1',
      'resale.removed null',
      'seat.blocked null',
      'seat.released null',
      'event.updated gala',
      'event.closed gala',
      'event.reopened gala',
      'event.archived gala',
      'event.deleted gala',
    ]);
  });

  it('an occurrence names the role of the actor, never the actor', () => {
    const records = cases.map(([record]) => record);
    expect(JSON.stringify(bodiesOf(...records))).not.toMatch(/ses_secret|key_1/);
  });
});
