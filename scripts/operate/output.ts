/** What a person reads of an answer: a table of what it lists, or the fields of what it shows. */
import type { Json } from './admin-api.ts';

export function shown(answer: Json): string {
  const [[name, first], ...rest] = Object.entries<Json>(answer) as [[string, Json], ...[string, Json][]];
  if (name === 'ok') return 'Done.\n';
  if (Array.isArray(first)) return first.length === 0 ? `No ${name}.\n` : table(first);
  const facts = isRecord(first) ? { ...first, ...Object.fromEntries(rest) } : answer;
  return Object.entries<Json>(facts)
    .map(([field, value]) => `${field.padEnd(widest(Object.keys(facts)))}  ${word(field, value)}\n`)
    .join('');
}

function table(items: Json[]): string {
  const fields = Object.keys(items[0]!);
  const rows = [
    fields.map((field) => field.toUpperCase()),
    ...items.map((item) => fields.map((field) => word(field, item[field]))),
  ];
  const widths = fields.map((_, column) => widest(rows.map((row) => row[column]!)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function isRecord(value: Json): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function widest(texts: string[]): number {
  return Math.max(...texts.map((text) => text.length));
}

function word(field: string, value: Json): string {
  if (value === null || value === undefined) return '-';
  if (field.endsWith('At') && typeof value === 'number') return new Date(value).toISOString();
  if (Array.isArray(value)) return value.join(',') || '-';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
