/** The subprotocols that a viewer offers: the protocol's name, a ticket, the version to resume from. Pure. */
import type { Wire } from '../../feeds/feeds.ts';

export type Offered = { protocol: string | null; ticket: string | null; resumeFrom: number | null };

const binaryProtocol = 'parterre.v1.bin';

/**
 * Reads `Sec-WebSocket-Protocol`. The chosen protocol is the first name that ends in `.v1`, or the binary protocol's
 * name.
 */
export function offered(header: string): Offered {
  const found: Offered = { protocol: null, ticket: null, resumeFrom: null };
  for (const part of header.split(',')) {
    const name = part.trim();
    if (name.startsWith('tkt.')) found.ticket ??= name.slice('tkt.'.length);
    else if (/^sv\.\d{1,15}$/.test(name)) found.resumeFrom ??= Number(name.slice('sv.'.length));
    else if (name.endsWith('.v1') || name === binaryProtocol) found.protocol ??= name;
  }
  return found;
}

/** The protocol to echo; empty if the client offered none (then no header is sent). */
export function chosenProtocol({ protocol }: Offered): string {
  return protocol ?? '';
}

export function wireOf({ protocol }: Offered): Wire {
  return protocol === binaryProtocol ? 'binary' : 'text';
}
