/** The event regions (wire contract 4). */
export const regions: readonly string[] = [
  'western-europe',
  'eastern-europe',
  'north-america-east',
  'north-america-west',
  'south-america',
  'asia-pacific',
  'northeast-asia',
  'southeast-asia',
  'oceania',
  'africa',
  'middle-east',
];

export const defaultRegion = 'western-europe';
