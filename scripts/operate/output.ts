/** An answer as a person reads it: a list as a table, a record as its fields, and a table for each list among them. */
import type { Json } from './admin-api.ts';

export function shown(answer: Json): string {
  const [[name, first], ...rest] = Object.entries<Json>(answer) as [[string, Json], ...[string, Json][]];
  if (name === 'ok') return ['Done.\n', ...rest.map(([group, access]) => accessText(group, access))].join('');
  if (Array.isArray(first)) return first.length === 0 ? `No ${name}.\n` : table(first);
  const fields = Object.entries<Json>(isRecord(first) ? { ...first, ...Object.fromEntries(rest) } : answer);
  const facts = fields.filter(([, value]) => !isList(value));
  const width = widest(facts.map(([field]) => field));
  const lines = facts.map(([field, value]) => `${field.padEnd(width)}  ${word(field, value)}\n`);
  const lists = fields.filter(([, value]) => isList(value)).map(([field, items]) => `\n${field}:\n${table(items)}`);
  return [...lines, ...lists].join('');
}

/** The access that a revoked key or deleted user gave to others: `ended` or `left`. */
function accessText(group: string, { counts, ...lists }: Json): string {
  const some = Object.entries<number>(counts).filter(([, count]) => count > 0);
  if (some.length === 0) return `${group}: nothing\n`;
  const tables = some.map(([name]) => `\n${table(lists[name])}`);
  return `\n${group}: ${some.map(([name, count]) => `${name} ${count}`).join(', ')}\n${tables.join('')}`;
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

/** A list of records, which makes a table. */
function isList(value: Json): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord);
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
