/** Bookings of an older system, case by case: each sale stands or fails alone, and a repetition books nothing twice. */
import type { Command, ImportedSale } from '@parterre/shared/protocol/commands';
import { expect, test } from 'vitest';
import { block, callId, direct, hold, house, sectionedPlan, server } from '../../../support/inventory/house.ts';

type Import = Command & { type: 'import-bookings' };

const sale = (label: string, bookingRef: string, more: Partial<ImportedSale> = {}): ImportedSale => ({
  label,
  bookingRef,
  price: 7,
  ...more,
});
const imports = (sales: ImportedSale[], more: Partial<Import> = {}): Import => ({
  type: 'import-bookings',
  callId: callId(),
  sales,
  fingerprint: 'file',
  ...more,
});
const channel = { color: '#123456', marker: null, externalRef: 'club-1', accessIntent: 'none', priceOverrides: [] };

function withChannels(event: ReturnType<typeof house>): void {
  for (const id of ['chn_club', 'chn_other']) {
    const draft = { ...channel, id, name: id } as never;
    event.ok({ type: 'create-channel', callId: callId(), channel: draft, reason: null });
  }
  event.ok({
    type: 'assign-channel',
    callId: callId(),
    channelId: 'chn_club',
    labels: ['A-4'],
    assignmentVersion: event.ok({ type: 'channels' }).assignmentVersion,
    reason: null,
  });
}

test('each sale stands or fails alone, with the price that was paid', () => {
  const event = house();
  event.ok(hold('hold', 'A-2'));
  event.ok(direct('other', 'A-3'));
  event.ok(block('A-5'));
  withChannels(event);
  event.ok({ type: 'move', callId: callId(), move: 'close' });
  const sales = [
    sale('A-1', 'old-1', { buyerRef: 'anna' }),
    sale('A-2', 'old-1'),
    sale('A-3', 'old-1'),
    sale('A-4', 'old-2'),
    sale('A-5', 'old-2'),
    sale('A-6', 'old-2', { channelId: 'chn_none' }),
    sale('A-7', 'old-2', { channelId: 'chn_club' }),
    sale('A-4', 'old-3', { channelId: 'chn_other' }),
    sale('Z-9', 'old-2'),
    sale('H-1', 'old-2'),
    sale('C-1', 'old-2'),
    sale('T1', 'old-4'),
  ];
  expect(event.ok(imports(sales)).faults).toEqual([
    { at: 1, code: 'seat_held' },
    { at: 2, code: 'seat_booked' },
    { at: 4, code: 'seat_not_for_sale' },
    { at: 5, code: 'channel_not_found' },
    { at: 7, code: 'seat_booked' },
    { at: 8, code: 'label_not_found' },
    { at: 9, code: 'seat_not_for_sale' },
  ]);
  const booked = event.journal.filter((record) => record.type === 'booked' && record.imported);
  const { labels } = event.state.plan;
  const told = booked.map((record) => {
    if (record.type !== 'booked') return null;
    const lines = record.lines.map(({ unit, ...line }) => ({ label: labels.at(unit), ...line }));
    return { ref: record.bookingRef, buyer: record.buyerRef, refs: record.channelRefs, lines };
  });
  const club = { price: 7, channelId: 'chn_club' };
  expect(told).toEqual([
    { ref: 'old-1', buyer: 'anna', refs: undefined, lines: [{ label: 'A-1', price: 7 }] },
    {
      ref: 'old-2',
      buyer: undefined,
      refs: { chn_club: 'club-1' },
      lines: [
        { label: 'A-4', ...club },
        { label: 'A-7', ...club },
        { label: 'C-1', price: 7, tierId: 'adult' },
      ],
    },
    { ref: 'old-4', buyer: undefined, refs: undefined, lines: [{ label: 'T1', price: 7, quantity: 4 }] },
  ]);
});

test('a place of another channel than the sale has a code of its own', () => {
  const event = house();
  withChannels(event);
  const sales = [sale('A-4', 'old-1', { channelId: 'chn_other' })];
  expect(event.ok(imports(sales)).faults).toEqual([{ at: 0, code: 'channel_differs' }]);
});

