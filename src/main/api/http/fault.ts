import { type AppError, appError, type ErrorCode } from '@contract/errors';
import { areaOf, type ErrorArea } from '../error-area';

/** A refusal: the contract's error, and its HTTP form. */
export interface Fault {
  readonly status: number;
  readonly error: AppError;
  readonly headers?: Readonly<Record<string, string>>;
}

const STATUS: Record<ErrorArea, number> = {
  input: 400,
  not_found: 404,
  conflict: 409,
  unavailable: 503,
  internal: 500,
  cancelled: 409,
  validation: 422,
  project: 422,
  workspace: 500,
  agent: 502,
  command: 500,
  step: 500,
  reference: 500,
  store: 503,
  gate: 409,
  edit: 409,
  answer: 403,
  run: 409,
  import: 422,
  secret: 422,
  forge: 502,
  host: 502,
  team: 409,
};
const STATUS_OF_CODE: Partial<Record<ErrorCode, number>> = {
  'store.disk_full': 507,
  'gate.bad_answer': 422,
  'answer.invalid': 401,
  'answer.expired': 410,
  'answer.used': 409,
  'answer.withdrawn': 410,
  'answer.too_many': 429,
};

export const faultOf = (error: AppError): Fault => ({
  status: STATUS_OF_CODE[error.code] ?? STATUS[areaOf(error.code)],
  error,
});

/** An invalid request. */
export const badRequest = (
  message: string,
  more: { status?: number; mend?: string; headers?: Record<string, string> } = {},
): Fault => ({
  status: more.status ?? 400,
  error: appError('input.invalid', message, more.mend === undefined ? {} : { mend: more.mend }),
  ...(more.headers === undefined ? {} : { headers: more.headers }),
});
