/**
 * What a route is: one row of a table. `submit` does for every route what its row asks (credential, budget, body,
 * event), so that a handler only says what the route means.
 */
import type { Capability, DesignerSession } from '@parterre/shared/catalog/scope';
import type { Outcome } from '@parterre/shared/errors';
import { bodyBytesMax } from '@parterre/shared/limits';
import type { z } from 'zod';
import type { Ports } from '../ports.ts';
import type { Budget } from './budget.ts';
import type { KnownEvent } from './events-cache.ts';
import type {
  BuyerPrincipal,
  ConsolePrincipal,
  DashboardPrincipal,
  EditorPrincipal,
  ServerPrincipal,
} from './principals.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

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
 * `server` is a secret key or a dashboard session, `dashboard` a session alone, `console` what `server` is or the manage session of an
 * event, `editor` what `server` is or a designer session, `buyer` a publishable key or a buyer's access session, `page` the same, or a
 * publishable key in the body.
 */
export type Credential = 'none' | 'operator' | 'server' | 'console' | 'editor' | 'dashboard' | 'buyer' | 'page';

/** What a page may send in place of an Authorization header, so that it needs no preflight. */
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

export type Call<K extends Credential, Body, Event> = {
  ports: Ports;
  request: Request;
  principal: PrincipalOf[K];
  body: Body;
  event: Event;
  /** On idempotent routes: the same for every repetition of the call; ids of what it makes follow from it. Null where nobody named it. */
  callId: string | null;
};

export type Route = {
  method: Method;
  /** `{name}` stands for one segment; the first of an event route is the event's key. */
  path: string;
  credential: Credential;
  event: boolean;
  /** What a manage session must be able to, any of these; none: no manage session may come here. */
  capabilities: readonly Capability[];
  /** How far the authority of a designer session must go; null: no designer session may come here. */
  authority: DesignerSession['authority'] | null;
  /** Status of success. */
  status: number;
  /** What a JSON body must be; null where there is none. */
  schema: z.ZodType | null;
  /** Fields of the body that mean nothing where a secret key sends it, whatever they hold. */
  droppedForKeys: readonly string[];
  /** The body is bytes, whatever its type says; the handler looks at them. */
  rawBody: boolean;
  /** No body at all reads as {}. */
  bodyOptional: boolean;
  /** The body is read as JSON whatever type it is said to be. */
  anyType: boolean;
  bodyBytesMax: number;
  budget: Budget | null;
  /** An Idempotency-Key names the call: repeating it gives the first answer. */
  idempotent: boolean;
  handle(call: Call<Credential, unknown, unknown>): Promise<Outcome<unknown>> | Outcome<unknown>;
};

type Options<Body> = {
  status?: number;
  body?: z.ZodType<Body>;
  droppedForKeys?: readonly string[];
  bodyOptional?: true;
  anyType?: true;
  bodyBytesMax?: number;
  budget?: Budget;
  idempotent?: true;
  capability?: Capability | readonly Capability[];
  authority?: DesignerSession['authority'];
};

type Handler<K extends Credential, Body, Event> = (
  call: Call<K, Body, Event>,
) => Promise<Outcome<unknown>> | Outcome<unknown>;

function define<K extends Credential, Body, Event>(
  credential: K,
  event: boolean,
  signature: `${Method} /${string}`,
  options: Options<Body>,
  handle: Handler<K, Body, Event>,
  rawBody = false,
): Route {
  const [method, path] = signature.split(' ') as [Method, string];
  return {
    method,
    path,
    credential,
    event,
    capabilities: listOf(options.capability),
    authority: options.authority ?? null,
    status: options.status ?? 200,
    schema: options.body ?? null,
    droppedForKeys: options.droppedForKeys ?? [],
    rawBody,
    bodyOptional: options.bodyOptional ?? false,
    anyType: options.anyType ?? false,
    bodyBytesMax: options.bodyBytesMax ?? bodyBytesMax,
    budget: options.budget ?? null,
    idempotent: options.idempotent ?? false,
    // `submit` makes the call from this very row, so that principal, body and event are what the row asked for.
    handle: handle as Route['handle'],
  };
}

function listOf(capability: Options<unknown>['capability']): readonly Capability[] {
  if (capability === undefined) return [];
  return typeof capability === 'string' ? [capability] : capability;
}

/** No credential. */
export function openRoute<Body>(
  signature: `${Method} /${string}`,
  options: Options<Body>,
  handle: Handler<'none', Body, null>,
): Route {
  return define('none', false, signature, options, handle);
}

/** The operator's root token. */
export function operatorRoute<Body>(
  signature: `${Method} /${string}`,
  options: Options<Body>,
  handle: Handler<'operator', Body, null>,
): Route {
  return define('operator', false, signature, options, handle);
}

/** A dashboard session. */
export function dashboardRoute<Body>(
  signature: `${Method} /${string}`,
  options: Options<Body>,
  handle: Handler<'dashboard', Body, null>,
): Route {
  return define('dashboard', false, signature, options, handle);
}

/** A secret key or a dashboard session. */
export function serverRoute<Body>(
  signature: `${Method} /${string}`,
  options: Options<Body>,
  handle: Handler<'server', Body, null>,
): Route {
  return define('server', false, signature, options, handle);
}

/** A secret key, a dashboard session or a designer session of the chart that the path names. */
export function editorRoute<Body>(
  signature: `${Method} /v1/charts/{id}${string}`,
  options: Options<Body> & { authority: DesignerSession['authority'] },
  handle: Handler<'editor', Body, null>,
): Route {
  return define('editor', false, signature, options, handle);
}

/** A secret key, a dashboard session or, where a capability is named, a manage session; and an event in its scope named first in the path. */
export function eventRoute<Body>(
  signature: `${Method} /v1/events/{key}${string}`,
  options: Options<Body>,
  handle: Handler<'console', Body, KnownEvent>,
): Route {
  return define('console', true, signature, options, handle);
}

/** The same, with bytes as its body. */
export function eventUploadRoute(
  signature: `PUT /v1/events/{key}${string}`,
  options: { bodyBytesMax: number; capability?: Capability },
  handle: Handler<'console', Buffer, KnownEvent>,
): Route {
  return define('console', true, signature, options, handle, true);
}

/** A publishable key as bearer or in the body, or a buyer's access session, each with its origin. */
export function pageRoute<Body extends PageBody>(
  signature: `${Method} /pub/events/{key}${string}`,
  options: Options<Body> & { body: z.ZodType<Body> },
  handle: Handler<'page', Body, null>,
): Route {
  return define('page', false, signature, options, handle);
}

/** A publishable key or a buyer's access session, each with its origin; and an event of its organisation and mode, or the session's. */
export function buyerRoute<Body>(
  signature: `${Method} /pub/events/{key}${string}`,
  options: Options<Body>,
  handle: Handler<'buyer', Body, KnownEvent>,
): Route {
  return define('buyer', true, signature, options, handle);
}
