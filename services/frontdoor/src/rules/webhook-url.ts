/** Which addresses a webhook may be given. The notifier checks what the name resolves to when it dials. Pure. */

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What is wrong with it, or null. */
export function webhookUrlIssue(text: string, loopbackOpen: boolean): string | null {
  if (!URL.canParse(text)) return 'Not a URL.';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'A webhook address carries no credentials.';
  if (url.protocol === 'https:') return null;
  const isLoopback = url.protocol === 'http:' && loopbackHosts.has(url.hostname);
  return isLoopback && loopbackOpen ? null : 'A webhook address begins with https://.';
}
