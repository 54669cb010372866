/** Repeated work of an open page; each function returns its own end. */

/**
 * Calls `ask` about every `everyMs`. The pauses vary, so that pages that were opened together spread their requests.
 */
export function keepAsking(ask: () => void, everyMs: number): () => void {
  let asking: ReturnType<typeof setTimeout>;
  const later = () => {
    asking = setTimeout(
      () => {
        ask();
        later();
      },
      everyMs * (2 / 3 + (Math.random() * 2) / 3),
    );
  };
  later();
  return () => clearTimeout(asking);
}

/** Calls `then` when the browser has a network again. */
export function whenOnline(then: () => void): () => void {
  window.addEventListener('online', then);
  return () => window.removeEventListener('online', then);
}
