/** A hand-made plan with one object of each kind, and an event on it, for the tests of the notifier. */

import type { Plan, PlanObject } from '@parterre/shared/charts/plan';
import { UnitLabels } from '@parterre/shared/charts/unit-labels';
import type { EventRecord } from '@parterre/shared/protocol/catalog/events';

/** Units: 0 and 1 seats of row A, 2 a booth, 3 a table as a whole, 4 a variable table, 5 a chair, 6 to 8 GA places. */
const objects: (Pick<PlanObject, 'id' | 'label' | 'type' | 'unitCount'> & Partial<PlanObject>)[] = [
  { id: 'row1', label: 'A', type: 'row', unitCount: 2 },
  { id: 'booth1', label: 'B1', type: 'booth', unitCount: 1 },
  { id: 'tw', label: 'T1', type: 'table', unitCount: 1, bookingMode: 'whole', ...occupancy(8, 8, 8) },
  { id: 'tv', label: 'T2', type: 'table', unitCount: 1, bookingMode: 'variable', ...occupancy(10, 4, 10) },
  { id: 'ti', label: 'T3', type: 'table', unitCount: 1 },
  { id: 'ga', label: 'Floor', type: 'gaArea', unitCount: 3 },
];
const labels = ['A-1', 'A-2', 'B1', 'T1', 'T2', 'T3-1', '__sl_ga__ga__1', '__sl_ga__ga__2', '__sl_ga__ga__3'];
const objectOfUnit = objects.flatMap((object, index) => Array.from({ length: object.unitCount }, () => index));

export const plan: Plan = {
  hash: 'plan-hash',
  name: 'Hall',
  adjusted: false,
  refusesMissingPrices: false,
  wayOfUnit: null,
  priceUnit: null,
  companionOf: new Map(),
  unitCount: labels.length,
  categories: [{ key: 'stalls', label: 'Stalls', color: '#000000', price: 40 }] as unknown as Plan['categories'],
  zones: [],
  sections: [{ id: '__ungrouped__', label: '', zoneId: null }],
  scopeIds: new Set(['__ungrouped__']),
  objects: objects.map((object, index) => ({
    name: object.label,
    floor: null,
    sectionName: null,
    entrance: null,
    section: 0,
    outlineId: null,
    zoneId: null,
    firstUnit: objectOfUnit.indexOf(index),
    bookingMode: 'individual',
    continues: false,
    seatSpacing: 0,
    isRing: false,
    ...occupancy(1, 1, 1),
    ...object,
  })),
  focalPoint: { x: 0, y: 0 },
  floorFocalPoints: objects.map(() => null),
  labels: UnitLabels.of(labels),
  seatNames: null,
  areaByLabel: new Map(),
  objectOfUnit: Uint32Array.from(objectOfUnit),
  indexOfUnit: Uint32Array.from(objectOfUnit, (object, unit) => unit - objectOfUnit.indexOf(object)),
  categoryOfUnit: new Uint16Array(labels.length),
  accessibilityOfUnit: new Uint8Array(labels.length),
  centre: { x: 0, y: 0 },
  x: new Float32Array(labels.length),
  y: new Float32Array(labels.length),
};

export const event: EventRecord = {
  id: 'evt_1',
  key: 'gala',
  slug: 'gala',
  name: 'Gala',
  chartId: 'cht_1',
  status: 'active',
  salesPaused: false,
  seatTotal: 27,
  mode: 'live',
  environment: null,
  organisationId: 'org_1',
  workspaceId: 'ws_1',
  externalRef: 'show-7',
  currency: 'EUR',
  region: 'western-europe',
  ownership: 'platform',
  startsAt: null,
  endsAt: null,
  venue: null,
  description: null,
  timezone: null,
  locale: null,
  posterAssetId: null,
  holdTtlMs: null,
  planHash: 'plan-hash',
  chartVersion: 1,
  sold: 3,
  createdAt: 1_000,
  updatedAt: 1_000,
};

function occupancy(capacity: number, minOccupancy: number, maxOccupancy: number) {
  return { capacity, minOccupancy, maxOccupancy };
}
