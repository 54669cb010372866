/** Reads of an event: counts and the report, counted seat by seat. */
import { byRelease } from './releases.ts';
import { countsOf, once, type Prediction, unchanged, type World } from './world.ts';

/** `version` comes from the journal: compare.ts fills it in. */
export function count(world: World): Prediction {
  const { holdTtlMs, status, salesPaused, sectionStates, chart, chartVersion } = world;
  const settings = { holdTtlMs, status, salesPaused, sectionStates, planHash: chart.hash, chartVersion };
  const ruledScopes = Object.keys(world.rules);
  const privateUnits = Object.keys(world.channelOf).length;
  return unchanged({
    ...(Object.keys(world.saleSettings).length > 0 && { saleSettings: world.saleSettings }),
    counts: countsOf(world),
    ...settings,
    ...(ruledScopes.length > 0 && { ruledScopes }),
    ...(privateUnits > 0 && { privateUnits }),
    ...(world.chartId !== undefined && { chartId: world.chartId }),
    version: 0,
  });
}

type Totals = { total: number; free: number; held: number; booked: number; not_for_sale: number };

export function report(world: World): Prediction {
  const { categories, places, sections, hash: planHash } = world.chart;
  const totals = (isIn: (place: (typeof places)[number]) => boolean): Totals => totalsOf(world, labelsWhere(isIn));
  const value = (isIn: (place: (typeof places)[number]) => boolean): number => bookedValueOf(world, labelsWhere(isIn));
  const labelsWhere = (isIn: (place: (typeof places)[number]) => boolean): string[] =>
    places.filter(isIn).map(({ label }) => label);
  const { total: _, ...byStatus } = totals(() => true);
  return unchanged({
    planHash,
    byStatus,
    byCategory: categories.map(({ key: category }) => {
      const isIn = (place: (typeof places)[number]): boolean => place.category === category;
      return { category, ...totals(isIn), bookedValue: value(isIn) };
    }),
    bySection: sections.map(({ id: sectionId, zone: zoneId }) => {
      const isIn = (place: (typeof places)[number]): boolean => place.section === sectionId;
      return { sectionId, zoneId, ...totals(isIn), bookedValue: value(isIn) };
    }),
    byRelease: byRelease(world),
    ...(world.exchangeSums && { exchanges: world.exchangeSums }),
    byAccessibility: once(places.flatMap(({ kinds }) => kinds)).map((type) => ({
      type,
      ...totals(({ kinds }) => kinds.includes(type)),
    })),
  });
}

/** Blocked seats are not for sale, and neither are free seats in a category that is not for sale. */
function totalsOf(world: World, labels: string[]): Totals {
  const totals = { total: labels.length, free: 0, held: 0, booked: 0, not_for_sale: 0 };
  for (const label of labels) {
    const { status } = world.seats[label]!;
    const { category } = world.chart.placeNamed.get(label)!;
    const isForSale = !world.chart.categories.find(({ key }) => key === category)!.notForSale;
    if (status === 'blocked' || (status === 'free' && !isForSale)) totals.not_for_sale++;
    else totals[status]++;
  }
  return totals;
}

function bookedValueOf(world: World, labels: string[]): number {
  let value = 0;
  for (const { claims } of world.bookings) {
    for (const claim of claims) if (labels.includes(claim.label)) value += claim.price * (claim.guests ?? 1);
  }
  return value;
}
