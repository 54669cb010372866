/**
 * Chart documents for measurements, tests and demonstrations, made anew on each use and always the same:
 * - bowl(): 100,000 seats in 200 sections, eight zones, five categories: 4,000 plain rows.
 * - theatreAndArena(): 20,000 places of every kind: rows, tables, booths, a GA area.
 * - demoTheatre(): 118 places, for a fresh installation.
 *
 * The command line writes all three: node scripts/generate-charts.mjs [folder, default charts/]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bowl } from './charts/bowl.mjs';
import { demoTheatre } from './charts/demo-theatre.mjs';
import { theatreAndArena } from './charts/theatre-and-arena.mjs';

export { bowl, demoTheatre, theatreAndArena };

// Inside a bundle, this file's URL is the started program's, but no files were asked for.
const isStarted = process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href;
if (isStarted && import.meta.url.endsWith('/generate-charts.mjs')) {
  const folder = process.argv[2] ?? 'charts';
  mkdirSync(folder, { recursive: true });
  for (const [name, make] of Object.entries({
    bowl,
    'theatre-and-arena': theatreAndArena,
    'demo-theatre': demoTheatre,
  })) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(make()));
  }
}
