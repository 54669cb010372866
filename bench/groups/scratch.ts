import { openGroupWorld } from './group-world.ts';

const world = await openGroupWorld();
const run = await world.openRun(4, 64);
const mode = process.env.MODE ?? 'group';
const s = Number(process.env.S ?? 8);
const t = await world.turn(run, { singles: mode === 'single' ? 64 : 0, groups: mode === 'group' ? 64 : 0, seconds: s });
const n = t.singleSales + t.groupSales;
console.log(
  n / s,
  Object.fromEntries(Object.entries(t.cpu).map(([k, v]) => [k, Math.round((v * 1e6) / n)])),
  t.messages / n,
);
await world.stop();
