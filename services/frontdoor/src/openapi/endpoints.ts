/**
 * An endpoint is a row of the route table and its description. If a row lacks a description, or a description lacks a
 * row, the front door does not start.
 */
import { Fault } from '@parterre/shared/errors';
import type { z } from 'zod';
import type { Row } from '../admission/admission.ts';
import type { Description } from './description.ts';

/** A room's input to the generator. */
export type Room = {
  routes: readonly Row[];
  /** By the signature of their route. */
  descriptions: Readonly<Record<string, Description>>;
  /** Schemas that have their own name in the description. */
  schemas: Readonly<Record<string, z.ZodType>>;
};

/** Joins the parts of a room. Does not compile if a route has no description, or a description no route. */
export function room<const Routes extends readonly Row[], Described extends DescriptionsOf<Routes>>(
  routes: Routes,
  descriptions: Described & Record<Exclude<keyof Described, Routes[number]['signature']>, never>,
  schemas: Readonly<Record<string, z.ZodType>> = {},
): { routes: Routes; descriptions: Described; schemas: Readonly<Record<string, z.ZodType>> } {
  return { routes, descriptions, schemas };
}

type DescriptionsOf<Routes extends readonly Row[]> = Readonly<Record<Routes[number]['signature'], Description>>;

export type Endpoint = { row: Row; description: Description };

/** Throws a `Fault` for a row without a description, a description without a row, and two rows of one signature. */
export function endpointsOf(rooms: readonly Room[]): Endpoint[] {
  const endpoints = rooms.flatMap(({ routes, descriptions }) => {
    const signatures = new Set(routes.map(({ signature }) => signature));
    const strays = Object.keys(descriptions).filter((signature) => !signatures.has(signature));
    if (strays.length > 0) throw new Fault(`describe ${strays.join(', ')}: no such route`);
    return routes.map((row) => ({ row, description: descriptionOf(row, descriptions) }));
  });
  const all = endpoints.map(({ row }) => row.signature);
  const twice = all.filter((signature, index) => all.indexOf(signature) !== index);
  if (twice.length > 0) throw new Fault(`add the routes ${twice.join(', ')}: there are two of each`);
  return endpoints;
}

function descriptionOf({ signature }: Row, descriptions: Room['descriptions']): Description {
  const description = Object.hasOwn(descriptions, signature) ? descriptions[signature] : undefined;
  if (!description) throw new Fault(`describe ${signature}: its room has no description of it`);
  return description;
}
