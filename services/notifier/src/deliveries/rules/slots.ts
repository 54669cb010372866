/**
 * Slots: how many attempts may be under way, in all and at each endpoint, and how many deliveries may wait for a slot
 * (I8). A receiver that hangs therefore takes no slot of another endpoint. The bounds are those of one notifier.
 *
 * An endpoint begins with one slot and earns one more with each attempt that succeeds. A hanging endpoint looks like
 * any other until its first attempt ends, for example when a notifier starts and finds backlogs. An endpoint whose last
 * attempt failed begins again with one slot. All failing endpoints together get a share of the slots, so that healthy
 * endpoints always find slots. Freed slots go round the waiting endpoints. Within an endpoint, the first to ask is the
 * first to start.
 *
 * A caller is patient or impatient. The reader of a backlog is patient: it asks for one slot at a time and waits as
 * long as it takes. A delivery from the journal or from a retry queue is impatient: it is rejected after `waitMsMax`,
 * when too many wait, or when its endpoint fails. The bound is a time because a quick endpoint soon serves many waiting
 * deliveries.
 */
export type SlotLimits = {
  /** Slots in all. */
  total: number;
  perEndpoint: number;
  /** Slots of an endpoint at first, and after a failure. */
  perEndpointAtFirst: number;
  /** Slots for all failing endpoints together. */
  failing: number;
  /** How long an impatient caller waits. */
  waitMsMax: number;
  /** Callers that wait at one endpoint, however quick it is. */
  waiting: number;
  /** Endpoints at rest whose last attempt is remembered. */
  remembered: number;
};

type WaitingStart = { start: () => void; reject: () => void; since: number; isPatient: boolean };

type Endpoint = {
  underWay: number;
  slots: number;
  failing: boolean;
  waiting: WaitingStart[];
};

export type Slots = {
  /** For a patient caller: calls `start` with a slot, at once if one is free, or `reject` in `rejectAll`. */
  acquire(endpoint: string, start: () => void, reject: () => void, now: number): void;
  /** For an impatient caller: the same, or false where the caller may not wait. */
  tryAcquire(endpoint: string, start: () => void, reject: () => void, now: number): boolean;
  /** Gives a slot back. `attempt` is null where nothing was posted. */
  free(endpoint: string, attempt: { failed: boolean } | null): void;
  /**
   * Rejects all impatient callers of an endpoint where an impatient caller has waited too long. Call this regularly.
   */
  rejectLate(now: number): void;
  rejectAll(): void;
  /** Attempts under way. */
  underWay(): number;
  /** Impatient callers that wait, at all endpoints. */
  waiting(): number;
};

export function createSlots(limits: SlotLimits): Slots {
  const { endpoints, endpointOf } = createEndpoints(limits);
  /** Endpoints where callers wait, in the order of their last start. */
  const queue = new Map<string, Endpoint>();
  let total = 0;
  /** The part of `total` at failing endpoints. */
  let toFailing = 0;
  let impatient = 0;

  function acquire(name: string, start: () => void, reject: () => void, now: number): void {
    enter(name, endpointOf(name), { start, reject, since: now, isPatient: true });
  }

  function tryAcquire(name: string, start: () => void, reject: () => void, now: number): boolean {
    const endpoint = endpointOf(name);
    const isIdle = hasFreeSlot(endpoint) && endpoint.waiting.length === 0;
    if (!isIdle && (endpoint.failing || endpoint.waiting.length >= limits.waiting)) {
      // The caller takes its delivery to the backlog. Earlier deliveries must get there first.
      rejectImpatient(endpoint);
      return false;
    }
    enter(name, endpoint, { start, reject, since: now, isPatient: false });
    return true;
  }

  function enter(name: string, endpoint: Endpoint, waiting: WaitingStart): void {
    endpoint.waiting.push(waiting);
    if (!waiting.isPatient) impatient += 1;
    queue.set(name, endpoint);
    if (mayStart(endpoint)) startNext(name, endpoint);
  }

  function free(name: string, attempt: { failed: boolean } | null): void {
    const endpoint = endpoints.get(name)!;
    endpoint.underWay -= 1;
    total -= 1;
    if (endpoint.failing) toFailing -= 1;
    if (attempt) {
      if (attempt.failed !== endpoint.failing) toFailing += attempt.failed ? endpoint.underWay : -endpoint.underWay;
      endpoint.failing = attempt.failed;
      endpoint.slots = attempt.failed ? limits.perEndpointAtFirst : Math.min(endpoint.slots + 1, limits.perEndpoint);
      if (attempt.failed) rejectImpatient(endpoint);
    }
    // An endpoint that starts an attempt goes to the end of the queue. This loop meets it again and fills every free
    // slot.
    for (const [next, candidate] of queue) {
      if (total >= limits.total) return;
      if (mayStart(candidate)) startNext(next, candidate);
    }
  }

  function rejectImpatient(endpoint: Endpoint): void {
    const rejected = endpoint.waiting.filter(({ isPatient }) => !isPatient);
    endpoint.waiting = endpoint.waiting.filter(({ isPatient }) => isPatient);
    impatient -= rejected.length;
    for (const { reject } of rejected) reject();
  }

  function rejectLate(now: number): void {
    for (const [name, endpoint] of queue) {
      const oldest = endpoint.waiting.find(({ isPatient }) => !isPatient);
      if (oldest && now - oldest.since >= limits.waitMsMax) rejectImpatient(endpoint);
      if (endpoint.waiting.length === 0) queue.delete(name);
    }
  }

  function rejectAll(): void {
    const rejected = [...queue.values()].flatMap((endpoint) => endpoint.waiting.splice(0));
    queue.clear();
    impatient = 0;
    for (const { reject } of rejected) reject();
  }

  function hasFreeSlot({ failing, underWay, slots }: Endpoint): boolean {
    return underWay < slots && (!failing || toFailing < limits.failing);
  }

  function mayStart(endpoint: Endpoint): boolean {
    return endpoint.waiting.length > 0 && hasFreeSlot(endpoint) && total < limits.total;
  }

  function startNext(name: string, endpoint: Endpoint): void {
    const { start, isPatient } = endpoint.waiting.shift()!;
    if (!isPatient) impatient -= 1;
    endpoint.underWay += 1;
    total += 1;
    if (endpoint.failing) toFailing += 1;
    queue.delete(name);
    if (endpoint.waiting.length > 0) queue.set(name, endpoint);
    start();
  }

  return { acquire, tryAcquire, free, rejectLate, rejectAll, underWay: () => total, waiting: () => impatient };
}

function createEndpoints({ perEndpointAtFirst: slots, remembered }: SlotLimits) {
  const endpoints = new Map<string, Endpoint>();

  function endpointOf(name: string): Endpoint {
    const known = endpoints.get(name);
    if (known) return known;
    const endpoint: Endpoint = { underWay: 0, slots, failing: false, waiting: [] };
    endpoints.set(name, endpoint);
    if (endpoints.size > remembered) forgetOne();
    return endpoint;
  }

  function forgetOne(): void {
    for (const [name, { underWay, waiting }] of endpoints) {
      if (underWay > 0 || waiting.length > 0) continue;
      endpoints.delete(name);
      return;
    }
  }

  return { endpoints, endpointOf };
}
