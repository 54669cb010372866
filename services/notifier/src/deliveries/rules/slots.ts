/**
 * Whose turn it is to post: bounds the posts under way over all endpoints and to each one, and the deliveries that wait
 * for them, so that a receiver that hangs takes no other endpoint's place (I8). Bounds are those of one notifier. An
 * endpoint begins with one place and gets one more with each post that succeeds: those that hang are known by nothing else
 * until their first post ends, as when a notifier starts and finds their backlogs. One whose last post failed begins
 * anew, and all such together get a share of the places, so that however many hang there is room for those that do not.
 * Places that come free go round the waiting endpoints, and within one endpoint those who asked first come first.
 *
 * Who asks is steady or not. What waits in a queue of its own is steady: its reader asks for one turn at a time and waits as
 * long as it takes. What comes from the journal or a lane is not: it is turned away when it has waited for `waitMsMax`,
 * when too many wait, or when its endpoint fails: how long a line may be is a matter of time, as an endpoint may be quick.
 */
export type TurnLimits = {
  total: number;
  perEndpoint: number;
  /** Of them at first, and after a failure. */
  perEndpointAtFirst: number;
  /** All failing endpoints together. */
  failing: number;
  /** How long one that is not steady waits. */
  waitMsMax: number;
  /** Those that wait for one endpoint, whatever it takes. */
  waiting: number;
  /** Endpoints at rest whose last post is remembered. */
  remembered: number;
};

type Waiting = { start: () => void; turnAway: () => void; since: number; isSteady: boolean };

type Endpoint = {
  posting: number;
  places: number;
  failing: boolean;
  waiting: Waiting[];
};

export type Turns = {
  /** Steady: calls `start` when it is the endpoint's turn, at once if it may, or `turnAway` when all are turned away. */
  wait(endpoint: string, start: () => void, turnAway: () => void, now: number): void;
  /** Not steady: the same where there is room, else false. */
  ask(endpoint: string, start: () => void, turnAway: () => void, now: number): boolean;
  /** A post that had its turn has ended. Null: nothing was posted. */
  done(endpoint: string, post: { failed: boolean } | null): void;
  /** Turns away those who have waited too long; to be called again and again. */
  turnAwayLate(now: number): void;
  turnAwayAll(): void;
  /** Posts under way. */
  posting(): number;
  /** Those who are not steady and wait, at all endpoints. */
  waiting(): number;
};

export function createTurns(limits: TurnLimits): Turns {
  const { endpoints, endpointOf } = createEndpoints(limits);
  /** Endpoints with somebody waiting, in the order in which they had their turn. */
  const queue = new Map<string, Endpoint>();
  let total = 0;
  /** Of them to failing endpoints. */
  let toFailing = 0;
  let notSteady = 0;

  function wait(name: string, start: () => void, turnAway: () => void, now: number): void {
    enter(name, endpointOf(name), { start, turnAway, since: now, isSteady: true });
  }

  function ask(name: string, start: () => void, turnAway: () => void, now: number): boolean {
    const endpoint = endpointOf(name);
    const isIdle = hasPlace(endpoint) && endpoint.waiting.length === 0;
    if (!isIdle && (endpoint.failing || endpoint.waiting.length >= limits.waiting)) {
      // Wherever this one goes instead, those before it go first.
      turnAwayFrom(endpoint);
      return false;
    }
    enter(name, endpoint, { start, turnAway, since: now, isSteady: false });
    return true;
  }

  function enter(name: string, endpoint: Endpoint, waiting: Waiting): void {
    endpoint.waiting.push(waiting);
    if (!waiting.isSteady) notSteady += 1;
    queue.set(name, endpoint);
    if (mayStart(endpoint)) startNext(name, endpoint);
  }

  function done(name: string, post: { failed: boolean } | null): void {
    const endpoint = endpoints.get(name)!;
    endpoint.posting -= 1;
    total -= 1;
    if (endpoint.failing) toFailing -= 1;
    if (post) {
      if (post.failed !== endpoint.failing) toFailing += post.failed ? endpoint.posting : -endpoint.posting;
      endpoint.failing = post.failed;
      endpoint.places = post.failed ? limits.perEndpointAtFirst : Math.min(endpoint.places + 1, limits.perEndpoint);
      if (post.failed) turnAwayFrom(endpoint);
    }
    // An endpoint that starts goes to the end, where this loop meets it again, so that every free place is used.
    for (const [next, candidate] of queue) {
      if (total >= limits.total) return;
      if (mayStart(candidate)) startNext(next, candidate);
    }
  }

  /** Those who are not steady. */
  function turnAwayFrom(endpoint: Endpoint): void {
    const away = endpoint.waiting.filter(({ isSteady }) => !isSteady);
    endpoint.waiting = endpoint.waiting.filter(({ isSteady }) => isSteady);
    notSteady -= away.length;
    for (const { turnAway } of away) turnAway();
  }

  function turnAwayLate(now: number): void {
    for (const [name, endpoint] of queue) {
      const oldest = endpoint.waiting.find(({ isSteady }) => !isSteady);
      if (oldest && now - oldest.since >= limits.waitMsMax) turnAwayFrom(endpoint);
      if (endpoint.waiting.length === 0) queue.delete(name);
    }
  }

  function turnAwayAll(): void {
    const away = [...queue.values()].flatMap((endpoint) => endpoint.waiting.splice(0));
    queue.clear();
    notSteady = 0;
    for (const { turnAway } of away) turnAway();
  }

  function hasPlace({ failing, posting, places }: Endpoint): boolean {
    return posting < places && (!failing || toFailing < limits.failing);
  }

  function mayStart(endpoint: Endpoint): boolean {
    return endpoint.waiting.length > 0 && hasPlace(endpoint) && total < limits.total;
  }

  function startNext(name: string, endpoint: Endpoint): void {
    const { start, isSteady } = endpoint.waiting.shift()!;
    if (!isSteady) notSteady -= 1;
    endpoint.posting += 1;
    total += 1;
    if (endpoint.failing) toFailing += 1;
    queue.delete(name);
    if (endpoint.waiting.length > 0) queue.set(name, endpoint);
    start();
  }

  return { wait, ask, done, turnAwayLate, turnAwayAll, posting: () => total, waiting: () => notSteady };
}

function createEndpoints({ perEndpointAtFirst: places, remembered }: TurnLimits) {
  const endpoints = new Map<string, Endpoint>();

  function endpointOf(name: string): Endpoint {
    const known = endpoints.get(name);
    if (known) return known;
    const endpoint: Endpoint = { posting: 0, places, failing: false, waiting: [] };
    endpoints.set(name, endpoint);
    if (endpoints.size > remembered) forgetOne();
    return endpoint;
  }

  function forgetOne(): void {
    for (const [name, { posting, waiting }] of endpoints) {
      if (posting > 0 || waiting.length > 0) continue;
      endpoints.delete(name);
      return;
    }
  }

  return { endpoints, endpointOf };
}
