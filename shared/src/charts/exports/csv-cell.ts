/** Cells of CSV files (RFC 4180). */

/** The beginnings that a spreadsheet reads as a formula, wide forms included. */
const FORMULA = /^[=+\-@\t\r＝＋－＠]/;
const QUOTED = /[",\r\n]/;

/** A cell of text. An apostrophe in front of a formula makes a spreadsheet show it as text. */
export function textCell(text: string): string {
  const shown = FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
