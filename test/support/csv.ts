/** Reads a CSV file strictly by RFC 4180. Each line becomes one record from column name to cell. */
export function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [];
  for (let at = 0; at < text.length; ) {
    const row: string[] = [];
    for (let isLast = false; !isLast; ) {
      const cell = /^(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/.exec(text.slice(at, at + 2_000));
      if (!cell) throw new Error(`unreadable cell at ${JSON.stringify(text.slice(at, at + 40))}`);
      row.push(cell[1]?.replaceAll('""', '"') ?? cell[2]!);
      at += cell[0].length;
      isLast = cell[3] !== ',';
    }
    rows.push(row);
  }
  const [names, ...values] = rows;
  return values.map((cells) => {
    if (cells.length !== names!.length) throw new Error(`line with ${cells.length} cells: ${cells.join()}`);
    return Object.fromEntries(cells.map((cell, i) => [names![i]!, cell]));
  });
}
