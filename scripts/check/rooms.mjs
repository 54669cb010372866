/**
 * The room check. A room is a folder that holds one concept: a folder below services/<name>/src, where `rules` of the
 * shard and `api` of the front door hold rooms of their own. Three rules. The imports between the rooms of a service
 * have no circle; imports of types count. A room whose file `<room>/<room>.ts` exports what its other files have is
 * imported only through that file. A file in a folder `rules` is pure: of its service it imports values only from files
 * in folders `rules`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Folders that hold rooms and are none themselves, below services/<name>/src. */
const roomHolders = { 'inventory-shard': ['rules'], frontdoor: ['api'] };

/** One sentence for each fault in the services below `root`, each naming the files. */
export function roomFaults(root) {
  const faults = [];
  for (const service of readdirSync(join(root, 'services'))) {
    const folder = join(root, 'services', service, 'src');
    if (!existsSync(folder)) continue;
    const imports = importsBetweenRooms(root, folder, roomHolders[service] ?? []);
    faults.push(...pastOpenings(imports), ...circles(imports), ...impureRules(root, folder));
  }
  return faults;
}

/** Each import of a file in another room; paths are relative to `root`. */
function importsBetweenRooms(root, folder, holders) {
  const roomOf = (file) => {
    const folders = dirname(relative(folder, file)).split(sep);
    const depth = holders.includes(folders[0]) ? 2 : 1;
    const isLoose = folders[0] === '.' || folders[0] === '..' || folders.length < depth;
    return isLoose ? null : folders.slice(0, depth).join('/');
  };
  const imports = [];
  for (const file of sourcesIn(folder)) {
    for (const { target } of importedFiles(file)) {
      const from = roomOf(file);
      const to = roomOf(target);
      if (from && to && from !== to)
        imports.push({
          from,
          to,
          file: relative(root, file),
          target: relative(root, target),
          opening: join(folder, to, `${basename(to)}.ts`),
        });
    }
  }
  return imports;
}

/** The files that a source names in imports, re-exports and `import()`; `isType` where no value comes from the file. */
function importedFiles(file) {
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
      entries.map(({ moduleRequest, isType }) => ({ name: moduleRequest?.value, isType })),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({ name: text.slice(start + 1, end - 1) })),
  ];
  return named
    .filter(({ name }) => name?.startsWith('.'))
    .map(({ name, isType = false }) => ({ target: resolve(dirname(file), name), isType }));
}

function impureRules(root, folder) {
  const isRule = (file) => relative(folder, file).split(sep).includes('rules');
  return sourcesIn(folder)
    .filter(isRule)
    .flatMap((file) =>
      importedFiles(file)
        .filter(({ target, isType }) => !isType && !isRule(target))
        .map(
          ({ target }) => `${relative(root, file)} imports ${relative(root, target)}. Rules import values of rules.`,
        ),
    );
}

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** True for a file that exports names of other files. */
function isOpening(file) {
  return existsSync(file) && /^export [^;]* from '\.\//m.test(readFileSync(file, 'utf8'));
}

function pastOpenings(imports) {
  return imports
    .filter(({ to, target, opening }) => isOpening(opening) && !target.endsWith(`/${to}/${basename(to)}.ts`))
    .map(
      ({ to, file, target }) => `${file} imports ${target}. Other rooms import ${to} through ${to}/${basename(to)}.ts.`,
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
