/** Request bodies of resale. */
import { labelsPerSaleMax } from '@parterre/shared/limits';
import { z } from 'zod';
import { bookingRef, labels } from '../inventory/inventory.ts';
import { id } from '../records/records.ts';

export const listResaleBody = z.object({ labels: labels(labelsPerSaleMax), bookingRef });
export const removeResaleBody = z.object({ listingId: id });
