/**
 * Names for the schemas inside other schemas. A generator of clients makes a type of each object, union and enum. It
 * invents a name for a type that has none, and two invented names may be one. So each such schema becomes a component
 * here, and equal schemas become one component. Pure.
 *
 * The name comes from the property: the items of `performances` are a `Performance` if several schemas have equal
 * ones, else a `GetGroupAnswerPerformance`.
 */

export type JsonSchema = Record<string, unknown>;
type Components = Record<string, JsonSchema>;

/** One place where a schema stands: the component around it, and the names of the properties on the way. */
type Standing = { root: string; chain: readonly string[] };
type Group = { standings: Standing[]; name: string };

/** The keywords that belong to the place of a schema. They stay there when the schema becomes a component. */
const ofPlace = ['description', 'default', 'examples'];

export const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

export function withNestedNames(written: Components): Components {
  const components = Object.fromEntries(Object.entries(written).map(([name, schema]) => [name, joined(schema)]));
  const groups = new Map<string, Group>();
  for (const [root, schema] of Object.entries(components)) {
    inside(schema, [], (child, chain) => {
      const text = textOf(child);
      const group = groups.get(text) ?? { standings: [], name: '' };
      groups.set(text, group);
      group.standings.push({ root, chain });
    });
  }
  const taken = new Set([...Object.keys(components), ...vagueNames]);
  for (const group of groups.values()) {
    group.name = candidates(group.standings).find((name) => !taken.has(name)) ?? numbered(group.standings[0]!, taken);
    taken.add(group.name);
  }
  const named: Components = {};
  const moved = (schema: JsonSchema, part = ''): JsonSchema => {
    if (schema.$ref !== undefined) return atPlace(schema, { $ref: schema.$ref });
    if (part === 'anyOf' && isMap(schema)) return anyMap(schema);
    const group = needsName(schema) ? groups.get(textOf(schema)) : undefined;
    if (!group) return withChildren(schema, moved);
    const reference = referenceTo(group.name);
    named[group.name] ??= withDiscriminator(withChildren(coreOf(schema), moved), coreOf(schema));
    if (part !== 'oneOf' && part !== 'anyOf') return atPlace(schema, reference);
    // A type of a union is a reference alone: a discriminator names no other.
    named[group.name] = { ...placeOf(schema), ...named[group.name] };
    return reference;
  };
  for (const [root, schema] of Object.entries(components)) {
    named[root] = withDiscriminator(withChildren(schema, moved), schema);
  }
  return named;
}

/** The same schema with `keywords` of its place. OpenAPI's tools read nothing beside a `$ref`. */
function atPlace(schema: JsonSchema, reference: JsonSchema): JsonSchema {
  const beside = placeOf(schema);
  return Object.keys(beside).length === 0 ? reference : { allOf: [reference], ...beside };
}

function placeOf(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => ofPlace.includes(keyword)));
}

function coreOf(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ofPlace.includes(keyword)));
}

const textOf = (schema: JsonSchema): string => JSON.stringify(coreOf(schema));

/**
 * A schema that may be null is one schema of two types where its type is simple, and where it is a property of an
 * object that takes further fields: generators of Java clients make a type of their own of such a union.
 */
function joined(schema: JsonSchema, part = '', isOpen = false): JsonSchema {
  const takesMore = typeof schema.additionalProperties === 'object';
  const { anyOf, ...rest } = withChildren(schema, (child, childPart) => joined(child, childPart, takesMore));
  const [first, none, ...more] = (anyOf ?? []) as JsonSchema[];
  const isProperty = isOpen && part.startsWith('.') && first?.type === 'object';
  const isJoined = first && none?.type === 'null' && more.length === 0 && (isProperty || isSimple(first));
  if (isJoined) return { ...first, ...rest, type: [first.type, 'null'] };
  return anyOf === undefined ? rest : { ...rest, anyOf };
}

const simpleTypes: readonly unknown[] = ['boolean', 'integer', 'number', 'string'];
const isSimple = (schema: JsonSchema): boolean => simpleTypes.includes(schema.type) && !schema.enum && !schema.const;

const isObject = ({ type }: JsonSchema): boolean =>
  type === 'object' || (Array.isArray(type) && type.includes('object'));

/** True for an object, an enum of several values, and a union of several types besides null. */
function needsName(schema: JsonSchema): boolean {
  if (schema.$ref !== undefined) return false;
  if (isObject(schema)) return schema.properties !== undefined;
  if (Array.isArray(schema.enum)) return schema.enum.length > 1;
  return branchesOf(schema).filter(({ type }) => type !== 'null').length > 1;
}

/** Java has no name for the type of a map, which a union needs. So a map in a union is described as any object. */
const isMap = ({ type, properties, additionalProperties }: JsonSchema): boolean =>
  type === 'object' && properties === undefined && typeof additionalProperties === 'object';

const anyMap = (schema: JsonSchema): JsonSchema => ({ ...placeOf(schema), type: 'object' });

const branchesOf = (schema: JsonSchema): JsonSchema[] => (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];

/** Visits each schema that needs a name inside a schema, parents first. */
function inside(
  schema: JsonSchema,
  chain: readonly string[],
  visit: (child: JsonSchema, chain: readonly string[]) => void,
): void {
  withChildren(schema, (child, part) => {
    if (part === 'anyOf' && isMap(child)) return child;
    const further = linked(schema, chain, child, part);
    if (needsName(child)) visit(child, further);
    inside(child, further, visit);
    return child;
  });
}

