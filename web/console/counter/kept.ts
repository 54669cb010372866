/**
 * What outlives a reload of the page and a visit to another tab: the hold of the counter, and the fields of its sale.
 * The browser keeps it for its tab and for the user. A browser without a storage forgets it.
 */
export type SaleFields = { bookingRef: string; buyerRef: string; payment: string; note: string };
export type KeptSale = { holdId: string | null; fields: SaleFields };

export function keptSale(eventKey: string, userId: string) {
  const name = `parterre-counter/${userId}/${eventKey}`;
  return {
    read(): KeptSale | null {
      try {
        return JSON.parse(sessionStorage.getItem(name) ?? 'null') as KeptSale | null;
      } catch {
        return null;
      }
    },
    write(sale: KeptSale): void {
      try {
        sessionStorage.setItem(name, JSON.stringify(sale));
      } catch {
        // The sale goes on. A reload finds the hold by the address.
      }
    },
  };
}
