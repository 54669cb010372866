/**
 * The chart of the examples: two rows of seats to hold and book, a row that is not sold, a standing area and a table.
 */
export const exampleHall = {
  version: 1,
  name: 'Small hall',
  venueType: 'MIXED',
  focalPoint: { x: 190, y: -40 },
  categories: [
    { key: 'stalls', label: 'Stalls', color: '#336699', price: 20 },
    {
      key: 'balcony',
      label: 'Balcony',
      color: '#993366',
      tiers: [
        { id: 'adult', name: 'Adult', price: 30 },
        { id: 'child', name: 'Child', price: 15 },
        { id: 'loop', name: 'Hearing loop', price: 15, applicability: { seatLabels: ['B-19', 'B-20'] } },
        { id: 'companion', name: 'Companion', price: 0, restriction: 'companion' },
      ],
    },
    { key: 'house', label: 'House seats', color: '#999999', price: 0, notForSale: true },
  ],
  objects: [
    row('row-a', 'A', 0, 'stalls'),
    row('row-b', 'B', 30, 'balcony'),
    row('row-c', 'C', -30, 'house'),
    {
      type: 'gaArea',
      id: 'floor',
      label: 'Floor',
      points: [
        { x: 0, y: 60 },
        { x: 380, y: 60 },
        { x: 380, y: 160 },
        { x: 0, y: 160 },
      ],
      capacity: 30,
      categoryKey: 'stalls',
    },
    {
      type: 'table',
      id: 'table-1',
      label: 'T1',
      center: { x: 500, y: 400 },
      shape: 'round',
      seatCount: 6,
      rotation: 0,
      categoryKey: 'stalls',
    },
  ],
};

function row(id: string, label: string, y: number, categoryKey: string) {
  return { type: 'row', id, label, origin: { x: 0, y }, seatCount: 20, seatSpacing: 20, categoryKey };
}
