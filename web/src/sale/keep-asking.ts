/** What a page does for as long as it is open; each is ended by what it gives. */

/** Asks again and again, about as often as said: pages that were opened together do not ask together. */
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

/** The browser has a network again. */
export function whenOnline(then: () => void): () => void {
  window.addEventListener('online', then);
  return () => window.removeEventListener('online', then);
}
