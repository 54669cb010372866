/** The large venue for measurements: 100,000 seats in the plainest chart. */
import { block, polar } from './rings.mjs';

const compass = ['east', 'south-east', 'south', 'south-west', 'west', 'north-west', 'north', 'north-east'];

/**
 * Five rings of forty sections around a pitch, 20 rows of 25 seats each; a zone is an eighth of all rings. With fewer
 * sections the bowl has the first ones.
 */
export function bowl(sections = 200) {
  const centre = { x: 0, y: 0 };
  const categories = ['Lower', 'Club', 'Middle', 'Upper', 'Top'].map((label, ring) => ({
    key: label.toLowerCase(),
    label,
    color: ['#7a1f3d', '#b5792a', '#2f6f5e', '#2d5f9a', '#6a6f7a'][ring],
    price: [180, 140, 95, 60, 35][ring],
  }));
  const objects = [];
  for (let section = 0; section < sections; section++) {
    const ring = Math.floor(section / 40);
    const sector = section % 40;
    const label = String((ring + 1) * 100 + sector + 1);
    objects.push(
      ...block({
        id: `s${label}`,
        label,
        zone: compass[Math.floor(sector / 5)],
        centre,
        near: 3_000 + ring * 600,
        rows: 20,
        pitch: 24,
        // The first zone is centred on the east: it holds the sectors two and a half to either side.
        degrees: (sector - 2) * 9,
        sweep: 8,
        seatCount: 25,
        categoryKey: categories[ring].key,
      }),
    );
  }
  const zones = compass.map((id, index) => ({ id, label: id, focalPoint: polar(centre, 2_500, index * 45) }));
  return { version: 1, name: 'Bowl', venueType: 'SIMPLE', focalPoint: centre, categories, zones, objects };
}
