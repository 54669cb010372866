/** The line items that an answer shows for claims. */
import { type Claim, once, placeOf, type World } from './world.ts';

/** A line item for each claim, one for each bundle. */
export function itemsOf(world: World, claims: Claim[], currency = world.currency): object[] {
  const alone = claims.filter(({ bundle }) => bundle === null).map((claim) => [claim]);
  // A bundle's name may be used again after its seat was freed. Seats sold on other terms are not part of the bundle.
  const bundled = claims.filter(({ bundle }) => bundle !== null);
  const nameOf = ({ bundle, price, tier, release, channel, source }: Claim): string =>
    [bundle, price, tier, release, channel, source].join();
  const bundles = once(bundled.map(nameOf));
  const together = bundles.map((name) => bundled.filter((claim) => nameOf(claim) === name));
  return [...alone, ...together].map((lines) => itemOf(world, lines, currency));
}

function itemOf(world: World, claims: Claim[], currency: string): object {
  const [claim] = claims as [Claim];
  const place = placeOf(world, claim.label);
  const item = {
    ...{ label: claim.label, objectId: place.objectId, objectType: place.objectType, categoryKey: place.category },
    ...{ tierId: claim.tier, unitPrice: claim.price, currency, bookingMode: place.soldAs },
    ...{ channelId: claim.channel, accessSource: claim.source, releaseId: claim.release },
  };
  if (claim.bundle !== null) {
    const area = Object.keys(world.chart.areas).find((name) => world.chart.areas[name]!.includes(claim.label));
    return { ...item, label: area, quantity: claims.length, labels: claims.map(({ label }) => label) };
  }
  if (place.soldAs === 'individual') return item;
  const { chairs: capacity, guestsMin: minOccupancy, guestsMax: maxOccupancy } = place;
  return { ...item, quantity: claim.guests, capacity, minOccupancy, maxOccupancy };
}
