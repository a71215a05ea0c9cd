/** An error of a call to AWS, as the SDK reports it. */
export type ServiceError = Error & { $metadata?: { httpStatusCode?: number }; code?: string };

const ambiguousNames = new Set(['AbortError', 'InternalServerError', 'TimeoutError', 'TransactionInProgressException']);

/**
 * True if a failure leaves open whether the call was executed: a fault of the service, a network error (`ECONNRESET`,
 * `EAI_AGAIN`, …), or a response that isn't HTTP (`HPE_INVALID_CONSTANT`, …).
 */
export const leavesOpen = (error: ServiceError): boolean =>
  ambiguousNames.has(error.name) ||
  (error.$metadata?.httpStatusCode ?? 0) >= 500 ||
  /^(E(?!RR_)|HPE_)[A-Z_]+$/.test(error.code ?? '');
