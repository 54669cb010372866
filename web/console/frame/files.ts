/** Files that the page itself makes: tables as CSV (RFC 4180), and the way to the person's folder. */
import { textCell } from '@parterre/shared/charts/exports/csv-cell';

/** The mark at the beginning makes spreadsheets read UTF-8. A number has no separators, and null is an empty cell. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  const lines = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? textCell(cell) : (cell ?? ''))).join(','),
  );
  return `\ufeff${lines.join('\r\n')}\r\n`;
}

export function saveFile(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
