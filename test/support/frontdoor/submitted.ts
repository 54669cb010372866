/** The answer of a request that a test hands to the admission, as a promise. */
import type { AdmissionPorts, Request, Route } from '../../../services/frontdoor/src/admission/route.ts';
import { submit } from '../../../services/frontdoor/src/admission/submit.ts';
import type { Answer } from '../../../services/frontdoor/src/answers/answer.ts';

/** Rejects with the exception of a step. */
export function submitted<Ports extends AdmissionPorts>(
  ports: Ports,
  route: Route<Ports>,
  request: Request,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    submit(ports, route, request, { onAnswer: (answer) => resolve(answer as Answer), onFault: reject });
  });
}
