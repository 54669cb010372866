/**
 * A call over HTTP by a test that makes many. `fetch` takes ten times the CPU. Connections stay open, and an answer
 * comes as it is: redirects are not followed, and no content coding is asked for.
 */
import { Agent, request } from 'undici';

export type HttpRequest = { method: string; headers?: Record<string, string>; body?: string | Buffer };

export type HttpAnswer = { status: number; headers: Headers; mediaType: string; text: string };

/** A connection at rest closes here long before the server gives it up, so that no call meets a closing connection. */
const dispatcher = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 });

/** The answer. Of an endless stream the text is the first frame, and the connection closes. */
export async function ask(url: string, { method, headers = {}, body = '' }: HttpRequest): Promise<HttpAnswer> {
  const options = { dispatcher, method: method as 'GET', headers, ...(body.length > 0 && { body }) };
  const { statusCode: status, headers: received, body: content } = await request(url, options);
  const mediaType = String(received['content-type'] ?? '').split(';')[0]!;
  const text = mediaType === 'text/event-stream' ? await firstOf(content) : await content.text();
  return { status, headers: headersOf(received), mediaType, text };
}

async function firstOf(content: AsyncIterable<Buffer>): Promise<string> {
  // Leaving the loop closes the connection.
  for await (const frame of content) return frame.toString();
  return '';
}

function headersOf(received: Record<string, string | string[] | undefined>): Headers {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(received)) {
    for (const value of [values].flat()) headers.append(name, value);
  }
  return headers;
}
