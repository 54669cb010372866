/** What is left of an event, by category and by section, from the true status of each unit. Pure. */
import { objectOf, type Plan } from '@parterre/shared/charts/plan';
import { unitStatus } from '@parterre/shared/protocol/records';

/** `blocked` has the free places of a category that is not for sale, too. */
export type PlaceCounts = { free: number; held: number; booked: number; blocked: number };

export type PlacesLeft = {
  totals: PlaceCounts;
  byCategory: ({ key: string; label: string } & PlaceCounts)[];
  /** Divisions without a place are left out. */
  bySection: ({ sectionId: string; sectionLabel: string } & PlaceCounts)[];
};

const names = ['free', 'held', 'booked', 'blocked'] as const;

export function placesLeft(plan: Plan, statuses: Uint8Array): PlacesLeft {
  const notForSale = plan.categories.map((category) => category.notForSale === true);
  const categories = plan.categories.map(noPlaces);
  const sections = plan.sections.map(noPlaces);
  const totals = noPlaces();
  for (let unit = 0; unit < statuses.length; unit++) {
    const category = plan.categoryOfUnit[unit]!;
    const status = statuses[unit]!;
    const name = status === unitStatus.free && notForSale[category] ? 'blocked' : names[status]!;
    totals[name]++;
    categories[category]![name]++;
    sections[objectOf(plan, unit).section]![name]++;
  }
  const isThere = ({ free, held, booked, blocked }: PlaceCounts) => free + held + booked + blocked > 0;
  return {
    totals,
    byCategory: plan.categories.flatMap(({ key, label }, at) =>
      isThere(categories[at]!) ? [{ key, label, ...categories[at]! }] : [],
    ),
    bySection: plan.sections.flatMap(({ id, label }, at) =>
      isThere(sections[at]!) ? [{ sectionId: id, sectionLabel: label, ...sections[at]! }] : [],
    ),
  };
}

function noPlaces(): PlaceCounts {
  return { free: 0, held: 0, booked: 0, blocked: 0 };
}
