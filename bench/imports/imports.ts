/**
 * `npm run bench -- imports`: files of 100,000 seats in each format, read as the front door reads them. Prints the size
 * of the file, the time from the start of the file's process to the document, the CPU of this process and the file's
 * (which another load changes less), and the memory that the file's process had at most. Linux alone tells CPU and
 * memory.
 */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { ImportFormat } from '@parterre/shared/charts/imports/imports';
import { systemClock } from '@parterre/shared/runtime/clock';
import { fileProcesses } from '../../services/frontdoor/src/chart-files/file-process.ts';
import { cpuSeconds, tellsCpu } from '../load/cpu.ts';

const rows = 500;
const seatsPerRow = 200;
const sampleMs = 20;

type Drawn = { row: string; seat: string; x: number; y: number };

/** Bent rows, so that every row is fitted to an arc. */
function seatsOf(): Drawn[][] {
  const lines: Drawn[][] = [];
  for (let row = 0; row < rows; row++) {
    const radius = 3_000 + row * 24;
    const line: Drawn[] = [];
    for (let i = 0; i < seatsPerRow; i++) {
      const angle = ((i - seatsPerRow / 2) * 20) / radius;
      const x = Math.round(1e2 * radius * Math.sin(angle)) / 1e2;
      const y = Math.round(1e2 * radius * Math.cos(angle)) / 1e2;
      line.push({ row: `R${row + 1}`, seat: String(i + 1), x, y });
    }
    lines.push(line);
  }
  return lines;
}

const lines = seatsOf();

const files: Record<Exclude<ImportFormat, 'document'>, () => string> = {
  seatsio: () =>
    JSON.stringify({
      name: 'Bench',
      version: 21,
      categories: { list: [{ key: 1, label: 'All', color: '#336699', accessible: false }] },
      subChart: {
        rows: lines.map((line) => ({
          label: line[0]!.row,
          uuid: `row-${line[0]!.row}`,
          seats: line.map(({ seat, x, y }, i) => ({
            x,
            y,
            label: seat,
            categoryLabel: 'All',
            categoryAccessible: false,
            categoryKey: 1,
            restrictedView: false,
            accessible: false,
            companionSeat: false,
            disabledBySocialDistancingRules: false,
            uuid: `uuid${i}`,
            published: true,
          })),
        })),
      },
    }),
  pretix: () =>
    JSON.stringify({
      name: 'Bench',
      categories: [{ name: 'All', color: '#336699' }],
      size: { width: 1, height: 1 },
      zones: [
        {
          position: { x: 0, y: 0 },
          rows: lines.map((line) => ({
            row_number: line[0]!.row,
            position: { x: 0, y: 0 },
            seats: line.map(({ row, seat, x, y }) => ({
              seat_guid: `${row}-${seat}`,
              seat_number: seat,
              position: { x, y },
              category: 'All',
              radius: 8,
            })),
          })),
        },
      ],
    }),
  csv: () =>
    `row,seat,x,y,category\n${lines
      .flat()
      .map(({ row, seat, x, y }) => `${row},${seat},${x},${y},All`)
      .join('\n')}`,
  svg: () => {
    const circle = ({ row, seat, x, y }: Drawn) => `<circle id="${row}-${seat}" cx="${x}" cy="${y}" r="8"/>`;
    return `<svg xmlns="http://www.w3.org/2000/svg"><g data-category="All">${lines.flat().map(circle).join('\n')}</g></svg>`;
  },
};

const run = fileProcesses(new URL('../../chart-files.js', import.meta.url), systemClock);
const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
const cpuSoFar = () => cpuSeconds({ bench: process.pid }).bench ?? 0;

/** The most memory so far of the child process, in KiB; 0 while there is none. */
function childKib(): number {
  if (!tellsCpu) return 0;
  try {
    const [child] = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ');
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    // The child ended between the two readings.
    return 0;
  }
}

/** `-- imports svg` reads this format alone. */
const only = process.argv.slice(2);

for (const [format, text] of Object.entries(files)) {
  if (only.length > 0 && !only.includes(format)) continue;
  const bytes = Buffer.from(text());
  const { length } = bytes;
  let mostKib = 0;
  const sampling = setInterval(() => {
    mostKib = Math.max(mostKib, childKib());
  }, sampleMs);
  const cpuBefore = cpuSoFar();
  const since = performance.now();
  const job = { kind: 'import', bytes, format: format as ImportFormat, name: null } as const;
  const result = await run(job, new AbortController().signal);
  const tookMs = performance.now() - since;
  clearInterval(sampling);
  const cpu = (cpuSoFar() - cpuBefore).toFixed(1);
  const told =
    result.kind === 'imported'
      ? `${result.report.understood.seats} seats, ${mib(result.doc.length)} MiB gzipped`
      : JSON.stringify(result);
  console.log(
    `${format}: ${mib(length)} MiB, ${(tookMs / 1e3).toFixed(1)} s, ${cpu} s of CPU, ${(mostKib / 1024).toFixed(0)} MiB, ${told}`,
  );
}
