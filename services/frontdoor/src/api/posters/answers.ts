/** Answers of posters and pictures. */
import { z } from 'zod';
import { eventMeta } from '../records/records.ts';

export const changed = z.object({ meta: eventMeta });
