/** The address of this front door as callers see it, and addresses of its pages that answers contain. Pure. */

/** `host` is the checked Host header. A proxy that ends TLS sets X-Forwarded-Proto. */
export type PublicAddress = { host: string; forwardedProto: string };

export function baseOf({ host, forwardedProto }: PublicAddress): string {
  return `${forwardedProto.toLowerCase() === 'https' ? 'https' : 'http'}://${host}`;
}

/** Event and capability are in the fragment, which browsers send to no server. */
export function accessLinkUrl(address: PublicAddress, eventKey: string, capability: string): string {
  return `${baseOf(address)}/demo#event=${encodeURIComponent(eventKey)}&access=${capability}`;
}

/** Event and key stand in the fragment. */
export function demoPageUrl(address: PublicAddress, eventKey: string, publishableKey: string): string {
  return `${baseOf(address)}/demo#event=${encodeURIComponent(eventKey)}&key=${publishableKey}`;
}

/** `framer` is the query that names the page around the designer (framer.ts). */
export function designerUrl(address: PublicAddress, framer: string, token: string): string {
  return `${baseOf(address)}/designer?${framer}#token=${token}`;
}

/** The origin of this front door's own pages, as their browsers send it. */
export function originOf(address: PublicAddress): string {
  return new URL(baseOf(address)).origin;
}
