/** Answers of the readiness check and the API description. */
import { z } from 'zod';

const up = z.literal('ok');

export const checkReadinessAnswer = z.object({ status: up, checks: z.object({ nats: up, catalog: up }) });

export const describeApiAnswer = z.looseObject({
  openapi: z.literal('3.1.1'),
  info: z.looseObject({ version: z.string() }),
});
