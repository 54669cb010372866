/**
 * The statuses of a large event, compressed. A replica keeps their JSON as long as nothing changes, and for some
 * milliseconds during a sale. So a form is made once for this JSON, and every page that opens meanwhile shares it: an
 * on-sale asks the same version thousands of times.
 *
 * States of a form: absent → compressing (its callers wait for it together) → kept, as long as its JSON. While
 * COMPRESSING_MAX forms are being made, callers of other forms get none, and send the JSON as it is. An exception at
 * the await is a bug: its callers get it, and the form is absent again.
 */
import { type CompressedJson, encodingFor, extended, type Spelled, type SpelledBy } from '../../answers/answers.ts';

type Objects = { readonly body: Spelled<object, string> };

/** Shorter JSON is sent as it is: it fits in a few packets. */
const JSON_LENGTH_MIN = 32 * 1024;

/** Whether a form of these statuses is worth making. */
export function isLarge({ body }: Objects): boolean {
  return body.length >= JSON_LENGTH_MIN;
}

/** Whether the caller takes a form of these statuses, and they are worth one. */
export function hasObjectsForm(objects: Objects, acceptEncoding: string): boolean {
  return isLarge(objects) && encodingFor(acceptEncoding, (encoding) => encoding === 'gzip') !== null;
}

type Chart = CompressedJson<{ doc: object }>;

/** The statuses behind the chart, in gzip, without the closing brace. Null while too many others are being made. */
export function openingForm<Kept extends Objects>(
  chart: Chart,
  objects: Kept,
): Promise<CompressedJson<{ doc: object; objects: SpelledBy<Kept['body']> }>> | null {
  return formOf(objects, chart, () => `,"objects":${objects.body}`);
}

/** The statuses alone. Null while too many others are being made. */
export function objectsForm<Kept extends Objects>(
  objects: Kept,
): Promise<CompressedJson<SpelledBy<Kept['body']>>> | null {
  return formOf(objects, undefined, () => objects.body);
}

type Form = Promise<Awaited<ReturnType<typeof extended>>>;

/** By the kept JSON, then by the chart before it. */
const forms = new WeakMap<Objects, Map<Chart | undefined, Form>>();

let compressing = 0;

const COMPRESSING_MAX = 2;

function formOf(objects: Objects, chart: Chart | undefined, textOf: () => string): Form | null {
  const known = forms.get(objects) ?? new Map<Chart | undefined, Form>();
  forms.set(objects, known);
  const underWay = known.get(chart);
  if (underWay) return underWay;
  if (compressing >= COMPRESSING_MAX) return null;
  compressing++;
  const form = extended(Buffer.from(textOf()), chart).finally(() => compressing--);
  known.set(chart, form);
  // The caller hears the cause. The next caller tries anew.
  form.catch(() => known.delete(chart));
  return form;
}
