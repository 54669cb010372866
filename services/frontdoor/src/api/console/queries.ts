/** The query of the control room. */
import { z } from 'zod';
import { clamped } from '../calls/calls.ts';

export const controlRoomQuery = z.object({
  window: clamped('Minutes that velocity looks back: 5 to 60, 15 if absent. Clamped.', z.string(), {
    usual: 15,
    least: 5,
    most: 60,
  }),
});
