/** The result of one post. `retryAfter` is the header as the receiver sent it. */
export type PostResult =
  | { kind: 'answered'; status: number; retryAfter: string | null; responseBody: string }
  | { kind: 'failed'; error: string };

export function isDelivered(result: PostResult): boolean {
  return result.kind === 'answered' && result.status >= 200 && result.status < 300;
}