test('a repetition of a piece gets its first codes, also after a cancellation and another sale', () => {
  const event = house();
  const piece = imports([sale('A-1', 'old-1'), sale('Z-1', 'old-1'), sale('A-2', 'old-1')]);
  const first = event.ok(piece);
  expect(first.faults).toEqual([{ at: 1, code: 'label_not_found' }]);
  event.ok({ type: 'unbook', callId: callId(), bookingRef: 'old-1', labels: ['A-1'] });
  event.ok(direct('new', 'A-1'));
  const before = event.journal.length;
  expect(event.ok(piece)).toEqual(first);
  expect(event.journal).toHaveLength(before);
  expect(event.refused({ ...piece, fingerprint: 'another file' }).reason).toBe('idempotency_key_reused');
  expect(event.ok(imports(piece.sales)).faults).toMatchObject([{ at: 0, code: 'seat_booked' }, { at: 1 }]);
});

test('a file that is sent again under another name books nothing twice, places of areas included', () => {
  const event = house();
  const places = [1, 2, 3].map((nth) => sale('Standing', 'old-1', { nth }));
  const sales = [sale('A-1', 'old-1'), ...places, sale('Standing', 'old-2', { nth: 1 }), sale('A-1', 'old-1')];
  expect(event.ok(imports(sales)).faults).toEqual([]);
  const count = event.counts().booked;
  expect(count).toBe(5);
  const before = event.journal.filter(({ type }) => type === 'booked').length;
  expect(event.ok(imports(sales)).faults).toEqual([]);
  expect(event.counts().booked).toBe(count);
  expect(event.journal.filter(({ type }) => type === 'booked')).toHaveLength(before);
  const [line] = event.state.bookings.get('old-1')!.lines.filter(({ group }) => group !== undefined);
  expect(event.state.bookings.get('old-1')!.lines.filter(({ group }) => group === line!.group)).toHaveLength(3);
});

test('an area gives as many places as it has, and none that the file names itself', () => {
  const event = house();
  const named = event.state.plan.labels.at(
    event.state.plan.objects.find(({ label }) => label === 'Standing')!.firstUnit,
  );
  const sales = Array.from({ length: 10 }, (_, at) => sale('Standing', 'old-1', { nth: at + 1 }));
  expect(event.ok(imports([...sales, sale(named, 'old-2')])).faults).toEqual([{ at: 9, code: 'area_full' }]);
  expect(event.counts().booked).toBe(10);
});

test('a dry run books nothing, and takes the places of earlier pieces for taken', () => {
  const event = house();
  const piece = (from: number) =>
    Array.from({ length: 6 }, (_, at) => sale('Standing', `old-${from + at}`, { nth: 1 }));
  const dry = { dryRun: true as const };
  const { fingerprint: _, ...first } = { ...imports(piece(0)), ...dry };
  const told = event.ok(first);
  expect(told).toEqual({ faults: [], claims: [{ label: 'Standing', count: 6 }] });
  const { fingerprint: __, ...second } = { ...imports(piece(6)), ...dry, claims: told.claims! };
  expect(event.ok(second).faults).toEqual([
    { at: 4, code: 'area_full' },
    { at: 5, code: 'area_full' },
  ]);
  expect(event.journal.filter(({ type }) => type !== 'created')).toEqual([]);
});

test('hidden and closed divisions are noted, companions and sale limits are not looked at, an archive refuses', () => {
  const event = house('managed', sectionedPlan);
  event.ok({
    type: 'configure',
    callId: callId(),
    sectionStates: { front: 'closed' },
    selectionRules: { preventOrphans: true },
  });
  expect(event.ok(imports([sale('A-2', 'old-1')]), server).faults).toEqual([]);
  expect(event.journal.findLast(({ type }) => type === 'booked')).toMatchObject({ passed: ['front'] });
  event.ok({ type: 'move', callId: callId(), move: 'close' });
  event.ok({ type: 'move', callId: callId(), move: 'archive' });
  expect(event.refused(imports([sale('A-3', 'old-1')])).code).toBe('invalid_event_state');
});
