/** Where callers see this front door, and the addresses of pages there that answers name. Pure. */

/** `host` is the Host header as it was checked; a proxy that ends TLS says so in X-Forwarded-Proto. */
export type PublicAddress = { host: string; forwardedProto: string };

export function baseOf({ host, forwardedProto }: PublicAddress): string {
  return `${forwardedProto.toLowerCase() === 'https' ? 'https' : 'http'}://${host}`;
}

/** All of it stands in the fragment, which no browser sends to any server. */
export function accessLinkUrl(address: PublicAddress, eventKey: string, capability: string): string {
  return `${baseOf(address)}/demo#event=${encodeURIComponent(eventKey)}&access=${capability}`;
}

export function designerUrl(address: PublicAddress, token: string): string {
  return `${baseOf(address)}/designer#token=${token}`;
}
