/**
 * The room check. A room is a folder that holds one concept: a folder below services/<name>/src, where `rules` of the
 * shard and `api` of the front door hold rooms of their own. The check has three rules:
 *
 * - The imports between the rooms of a service form no circle. An import of a type counts.
 * - An opening file, `<room>/<room>.ts`, exports names of the other files of its room. Other rooms import such a room
 *   only through its opening file.
 * - A file in a folder `rules` is pure. It imports files of its service only from folders `rules`; in the front door it
 *   may import types from anywhere.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Folders that hold rooms and are none themselves, below services/<name>/src. */
const roomHolders = { 'inventory-shard': ['rules'], frontdoor: ['api'] };

/** Services whose rules may import types of any file. */
const typesFromAnywhere = ['frontdoor'];

/** One sentence for each fault in the services below `root`, each naming the files. */
export function roomFaults(root) {
  const faults = [];
  for (const service of readdirSync(join(root, 'services'))) {
    const folder = join(root, 'services', service, 'src');
    if (!existsSync(folder)) continue;
    const sources = sourcesIn(folder);
    const imports = importsBetweenRooms(root, folder, sources, roomHolders[service] ?? []);
    const openings = new Set(sources.filter(isOpening).map(({ file }) => relative(root, file)));
    faults.push(...pastOpenings(imports, openings, relative(root, folder)), ...circles(imports));
    faults.push(...impureRules(root, folder, sources, typesFromAnywhere.includes(service)));
  }
  return faults;
}

/** Every source below the folder, with the requests of its module. Each file is parsed once. */
function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => sourceOf(join(parentPath, name)));
}

/**
 * The files that a source names in imports, re-exports (`isExport`) and `import()`; `isType` where no value comes from
 * the file.
 */
function sourceOf(file) {
  const text = readFileSync(file, 'utf8');
  const { module, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} cannot be parsed: ${errors[0].message}`);
  const areTypes = (entries) => entries.length > 0 && entries.every(({ isType }) => isType);
  const named = [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      name: moduleRequest.value,
      isType: areTypes(entries),
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.map(({ moduleRequest, isType }) => ({ name: moduleRequest?.value, isType, isExport: true })),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({ name: text.slice(start + 1, end - 1) })),
  ];
  const targets = named
    .filter(({ name }) => name?.startsWith('.'))
    .map(({ name, isType = false, isExport = false }) => ({
      target: resolve(dirname(file), name),
      isType,
      isExport,
    }));
  return { file, targets };
}

/** True for a file that has the name of its folder and exports names of other files of the folder. */
function isOpening({ file, targets }) {
  const room = dirname(file);
  if (basename(file) !== `${basename(room)}.ts`) return false;
  return targets.some(({ target, isExport }) => isExport && target.startsWith(room + sep));
}

/** Each import of a file in another room; paths are relative to `root`. */
function importsBetweenRooms(root, folder, sources, holders) {
  const roomOf = (file) => {
    const folders = dirname(relative(folder, file)).split(sep);
    const depth = holders.includes(folders[0]) ? 2 : 1;
    const isLoose = folders[0] === '.' || folders[0] === '..' || folders.length < depth;
    return isLoose ? null : folders.slice(0, depth).join('/');
  };
  return sources.flatMap(({ file, targets }) => {
    const from = roomOf(file);
    return targets
      .map(({ target }) => ({ from, to: roomOf(target), file: relative(root, file), target: relative(root, target) }))
      .filter(({ to }) => from && to && from !== to);
  });
}

function pastOpenings(imports, openings, folder) {
  return imports
    .map((found) => ({ ...found, opening: join(folder, found.to, `${basename(found.to)}.ts`) }))
    .filter(({ target, opening }) => openings.has(opening) && target !== opening)
    .map(
      ({ to, file, target }) => `${file} imports ${target}. Other rooms import ${to} through ${to}/${basename(to)}.ts.`,
    );
}

function impureRules(root, folder, sources, areTypesFree) {
  const isRule = (file) => relative(folder, file).split(sep).includes('rules');
  return sources
    .filter(({ file }) => isRule(file))
    .flatMap(({ file, targets }) =>
      targets
        .filter(({ target, isType }) => !isRule(target) && !(isType && areTypesFree))
        .map(({ target }) => `${relative(root, file)} imports ${relative(root, target)}. Rules import rules alone.`),
    );
}

/** One sentence for each circle that a walk over the rooms closes. */
function circles(imports) {
  const faults = [];
  const done = new Set();
  const walk = (room, path) => {
    const start = path.findIndex(({ from }) => from === room);
    if (start >= 0) {
      const steps = path.slice(start);
      const rooms = [...steps.map(({ from }) => from), room].join(' → ');
      const files = steps.map(({ file, target }) => `${file} imports ${target}`).join(', ');
      faults.push(`Rooms form a circle: ${rooms}. ${files}.`);
    } else if (!done.has(room)) {
      const seen = new Set();
      for (const each of imports.filter(({ from }) => from === room)) {
        if (!seen.has(each.to)) walk(each.to, [...path, each]);
        seen.add(each.to);
      }
      done.add(room);
    }
  };
  for (const room of imports.map(({ from }) => from).sort()) walk(room, []);
  return faults;
}
