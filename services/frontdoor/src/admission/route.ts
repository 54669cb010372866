/**
 * A route is one row of a table. The row names the steps before the handler (credential, budget, body, query, event).
 * `submit` carries them out, so that a handler has only the route's own work.
 */
import type { Capability, DesignerSession } from '@parterre/shared/protocol/catalog/scope';
import type { Outcome } from '@parterre/shared/protocol/errors';
import type { CatalogClient } from '@parterre/shared/runtime/catalog-client';
import type { Clock } from '@parterre/shared/runtime/clock';
import type { Span } from '@parterre/shared/runtime/tracing';
import type { z } from 'zod';
import type { Budgets } from './budgets.ts';
import type { EventsCache } from './events-cache.ts';
import type {
  Asker,
  BuyerPrincipal,
  ConsolePrincipal,
  DashboardPrincipal,
  DesignerPrincipal,
  EditorPrincipal,
  OwnerBuyerPrincipal,
  ServerPrincipal,
} from './principal.ts';
import type { Principals } from './principals.ts';
import type { Budget } from './rules/budget.ts';
import type { ClientAddress } from './rules/client-address.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The ports of admission. Handlers get all ports of the front door. */
export type AdmissionPorts = {
  clock: Clock;
  catalog: CatalogClient;
  principals: Principals;
  events: EventsCache;
  /** Null if all budgets are lifted. */
  budgets: Budgets | null;
  largeBodies: LargeBodies;
  /** The turns of calls with many labels. */
  bulkLimiter: LargeLimiter;
  clientAddress: ClientAddress;
  onFault(error: unknown, requestId: string): void;
};

/** A turn of large work that has come. `release` ends the turn; a second call does nothing. */
export type Lease = { release(): void };

export type LargeLimiter = {
  /**
   * Waits for a turn of `tenant`, and of `session` if one is given. `deadlineAt` is in `Clock.elapsed`. The caller
   * releases the lease in every case.
   */
  acquire(tenant: string, session: string | null, deadlineAt: number): Promise<Outcome<Lease>>;
};

/** The parts of a request that its body is read by. */
export type Received = Pick<Request, 'idempotencyKey' | 'contentType' | 'body'>;

/** The fields of a body that are numbers, booleans or null. */
export type SmallFields = Readonly<Record<string, number | boolean | null>>;

/** The refusal of a body by its small fields; null if it is to be read on. */
export type Judge = (fields: SmallFields) => Promise<Outcome<never> | null>;

/** The checked value of a large body, and the hash of its bytes. */
export type BodyRead = { value: unknown; fingerprint: string };

/** The bytes of the body move to the thread: the request has none of them afterwards. */
export type BodyReader = (
  tenant: string,
  route: Row,
  request: Received,
  dropped: readonly string[],
  judge: Judge | null,
) => Promise<Outcome<BodyRead>>;

/** Large bodies and bulk calls (large-bodies.ts). */
export type LargeBodies = {
  /** From the first byte of a large body to the answer of its request. */
  receiving: LargeLimiter;
  /** Reading a large body: one at a time for a tenant. */
  work: LargeLimiter;
  /** Reads a large body away from the loop. */
  read: BodyReader;
};

/** Neither function throws. */
export type BodyReceiver = {
  /** Called once, perhaps at once. */
  onWhole(body: Outcome<Buffer>): void;
  /**
   * Called at most once, before `onWhole`, when a body without a declared length turns out to be large. The body waits
   * until `goOn`.
   */
  onLarge(bytes: number): void;
};

/** A body on its way (http/body.ts). */
export type Incoming = {
  /** Null for a body in chunks. */
  readonly declaredBytes: number | null;
  /** Hands over the whole body of an admitted caller. */
  whole(receiver: BodyReceiver): void;
  /** From now on the body has at most so many bytes, if its route does not allow fewer. */
  bound(bytesMax: number): void;
  /** The turn of a large body has come. */
  goOn(): void;
};

/** The caller as its connection shows it. `onGone` is called once when the caller goes away before the answer. */
export type Caller = { readonly gone: boolean; onGone: (() => void) | null };

/** One request. Its head is read in full before the first await, its body once the caller is admitted. */
export type Request = {
  method: Method;
  requestId: string;
  /**
   * When the request is answered at the latest, in `Clock.elapsed`. The time in which the body arrives moves the
   * deadline on.
   */
  deadlineAt: number;
  /** Values of the path's parameters, in order, decoded. */
  params: readonly string[];
  query: URLSearchParams;
  authorization: string;
  contentType: string;
  idempotencyKey: string;
  origin: string;
  ifNoneMatch: string;
  accept: string;
  acceptEncoding: string;
  host: string;
  forwardedProto: string;
  cookie: string;
  csrfToken: string;
  /** The mode that a page of the dashboard shows. [none] */
  mode?: string;
  /** The browser's name for itself. [none] */
  userAgent?: string;
  /** The caller's address, worked out when it is first asked for: most requests with a secret key never need it. */
  address(): string;
  caller: Caller;
  /** The principal, once the credential is checked. */
  asker: Asker;
  /** Of a traced request. */
  span: Span | null;
  /** The body on its way; null if there is none, or if it is read. */
  incoming: Incoming | null;
  /**
   * Empty until the body is read. Bytes of the server library, gone after the turn, unless the route keeps its body.
   */
  body: Buffer;
  /** The hash of a large body, whose bytes are with the thread that reads them. */
  fingerprint?: string;
};

