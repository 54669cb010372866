/**
 * Edits of the list of categories and their tiers. A key names its category in objects, seats and prices, so a new key
 * goes to all objects of the category. A deleted category leaves its seats to another. Pure.
 */
import type { Category, ChartDocument, ChartObject } from '@parterre/shared/charts/document';
import { hasSeats } from '@parterre/shared/charts/places';
import { idLengthMax } from '@parterre/shared/protocol/limits';
import { okabeIto } from '../../src/rules/palette.ts';
import type { Edit } from '../document/editor.ts';
import { changeObjects, everyObject, idOf } from '../document/objects.ts';
import type { Sentence } from '../messages/words.ts';
import { changeOverrides, withField } from './overrides.ts';

export function addCategory(label: string): Edit {
  return (document) => {
    const { categories } = document;
    const key = freshKey(label, new Set(categories.map(({ key }) => key)));
    const used = new Set(categories.map(({ color }) => color.toLowerCase()));
    const color = okabeIto.find((each) => !used.has(each)) ?? okabeIto[categories.length % okabeIto.length]!;
    return { ...document, categories: [...categories, { key, label, color }] };
  };
}

/** A key or id of letters, digits and hyphens that nothing has. */
export function freshKey(label: string, taken: ReadonlySet<string>): string {
  const stem =
    label
      .normalize('NFKD')
      .replace(/\p{Mark}/gu, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, idLengthMax - 6) || 'category';
  for (let number = 1; ; number++) {
    const key = number === 1 ? stem : `${stem}-${number}`;
    if (!taken.has(key)) return key;
  }
}

/** `change` leaves the key alone. */
export function changeCategory(key: string, change: (category: Category) => Category): Edit {
  return (document) => {
    const categories = document.categories.map((each) => (each.key === key ? change(each) : each));
    return categories.every((each, at) => each === document.categories[at]) ? document : { ...document, categories };
  };
}

/**
 * A name for a category. The key follows the first name that a person gives, unless it is one of `known`: the keys of a
 * published chart stand in prices and reports.
 */
export function nameCategory(
  document: ChartDocument,
  key: string,
  label: string,
  { usual, known }: { usual: readonly string[]; known: ReadonlySet<string> },
): { edit: Edit; key: string } {
  const edit = changeCategory(key, (before) => withField(before, 'label', label));
  const before = document.categories.find((each) => each.key === key);
  const others = new Set(document.categories.flatMap((each) => (each.key === key ? [] : [each.key])));
  if (!before || !usual.includes(before.label) || known.has(key) || !isMadeOf(key, before.label)) return { edit, key };
  const named = freshKey(label, new Set([...others, ...known]));
  return { edit: (present) => changeKey(key, named)(edit(present)), key: named };
}

/** Whether `freshKey` gives this key to this name. */
function isMadeOf(key: string, label: string): boolean {
  const stem = freshKey(label, new Set());
  return key === stem || (key.startsWith(`${stem}-`) && /^\d+$/.test(key.slice(stem.length + 1)));
}

export function changeKey(from: string, to: string): Edit {
  return (document) => {
    const categories = document.categories.map((each) => (each.key === from ? { ...each, key: to } : each));
    return moveSeats({ ...document, categories }, from, to);
  };
}

export function moveCategory(key: string, by: -1 | 1): Edit {
  return (document) => {
    const categories = moved(
      document.categories,
      document.categories.findIndex((each) => each.key === key),
      by,
    );
    return categories === document.categories ? document : { ...document, categories };
  };
}

/** The element changes places with the one before or after it; the same list at its ends. */
export function moved<T>(list: T[], at: number, by: -1 | 1): T[] {
  const other = at + by;
  if (at < 0 || other < 0 || other >= list.length) return list;
  return list.with(at, list[other]!).with(other, list[at]!);
}

/** Its seats go to the category `to`; null only for a category without seats. */
export function removeCategory(key: string, to: string | null): Edit {
  return (document) => {
    const categories = document.categories.filter((each) => each.key !== key);
    return moveSeats({ ...document, categories }, key, to);
  };
}

export function isUsed(document: ChartDocument, key: string): boolean {
  for (const object of everyObject(document)) if (names(object, key)) return true;
  return false;
}

function moveSeats(document: ChartDocument, from: string, to: string | null): ChartDocument {
  if (to === null) return document;
  const ids = new Set<string>();
  for (const object of everyObject(document)) if (names(object, from)) ids.add(idOf(object));
  return changeObjects(document, ids, (object) => recategorized(object, from, to));
}

type CategorizedObject = ChartObject & { categoryKey?: string; overrides?: { index: number; categoryKey?: string }[] };

function names(object: ChartObject, key: string): boolean {
  const { categoryKey, overrides } = object as CategorizedObject;
  return categoryKey === key || (overrides?.some((each) => each.categoryKey === key) ?? false);
}

/** The overrides of a table that is sold as one have no effect, but name categories all the same. */
function recategorized(object: ChartObject, from: string, to: string): ChartObject {
  const own = (object as CategorizedObject).categoryKey === from ? withField(object, 'categoryKey', to) : object;
  if (own.type !== 'row' && own.type !== 'table') return own;
  const seats = (own.overrides ?? []).map(({ index }) => index);
  return changeOverrides(own, seats, (override) => {
    const key = override.categoryKey === from ? to : override.categoryKey;
    return key === undefined
      ? override
      : withField(override, 'categoryKey', key === own.categoryKey && hasSeats(own) ? undefined : key);
  });
}

export function keyProblem(document: ChartDocument, key: string, now: string | null): Sentence | null {
  if (key === '' || key === '__proto__') return { key: 'category.keyEmpty' };
  if (key.length > idLengthMax) return { key: 'category.keyLong', values: { most: idLengthMax } };
  if (key !== now && document.categories.some((each) => each.key === key)) {
    return { key: 'category.keyTaken', values: { name: key } };
  }
  return null;
}
