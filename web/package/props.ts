/** The element as a component of a framework: the names of its properties and events, and the way they reach it. */
import type { MapEvents, ParterreMapElement, ParterreMapProps } from './types/index.d.ts';

const attributes = {
  event: 'event',
  group: 'group',
  baseUrl: 'base-url',
  publicKey: 'public-key',
  access: 'access',
  bearer: 'bearer',
  holder: 'holder',
  maxSelection: 'max-selection',
  colours: 'colours',
  locale: 'locale',
} as const satisfies Partial<Record<keyof ParterreMapProps, string>>;

export const eventNames = [
  'selectionchange',
  'hold',
  'parterre-continue',
  'holdexpired',
  'holdreleased',
  'booked',
  'error',
] as const satisfies readonly (keyof MapEvents)[];

export const propNames = [...(Object.keys(attributes) as (keyof typeof attributes)[]), 'messages', 'token'] as const;

export function attributesOf(props: ParterreMapProps): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, attribute] of Object.entries(attributes)) {
    const value = props[name as keyof typeof attributes];
    if (value === undefined || value === null || value === false) continue;
    given[attribute] = value === true ? '' : String(value);
  }
  return given;
}

/** The tokens of props. A token that the host has set on the element itself stays the host's. */
const given = new WeakMap<ParterreMapElement, () => Promise<string>>();

/**
 * Called when the props get a token function, and with null when they lose it. `latest` gives the props of the last
 * rendering: a new function in each rendering does not open the map anew.
 */
export function connect(element: ParterreMapElement, latest: (() => ParterreMapProps) | null): void {
  const first = latest?.().token;
  if (latest && first) {
    const token = () => (latest().token ?? first)();
    given.set(element, token);
    element.token = token;
  } else if (element.token && element.token === given.get(element)) element.token = null;
}

export function listen(
  element: ParterreMapElement,
  hear: <Name extends keyof MapEvents>(name: Name, detail: MapEvents[Name]) => void,
): () => void {
  const ends = eventNames.map((name) => {
    const onEvent = (event: Event) => hear(name, (event as CustomEvent).detail);
    element.addEventListener(name, onEvent);
    return () => element.removeEventListener(name, onEvent);
  });
  return () => {
    for (const end of ends) end();
  };
}
