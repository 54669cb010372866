/**
 * Builds the rows of the route table. A row is declared once: its options, its query, body and answer schemas, and its
 * handler. A handler must return the output of its answer schema, or it does not compile.
 */
import type { Capability, DesignerSession } from '@parterre/shared/protocol/catalog/scope';
import type { Outcome } from '@parterre/shared/protocol/errors';
import { anonymousBodyBytesMax, bodyBytesMax, requestDeadlineMs } from '@parterre/shared/protocol/limits';
import type { z } from 'zod';
import type {
  Call as AnyCall,
  Route as AnyRoute,
  Budget,
  Coming,
  Credential,
  Judged,
  KnownEvent,
  Method,
  PageBody,
  Unbudgeted,
} from '../../admission/admission.ts';
import type { EventStream, Prepared } from '../../answers/answers.ts';
import type { Description } from '../../openapi/openapi.ts';
import { type Ports, portsOf } from './ports.ts';

/** A row of the route table with its description. */
export type Route = AnyRoute<Ports> & { description: Description };

export type Call<K extends Credential, Body = unknown, Event = null, Query = unknown, Path = unknown> = AnyCall<
  Ports,
  K,
  Body,
  Event,
  Query,
  Path
>;

type NameIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NameIn<Rest> : never;

/** The parameters of a path, by name. */
type PathOf<Signature> = { readonly [Name in NameIn<Signature>]: string };

/** A call whose path has these parameters. */
export type WithPath<Name extends string> = { readonly path: { readonly [N in Name]: string } };

/** A call on one event by a server or a console. */
export type EventCall<Body = unknown, Query = unknown> = Call<'console', Body, KnownEvent, Query>;

/** A call on one event by a buyer's page. */
export type BuyerCall<Body = unknown, Query = unknown> = Call<'buyer', Body, KnownEvent, Query>;

/** The type of a schema's output, with read-only parts allowed. */
type ReadonlyOutput<Value> = Value extends object
  ? { readonly [Name in keyof Value]: ReadonlyOutput<Value[Name]> }
  : Value;

/**
 * The success of a route: the output of its answer schema, or the same value as bytes. If the answer is not JSON: bytes
 * or a stream.
 */
export type AnswerTo<Answer> = Answer extends z.ZodType
  ? ReadonlyOutput<z.output<Answer>> | Prepared<ReadonlyOutput<z.output<Answer>>>
  : Prepared | EventStream;

export type Answering<Answer> = Promise<Outcome<AnswerTo<Answer>>>;

export type Answered<Answer> = Answering<Answer> | Coming<Outcome<AnswerTo<Answer>>> | Outcome<AnswerTo<Answer>>;

type Handler<Signature, K extends Credential, Body, Event, Query, Answer> = (
  call: Call<K, Body, Event, QueryOf<Query>, PathOf<Signature>>,
) => Answered<Answer>;

type QueryOf<Query> = Query extends z.ZodObject ? z.output<Query> : undefined;

type Options<Body, Query, Answer> = {
  /** The words of the route for the OpenAPI description. */
  description: Description;
  /** The body of a success; null if it is not JSON. */
  answer: Answer;
  query?: Query;
  body?: z.ZodType<Body>;
  status?: number;
  droppedForKeys?: readonly string[];
  missingFields?: readonly string[];
  bodyOptional?: true;
  anyType?: true;
  bodyBytesMax?: number;
  documentField?: string;
  /** Of the type that the row's credential makes it. */
  judgeFields?: unknown;
  /** Every route has a budget, or a reason to have none. */
  budget: Budget | Unbudgeted;
  /** The number of labels that a body names, where it may be large (admission/bulk-calls.ts). */
  labelsIn?(body: Body): number;
  /** For work that takes longer than `requestDeadlineMs`. */
  deadlineMs?: number;
  idempotent?: true | 'required';
  capability?: Capability | readonly Capability[];
  authority?: DesignerSession['authority'];
};

type AnyQuery = z.ZodObject | undefined;
type AnyAnswer = z.ZodType | null;

