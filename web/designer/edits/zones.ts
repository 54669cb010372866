/** Zones, and the sections in them. Pure. */
import type { ChartDocument, Zone } from '@parterre/shared/charts/document';
import type { Edit } from '../document/editor.ts';
import { changeObjects, everyObject } from '../document/objects.ts';

/** A zone of an id that the chart has changes nothing. */
export function addZone(zone: Zone): Edit {
  return (document) => {
    if (document.zones?.some(({ id }) => id === zone.id)) return document;
    return { ...document, zones: [...(document.zones ?? []), zone] };
  };
}

/** Changes fields of a zone. With another id, its sections follow. */
export function changeZone(id: string, change: (zone: Zone) => Zone): Edit {
  return (document) => {
    const at = document.zones?.findIndex((zone) => zone.id === id) ?? -1;
    if (at < 0) return document;
    const before = document.zones![at]!;
    const after = change(before);
    if (after === before) return document;
    const changed = { ...document, zones: document.zones!.with(at, after) };
    return after.id === id ? changed : moveSections(changed, id, after.id);
  };
}

/** Its sections go to another zone, or to none. */
export function removeZone(id: string, to: string | null): Edit {
  return (document) => {
    if (!document.zones?.some((zone) => zone.id === id)) return document;
    const zones = document.zones.filter((zone) => zone.id !== id);
    const { zones: _, ...rest } = moveSections(document, id, to);
    return (zones.length > 0 ? { ...rest, zones } : rest) as ChartDocument;
  };
}

/** Puts sections into a zone, or into none. */
export function setZone(ids: ReadonlySet<string>, to: string | null): Edit {
  return (document) => changeSections(document, ids, to);
}

function moveSections(document: ChartDocument, from: string, to: string | null): ChartDocument {
  const ids = new Set<string>();
  for (const object of everyObject(document)) {
    if (object.type === 'section' && object.zone === from) ids.add(object.id);
  }
  return changeSections(document, ids, to);
}

function changeSections(document: ChartDocument, ids: ReadonlySet<string>, to: string | null): ChartDocument {
  return changeObjects(document, ids, (object) => {
    if (object.type !== 'section' || object.zone === (to ?? undefined)) return object;
    const { zone: _, ...rest } = object;
    return (to === null ? rest : { ...object, zone: to }) as typeof object;
  });
}
