/**
 * Chart documents for measurements, tests and demonstrations, made anew on each use and always the same:
 * - bowl(): 100,000 seats in 200 sections, eight zones, five categories: 4,000 plain rows.
 * - theatreAndArena(): 20,000 places of every kind: rows, tables, booths, a GA area.
 * - demoTheatre(): 118 places, for a fresh installation.
 */
export { bowl } from './charts/bowl.mjs';
export { demoTheatre } from './charts/demo-theatre.mjs';
export { theatreAndArena } from './charts/theatre-and-arena.mjs';
