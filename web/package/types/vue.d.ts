import type { DefineComponent, Ref } from 'vue';
import type { MapEvents, ParterreMapElement, ParterreMapProps } from './index.d.ts';

type Emits = { [Name in keyof MapEvents]: (detail: MapEvents[Name]) => true };

/** A template ref has `element`, and `element.map` has the methods. */
export const ParterreMap: DefineComponent<
  ParterreMapProps,
  { element: Ref<ParterreMapElement | null> },
  unknown,
  Record<string, never>,
  Record<string, never>,
  Record<string, never>,
  Record<string, never>,
  Emits
>;