function define<Signature extends `${Method} /${string}`>(
  credential: Credential,
  event: boolean,
  signature: Signature,
  options: Options<unknown, AnyQuery, AnyAnswer>,
  handle: unknown,
  rawBody = false,
): Route {
  const [method, path] = signature.split(' ') as [Method, string];
  const isAnonymous = credential === 'none' || credential === 'page';
  return {
    signature,
    method,
    path,
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    credential,
    event,
    capabilities: listOf(options.capability),
    authority: options.authority ?? null,
    status: options.status ?? 200,
    schema: options.body ?? null,
    query: options.query ?? null,
    answer: options.answer,
    description: options.description,
    droppedForKeys: options.droppedForKeys ?? [],
    missingFields: options.missingFields ?? [],
    rawBody,
    bodyOptional: options.bodyOptional ?? false,
    anyType: options.anyType ?? false,
    bodyBytesMax: options.bodyBytesMax ?? (isAnonymous ? anonymousBodyBytesMax : bodyBytesMax),
    documentField: options.documentField ?? null,
    ...(options.judgeFields === undefined ? {} : { judgeFields: options.judgeFields as Route['judgeFields'] & {} }),
    ...budgetOf(options.budget),
    labelsIn: options.labelsIn ?? null,
    deadlineMs: options.deadlineMs ?? requestDeadlineMs,
    idempotent: options.idempotent ?? false,
    // `submit` makes the call from this row, so principal, body, query and event have the types that the row asks for.
    handle: withinDeadline(handle as Route['handle']),
  };
}

/** The handler's calls to the catalog end by the deadline of its request. */
function withinDeadline(handle: Route['handle']): Route['handle'] {
  return (call) => {
    call.ports = portsOf(call as Parameters<typeof portsOf>[0]);
    return handle(call);
  };
}

function budgetOf(budget: Budget | Unbudgeted): Pick<AnyRoute<Ports>, 'budget' | 'unbudgeted'> {
  return 'none' in budget ? { budget: null, unbudgeted: budget.none } : { budget, unbudgeted: null };
}

function listOf(capability: Options<unknown, AnyQuery, AnyAnswer>['capability']): readonly Capability[] {
  if (capability === undefined) return [];
  return typeof capability === 'string' ? [capability] : capability;
}

/** No credential. */
export function openRoute<S extends `${Method} /${string}`, Body, A extends AnyAnswer, Q extends AnyQuery = undefined>(
  signature: S,
  options: Options<Body, Q, A>,
  handle: Handler<S, 'none', Body, null, Q, A>,
): Route {
  return define('none', false, signature, options, handle);
}

/** The operator's root token. */
export function operatorRoute<
  S extends `${Method} /${string}`,
  Body,
  A extends AnyAnswer,
  Q extends AnyQuery = undefined,
>(signature: S, options: Options<Body, Q, A>, handle: Handler<S, 'operator', Body, null, Q, A>): Route {
  return define('operator', false, signature, options, handle);
}

/** A dashboard session. */
export function dashboardRoute<
  S extends `${Method} /${string}`,
  Body,
  A extends AnyAnswer,
  Q extends AnyQuery = undefined,
>(signature: S, options: Options<Body, Q, A>, handle: Handler<S, 'dashboard', Body, null, Q, A>): Route {
  return define('dashboard', false, signature, options, handle);
}

/** As `dashboardRoute`, with bytes as the body. */
export function dashboardUploadRoute<
  S extends `POST /v1/${string}`,
  A extends AnyAnswer,
  Q extends AnyQuery = undefined,
>(
  signature: S,
  options: Omit<Options<Buffer, Q, A>, 'body' | 'bodyOptional' | 'anyType' | 'idempotent'> & { bodyBytesMax: number },
  handle: Handler<S, 'dashboard', Buffer, null, Q, A>,
): Route {
  return define('dashboard', false, signature, options, handle, true);
}

/** A secret key or a dashboard session. */
export function serverRoute<
  S extends `${Method} /${string}`,
  Body,
  A extends AnyAnswer,
  Q extends AnyQuery = undefined,
>(signature: S, options: Options<Body, Q, A>, handle: Handler<S, 'server', Body, null, Q, A>): Route {
  return define('server', false, signature, options, handle);
}

/** A secret key, a dashboard session, or a designer session of the chart that the path names. */
export function editorRoute<
  S extends `${Method} /v1/charts/{id}${string}`,
  Body,
  A extends AnyAnswer,
  Q extends AnyQuery = undefined,
