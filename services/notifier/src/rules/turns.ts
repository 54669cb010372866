/**
 * Whose turn it is to post: bounds the posts under way over all endpoints and to each one, and the deliveries that wait
 * for them, so that a receiver that hangs takes no other endpoint's place (I8). An endpoint whose last post failed
 * gets one place at a time until a post succeeds. Places that come free go round the waiting endpoints.
 */
export type TurnLimits = {
  total: number;
  perEndpoint: number;
  perFailingEndpoint: number;
  waiting: number;
  waitingFailing: number;
};

type Endpoint = { posting: number; failing: boolean; waiting: (() => void)[] };

export type Turns = {
  /** Calls `start` when it is the endpoint's turn, at once if it may. False, and never called, when too many wait. */
  ask(endpoint: string, start: () => void): boolean;
  /** A post that had its turn has ended. */
  done(endpoint: string, failed: boolean): void;
  /** Posts under way. */
  posting(): number;
};

export function createTurns(limits: TurnLimits): Turns {
  // Only endpoints with something under way or waiting: one at rest is forgotten, its failure with it.
  const endpoints = new Map<string, Endpoint>();
  let total = 0;

  function ask(name: string, start: () => void): boolean {
    const endpoint = endpoints.get(name) ?? { posting: 0, failing: false, waiting: [] };
    const room = endpoint.failing ? limits.waitingFailing : limits.waiting;
    if (endpoint.waiting.length >= room) return false;
    endpoint.waiting.push(start);
    endpoints.set(name, endpoint);
    if (mayStart(endpoint)) startNext(name, endpoint);
    return true;
  }

  function done(name: string, failed: boolean): void {
    const endpoint = endpoints.get(name)!;
    endpoint.posting -= 1;
    endpoint.failing = failed;
    total -= 1;
    if (endpoint.posting === 0 && endpoint.waiting.length === 0) endpoints.delete(name);
    // An endpoint that starts goes to the map's end, where this loop meets it again, so every free place is used.
    for (const [next, candidate] of endpoints) {
      if (total >= limits.total) return;
      if (mayStart(candidate)) startNext(next, candidate);
    }
  }

  function mayStart(endpoint: Endpoint): boolean {
    const places = endpoint.failing ? limits.perFailingEndpoint : limits.perEndpoint;
    return endpoint.waiting.length > 0 && endpoint.posting < places && total < limits.total;
  }

  function startNext(name: string, endpoint: Endpoint): void {
    const start = endpoint.waiting.shift()!;
    endpoint.posting += 1;
    total += 1;
    endpoints.delete(name);
    endpoints.set(name, endpoint);
    start();
  }

  return { ask, done, posting: () => total };
}