/**
 * - `server`: a secret key or a dashboard session.
 * - `dashboard`: a dashboard session alone.
 * - `console`: as `server`, or the manage session of an event.
 * - `editor`: as `server`, or a designer session.
 * - `designer`: a designer session alone.
 * - `buyer`: a publishable key or a buyer's access session.
 * - `group-buyer`, `season-buyer`: a buyer's session to the group or season that the path names first.
 * - `page`: as `buyer`, or a publishable key in the body.
 */
export type Credential =
  | 'none'
  | 'operator'
  | 'server'
  | 'console'
  | 'editor'
  | 'designer'
  | 'dashboard'
  | 'buyer'
  | 'group-buyer'
  | 'season-buyer'
  | 'page';

/** A page that sends its key in the body, not in an Authorization header, needs no preflight. */
export type PageBody = { publicKey?: string | null | undefined };

type PrincipalOf = {
  none: null;
  operator: true;
  server: ServerPrincipal;
  console: ConsolePrincipal;
  editor: EditorPrincipal;
  designer: DesignerPrincipal;
  dashboard: DashboardPrincipal;
  buyer: BuyerPrincipal;
  'group-buyer': OwnerBuyerPrincipal;
  'season-buyer': OwnerBuyerPrincipal;
  page: BuyerPrincipal;
};

export type Call<Ports, K extends Credential, Body, Event, Query, Path = unknown> = {
  ports: Ports;
  request: Request;
  /** The parameters of the path, by their names in the signature. */
  path: Path;
  principal: PrincipalOf[K];
  body: Body;
  /** The output of the row's query schema. */
  query: Query;
  event: Event;
  /**
   * On idempotent routes the same for every repetition of the call; ids of new records follow from it. Null without an
   * Idempotency-Key.
   */
  callId: string | null;
};

/** A call whose body is not read yet. */
export type Judged<Ports, K extends Credential = Credential> = {
  ports: Ports;
  request: Request;
  /** The parameters of the path, by their names in the signature. */
  path: Readonly<Record<string, string>>;
  principal: PrincipalOf[K];
  fields: SmallFields;
};

/** The facts of a route, without its handler. */
export type Row = {
  /** `METHOD /path`. */
  signature: string;
  method: Method;
  /** `{name}` stands for one segment. The first parameter of an event route is the event's key. */
  path: string;
  /** The names of the path's parameters, in order. */
  parameters: readonly string[];
  credential: Credential;
  event: boolean;
  /** A manage session needs one of these capabilities; an empty list admits no manage session. */
  capabilities: readonly Capability[];
  /** The authority that a designer session needs; null admits no designer session, except on a route of `designer`. */
  authority: DesignerSession['authority'] | null;
  /** Status of success. */
  status: number;
  /** The schema of the JSON body; null for a route without a JSON body. */
  schema: z.ZodType | null;
  /** The schema of the query; null for a route without parameters. An absent parameter is `undefined` to its schema. */
  query: z.ZodObject | null;
  /**
   * The body of a success; null if it is not JSON. The schema types and describes answers. No answer is checked against
   * it at run time.
   */
  answer: z.ZodType | null;
  /** Fields of the body that are ignored when a secret key sends them. */
  droppedForKeys: readonly string[];
  /**
   * Fields of the contract that this server does not have yet, as paths. Other unknown fields are ignored, but a call
   * without the effect of one of these would do harm.
   */
  missingFields: readonly string[];
  /** The body is bytes of any content type; the handler checks them. */
  rawBody: boolean;
  /** An empty body reads as {}. */
  bodyOptional: boolean;
  /** The body is read as JSON with any content type. */
  anyType: boolean;
  bodyBytesMax: number;
  /**
   * The field of the body that is a chart document. The handler gets the document of a large body as gzipped JSON,
   * since the thread that reads the body packs it (`packDocument`).
   */
  documentField: string | null;
  budget: Budget | null;
  /** Why the route has no budget; null if it has one. */
  unbudgeted: string | null;
  /** The number of labels that a body names, where it may be large; null for other routes (bulk-calls.ts). */
  labelsIn: ((body: never) => number) | null;
  /** The time from the head of a request to its answer. */
  deadlineMs: number;
  /**
   * An Idempotency-Key names the call: a repetition gets the first answer. `required`: no call without a key, and no
   * refusal is kept.
   */
  idempotent: boolean | 'required';
};

/** A value that comes later, to one listener. */
export type Coming<T> = { hear(listener: (value: T) => void): void };

export type Route<Ports> = Row & {
  /**
   * Refuses a large body by its small fields, before the schema checks the rest. Not asked where an Idempotency-Key
   * names the call, because a repeat gets its first answer.
   */
  judgeFields?(call: Judged<Ports>): Promise<Outcome<never> | null>;
  handle(
    call: Call<Ports, Credential, unknown, unknown, unknown>,
  ): Promise<Outcome<unknown>> | Coming<Outcome<unknown>> | Outcome<unknown>;
};
