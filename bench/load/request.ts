/** Requests of the load generator as text. Their connections stay open. */

/** `headers` is a block of header lines, each with its end. */
export function postOf(path: string, headers: string, body: unknown): string {
  const text = JSON.stringify(body);
  const head = `Host: bench\r\n${headers}Content-Type: application/json\r\n`;
  return `POST ${path} HTTP/1.1\r\n${head}Content-Length: ${text.length}\r\n\r\n${text}`;
}

export function getOf(path: string, headers: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: bench\r\n${headers}\r\n`;
}

/** A call of the platform on an event. */
export function toEvent(token: string, event: string, action: string, body: unknown): string {
  return postOf(`/v1/events/${event}/${action}`, `Authorization: Bearer ${token}\r\n`, body);
}

/** A call of a buyer's page on an event. `token` is a session's, or a publishable key. */
export function fromPage(token: string, origin: string, event: string, action: string, body: unknown): string {
  return postOf(`/pub/events/${event}/${action}`, pageHeaders(token, origin), body);
}

export function pageHeaders(token: string, origin: string): string {
  return `Authorization: Bearer ${token}\r\nOrigin: ${origin}\r\n`;
}

/** The status of an answer. */
export function statusOf(answer: string): number {
  return Number(answer.slice(9, 12));
}

/** Throws at any other status than 200, with the code of the refusal. */
export function expectSuccess(call: string, answer: string): void {
  if (statusOf(answer) === 200) return;
  throw new Error(`${call}: ${statusOf(answer)} ${/"code":"(\w+)"/.exec(answer)?.[1] ?? ''}`);
}

/** The value of a text field of a JSON answer. The first field of this name counts, and stands in the text as it is. */
export function fieldOf(answer: string, name: string): string {
  const mark = `"${name}":"`;
  const at = answer.indexOf(mark);
  if (at < 0) throw new Error(`an answer without ${name}: ${answer.slice(0, 2_000)}`);
  return answer.slice(at + mark.length, answer.indexOf('"', at + mark.length));
}
