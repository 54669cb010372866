/**
 * An example of each answer, made from its schema: mock servers and viewers of the description show it. It has every
 * field, and shows the form; its values need not belong together. Pure.
 */
import type { JsonSchema } from './nested-names.ts';
import { standIn } from './stand-ins.ts';

/** The components of the description, and the examples of components that have one of their own. */
type Components = { schemas: Readonly<Record<string, JsonSchema>>; examples: Readonly<Record<string, unknown>> };

/** The example of a schema. A component that contains itself is an empty object inside itself. */
export function exampleOf(
  schema: JsonSchema,
  components: Components,
  name = '',
  inside: readonly string[] = [],
): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.examples !== undefined) return (schema.examples as unknown[])[0];
  if (schema.$ref !== undefined) {
    const component = String(schema.$ref).split('/').at(-1)!;
    if (component in components.examples) return components.examples[component];
    if (inside.includes(component)) return {};
    return exampleOf(components.schemas[component]!, components, name, [...inside, component]);
  }
  const parts = (schema.allOf ?? schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined;
  if (schema.allOf) {
    const examples = parts!.map((part) => exampleOf(part, components, name, inside));
    return examples.length === 1 ? examples[0] : Object.assign({}, ...examples);
  }
  if (parts) return exampleOf(parts.find(({ type }) => type !== 'null')!, components, name, inside);
  if (Array.isArray(schema.enum)) return schema.enum[0];
  return ofType(schema, components, name, inside);
}

function ofType(schema: JsonSchema, components: Components, name: string, inside: readonly string[]): unknown {
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') return objectOf(schema, components, inside);
  if (type === 'array') {
    const item = schema.items as JsonSchema | undefined;
    return item === undefined || schema.maxItems === 0
      ? []
      : [exampleOf(item, components, name.replace(/s$/, ''), inside)];
  }
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return numberOf(schema, name);
  if (type === 'string') return textOf(schema, name);
  return type === undefined ? 'any value' : null;
}

function objectOf(schema: JsonSchema, components: Components, inside: readonly string[]): unknown {
  const required = (schema.required ?? []) as string[];
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>).filter(
    ([name]) => required.includes(name) || !left.includes(name),
  );
  const own = properties.map(([name, property]) => [name, exampleOf(property, components, name, inside)]);
  if (own.length > 0) return Object.fromEntries(own);
  const others = schema.additionalProperties;
  if (typeof others !== 'object' || others === null || Object.keys(others).length === 0) return {};
  return { standard: exampleOf(others as JsonSchema, components, 'standard', inside) };
}

/** Fields that a last page, or a call without a fault, lacks. */
const left = ['nextCursor', 'retryable', 'outcome'];

const moment = 1_785_542_400_000;

function numberOf({ minimum, maximum }: JsonSchema, name: string): number {
  const usual = /(At|Until|since|after|^at|^from|^to)$/.test(name)
    ? moment
    : /price|total|value|amount/i.test(name)
      ? 60
      : 2;
  const atLeast = typeof minimum === 'number' ? Math.max(minimum, usual) : usual;
  return typeof maximum === 'number' ? Math.min(maximum, atLeast) : atLeast;
}

function textOf({ pattern, minLength }: JsonSchema, name: string): string {
  if (pattern !== undefined && String(pattern) !== anyText) return byPattern(String(pattern), name);
  if (/url$/i.test(name)) return 'https://shop.example/seats';
  return (texts[name] ?? texts[name.replace(/s$/, '')] ?? 'text').padEnd(Number(minLength ?? 0), 'x');
}

/** The pattern of a text that is sound Unicode. */
const anyText = '^\\P{Surrogate}+$';

/** An id is a stand-in of its kind. A hash has as many digits as its pattern asks for. Other texts follow the name. */
function byPattern(pattern: string, name: string): string {
  const [, prefix, length] = /^\^([a-z]+_)\[0-9A-Za-z\]\{(\d+),?\}\$$/.exec(pattern) ?? [];
  if (prefix !== undefined) {
    const values = Object.values(standIn).filter((value): value is typeof standIn.hold => typeof value === 'string');
    const known = values.find((value) => value.startsWith(prefix) && new RegExp(pattern).test(value));
    return known ?? prefix + '5fQwPmT2xKc8Rb1NzYdA'.repeat(3).slice(0, Number(length));
  }
  const start = /^\^([a-z]+_)$/.exec(pattern)?.[1];
  if (start !== undefined) return `${start}c2V2ZW4gc2VhdHMgaW4gcm93IEM=`;
  const hash = /^\^\[0-9a-f\]\{(\d+)\}\$$/.exec(pattern)?.[1];
  return hash === undefined ? (texts[name] ?? 'text') : '0f'.repeat(32).slice(0, Number(hash));
}

const texts: Readonly<Record<string, string>> = {
  assetId: standIn.asset,
  bookingRef: 'order-1000',
  categoryKey: 'standard',
  channelId: standIn.channel,
  chartId: standIn.chart,
  currency: 'EUR',
  deliveryId: standIn.delivery,
  event: standIn.event,
  eventKey: standIn.event,
  holdId: standIn.hold,
  key: standIn.event,
  label: 'A-5',
  locale: 'en',
  message: 'The seats were sold.',
  name: 'Spring gala',
  objectId: 'row-a:4',
  requestId: 'req_5nQx2VbL8wTz',
  timezone: 'Europe/Vienna',
  token: standIn.groupSessionToken,
  workspaceId: standIn.workspace,
};
