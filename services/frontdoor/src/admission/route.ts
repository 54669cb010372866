/**
 * A route is one row of a table. `submit` does what the row asks for (credential, budget, body, query, event), so that a handler says only
 * what the route means.
 */
import type { Capability, DesignerSession } from '@parterre/shared/catalog/scope';
import type { CatalogClient } from '@parterre/shared/catalog-client';
import type { Outcome } from '@parterre/shared/errors';
import type { z } from 'zod';
import type { Budget } from './budget.ts';
import type { Budgets } from './budgets.ts';
import type { ClientAddress } from './client-address.ts';
import type { EventsCache } from './events-cache.ts';
import type {
  BuyerPrincipal,
  ConsolePrincipal,
  DashboardPrincipal,
  EditorPrincipal,
  Principals,
  ServerPrincipal,
} from './principals.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Admission works with these. Handlers get whatever else the ports of the front door have. */
export type AdmissionPorts = {
  catalog: CatalogClient;
  principals: Principals;
  events: EventsCache;
  /** Null when budgets are lifted. */
  budgets: Budgets | null;
  clientAddress: ClientAddress;
  onFault(error: unknown, requestId: string): void;
};

/** One request, read whole before anything is awaited. */
export type Request = {
  method: Method;
  requestId: string;
  /** Values of the path's parameters, in order, decoded. */
  params: readonly string[];
  query: URLSearchParams;
  authorization: string;
  contentType: string;
  idempotencyKey: string;
  origin: string;
  ifNoneMatch: string;
  accept: string;
  host: string;
  forwardedProto: string;
  cookie: string;
  csrfToken: string;
  /** Only read where a budget counts by address; else empty. */
  address: string;
  body: Buffer;
};

/**
 * - `server`: a secret key or a dashboard session.
 * - `dashboard`: a dashboard session alone.
 * - `console`: as `server`, or the manage session of an event.
 * - `editor`: as `server`, or a designer session.
 * - `buyer`: a publishable key or a buyer's access session.
 * - `page`: as `buyer`, or a publishable key in the body.
 */
export type Credential = 'none' | 'operator' | 'server' | 'console' | 'editor' | 'dashboard' | 'buyer' | 'page';

/** A page may send the key in its body in place of an Authorization header, and so needs no preflight. */
export type PageBody = { publicKey?: string | null | undefined };

type PrincipalOf = {
  none: null;
  operator: true;
  server: ServerPrincipal;
  console: ConsolePrincipal;
  editor: EditorPrincipal;
  dashboard: DashboardPrincipal;
  buyer: BuyerPrincipal;
  page: BuyerPrincipal;
};

export type Call<Ports, K extends Credential, Body, Event, Query> = {
  ports: Ports;
  request: Request;
  principal: PrincipalOf[K];
  body: Body;
  /** The output of the row's query schema. */
  query: Query;
  event: Event;
  /** On idempotent routes the same for every repetition of the call: ids of new records follow from it. Null without an Idempotency-Key. */
  callId: string | null;
};

/** The facts of a route, without its handler. */
export type Row = {
  /** `METHOD /path`. */
  signature: string;
  method: Method;
  /** `{name}` stands for one segment; the first of an event route is the event's key. */
  path: string;
  credential: Credential;
  event: boolean;
  /** A manage session needs one of these. No manage session may call a route without any. */
  capabilities: readonly Capability[];
  /** A designer session needs this authority or more; null: no designer session may call the route. */
  authority: DesignerSession['authority'] | null;
  /** Status of success. */
  status: number;
  /** The JSON body; null where the route takes none. */
  schema: z.ZodType | null;
  /** The parameters of the query; null where the route reads none. A parameter without a value is `undefined` to its schema. */
  query: z.ZodObject | null;
  /** The body of a success; null where it is not JSON. It describes answers and types them: no answer is checked by it. */
  answer: z.ZodType | null;
  /** Fields of the body that are ignored when a secret key sends them. */
  droppedForKeys: readonly string[];
  /** The body is bytes, whatever its type says; the handler looks at them. */
  rawBody: boolean;
  /** No body at all reads as {}. */
  bodyOptional: boolean;
  /** The body is read as JSON, whatever its media type. */
  anyType: boolean;
  bodyBytesMax: number;
  budget: Budget | null;
  /** An Idempotency-Key names the call: a repetition gets the first answer. */
  idempotent: boolean;
};

export type Route<Ports> = Row & {
  handle(call: Call<Ports, Credential, unknown, unknown, unknown>): Promise<Outcome<unknown>> | Outcome<unknown>;
};