>(
  signature: S,
  options: Options<Body, Q, A> & {
    authority: DesignerSession['authority'];
    judgeFields?: (call: Judged<Ports, 'editor'>) => Promise<Outcome<never> | null>;
  },
  handle: Handler<S, 'editor', Body, null, Q, A>,
): Route {
  return define('editor', false, signature, options, handle);
}

/** A designer session. The route is about the session itself. */
export function designerRoute<
  S extends `${Method} /v1/designer/${string}`,
  Body,
  A extends AnyAnswer,
  Q extends AnyQuery = undefined,
>(signature: S, options: Options<Body, Q, A>, handle: Handler<S, 'designer', Body, null, Q, A>): Route {
  return define('designer', false, signature, options, handle);
}

/**
 * A secret key or a dashboard session; also a manage session if the row names a capability. The first parameter of the
 * path names an event in the caller's scope.
 */
export function eventRoute<
  S extends `${Method} /v1/events/{key}${string}`,
  Body,
  A extends AnyAnswer,
  Q extends AnyQuery = undefined,
>(signature: S, options: Options<Body, Q, A>, handle: Handler<S, 'console', Body, KnownEvent, Q, A>): Route {
  return define('console', true, signature, options, handle);
}

/** As `eventRoute`, with bytes as the body. */
export function eventUploadRoute<S extends `PUT /v1/events/{key}${string}`, A extends AnyAnswer>(
  signature: S,
  options: Pick<Options<Buffer, undefined, A>, 'answer' | 'budget' | 'description'> & {
    bodyBytesMax: number;
    capability?: Capability;
  },
  handle: Handler<S, 'console', Buffer, KnownEvent, undefined, A>,
): Route {
  return define('console', true, signature, options, handle, true);
}

/** As `eventRoute`, with lines of a file as the body. */
export function eventLinesRoute<
  S extends `POST /v1/events/{key}${string}`,
  A extends AnyAnswer,
  Q extends AnyQuery = undefined,
>(
  signature: S,
  options: Omit<Options<Buffer, Q, A>, 'body' | 'bodyOptional' | 'anyType'> & { bodyBytesMax: number },
  handle: Handler<S, 'console', Buffer, KnownEvent, Q, A>,
): Route {
  return define('console', true, signature, options, handle, true);
}

/** As `serverRoute`, with lines of JSON as the body. */
export function serverLinesRoute<S extends `POST /v1/${string}`, A extends AnyAnswer, Q extends AnyQuery = undefined>(
  signature: S,
  options: Omit<Options<Buffer, Q, A>, 'body' | 'bodyOptional' | 'anyType' | 'idempotent'> & { bodyBytesMax: number },
  handle: Handler<S, 'server', Buffer, null, Q, A>,
): Route {
  return define('server', false, signature, options, handle, true);
}

/** A publishable key as bearer or in the body, or a buyer's access session. Each is valid from its origin only. */
export function pageRoute<
  S extends `${Method} /pub/${'events' | 'performance-groups' | 'seasons'}/{key}${string}`,
  Body extends PageBody,
  A extends AnyAnswer,
  Q extends AnyQuery = undefined,
>(
  signature: S,
  options: Options<Body, Q, A> & { body: z.ZodType<Body> },
  handle: Handler<S, 'page', Body, null, Q, A>,
): Route {
  return define('page', false, signature, options, handle);
}

/**
 * A publishable key or a buyer's access session, each from its origin. The path names an event of the key's
 * organisation and mode, or the session's event.
 */
export function buyerRoute<
  S extends `${Method} /pub/events/{key}${string}`,
  Body,
  A extends AnyAnswer,
  Q extends AnyQuery = undefined,
>(signature: S, options: Options<Body, Q, A>, handle: Handler<S, 'buyer', Body, KnownEvent, Q, A>): Route {
  return define('buyer', true, signature, options, handle);
}

/** A buyer's session to the performance group or season that the path names. */
export function ownerBuyerRoute<
  S extends `${Method} /pub/${'performance-groups' | 'seasons'}/{key}${string}`,
  Body,
  A extends AnyAnswer,
  Q extends AnyQuery = undefined,
>(signature: S, options: Options<Body, Q, A>, handle: Handler<S, 'group-buyer', Body, null, Q, A>): Route {
  const isOfGroup = signature.includes(' /pub/performance-groups/');
  return define(isOfGroup ? 'group-buyer' : 'season-buyer', false, signature, options, handle);
}
