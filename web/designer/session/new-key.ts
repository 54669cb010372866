/** A name that nothing else has. `crypto.randomUUID` is absent on plain http, where a test deployment may be. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