/** The chain of a child: one name longer for a property and for a type of a union. */
function linked(schema: JsonSchema, chain: readonly string[], child: JsonSchema, part: string): readonly string[] {
  if (part.startsWith('.')) return [...chain, capital(part.slice(1))];
  if (part === 'items' || part === 'additionalProperties') {
    return [...chain.slice(0, -1), singular(chain.at(-1) ?? 'Item')];
  }
  const isUnion = branchesOf(schema).filter(({ type }) => type !== 'null').length > 1;
  if (!isUnion || child.type !== 'object') return chain;
  const tag = tagOf(branchesOf(schema));
  const [first = 'object'] = (child.required ?? []) as string[];
  const kind = tag === null ? `with_${first}` : valuesOf(child, tag)[0]!;
  return [...chain.slice(0, -1), `${chain.at(-1) ?? ''}${capital(kind)}`];
}

/** A copy with each schema directly inside replaced. `part` is `.name` for a property, else the keyword. */
function withChildren(schema: JsonSchema, replace: (child: JsonSchema, part: string) => JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === 'properties') {
        const properties = Object.entries(value as Components);
        return [keyword, Object.fromEntries(properties.map(([name, child]) => [name, replace(child, `.${name}`)]))];
      }
      if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf') {
        return [keyword, (value as JsonSchema[]).map((child) => replace(child, keyword))];
      }
      const isSchema = keyword === 'items' || keyword === 'additionalProperties';
      if (!isSchema || typeof value !== 'object' || value === null) return [keyword, value];
      return [keyword, replace(value as JsonSchema, keyword)];
    }),
  );
}

/** Tells readers by which property the types of a union differ. `plain` still has its types inside. */
function withDiscriminator(schema: JsonSchema, plain: JsonSchema): JsonSchema {
  const branches = branchesOf(plain);
  const tag = branches.length > 1 && branches.every(({ type }) => type === 'object') ? tagOf(branches) : null;
  if (tag === null) return withAnyOf(schema);
  const references = branchesOf(schema).map(({ $ref }) => $ref);
  const mapping = Object.fromEntries(
    branches.flatMap((branch, index) => valuesOf(branch, tag).map((value) => [value, references[index]])),
  );
  const { anyOf: _, ...rest } = schema;
  return { ...rest, oneOf: branchesOf(schema), discriminator: { propertyName: tag, mapping } };
}

/** A union whose types no constant tells apart. A flag that may be absent is no constant. */
function withAnyOf({ oneOf, ...rest }: JsonSchema): JsonSchema {
  return oneOf === undefined ? rest : { ...rest, anyOf: oneOf };
}

/** The property that tells the types of a union apart by its constants; null if there is none. */
function tagOf(branches: readonly JsonSchema[]): string | null {
  const [first] = branches;
  const names = Object.keys((first?.properties ?? {}) as Components);
  const isTag = (name: string) => {
    const values = branches.map((branch) => valuesOf(branch, name));
    return values.every(({ length }) => length > 0) && new Set(values.flat()).size === values.flat().length;
  };
  return names.find(isTag) ?? null;
}

/** The constants of a property; none if it takes other values too. */
function valuesOf({ properties }: JsonSchema, name: string): string[] {
  const property = (properties as Components | undefined)?.[name];
  const values = Array.isArray(property?.enum) ? property.enum : [property?.const];
  return values.every((value) => typeof value === 'string') ? values : [];
}

/** The short name first, where several schemas share it; then ever longer ones. */
function candidates(standings: readonly Standing[]): string[] {
  const lasts = standings.map(({ chain }) => chain.at(-1)!);
  const isShared = new Set(standings.map(({ root }) => root)).size > 1;
  const [{ root, chain }] = standings as [Standing];
  return [
    ...(isShared ? lasts : []),
    ...(chain.length > 1 ? [chain.slice(-2).join('')] : []),
    `${root}${chain.at(-1)}`,
    `${root}${chain.slice(-2).join('')}`,
    `${root}${chain.join('')}`,
  ];
}

function numbered({ root, chain }: Standing, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${root}${chain.join('')}${number}`)) number++;
  return `${root}${chain.join('')}${number}`;
}

/** Names that are types of a language already, and names that say nothing alone. */
const vagueNames = [
  ...['Boolean', 'Date', 'Error', 'File', 'List', 'Map', 'Number', 'Object', 'Set', 'String', 'Type'],
  ...['Action', 'Before', 'Data', 'Default', 'Details', 'Entry', 'Event', 'Item', 'Kind', 'Operation', 'Phase'],
  ...['Reason', 'Rule', 'Source', 'State', 'Status', 'Ticket'],
];

function singular(name: string): string {
  if (name.endsWith('ies')) return `${name.slice(0, -3)}y`;
  if (/(ss|us|x)es$/.test(name)) return name.slice(0, -2);
  return /[^s]s$/.test(name) && !name.endsWith('us') ? name.slice(0, -1) : name;
}

/** `not_for_sale` and `sign-language` are NotForSale and SignLanguage. */
export function capital(name: string): string {
  return name.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
