/** Environment variables that stacks, or Lambda itself, set for functions. Each function has those that it needs. */
type Setting =
  | 'ACTIVITY_TABLE_NAME'
  | 'API_URL'
  | 'AWS_ACCESS_KEY_ID'
  | 'AWS_REGION'
  | 'AWS_SECRET_ACCESS_KEY'
  | 'CERTIFICATE_SCHEDULE'
  | 'CLICK_BUCKET'
  | 'CLICK_DAYS'
  | 'DOMAIN_ACTIVATION'
  | 'DOMAIN_TARGET'
  | 'HISTORY_DAYS'
  | 'LAMBDA_TASK_ROOT'
  | 'MAX_LINKS_PER_IMPORT'
  | 'PERMISSION'
  | 'REDIRECT_API_ID'
  | 'REQUEST_BURST'
  | 'REQUEST_RATE'
  | 'SEALING_SCHEDULE'
  | 'SECRETS_TABLE_NAME'
  | 'SENDER_FUNCTION'
  | 'SENDER_SCHEDULE'
  | 'SERVED_NAMES'
  | 'SHORT_URL_ORIGIN'
  | 'SIGN_IN'
  | 'TABLE_NAME'
  | 'WAITING_CLICKS_QUEUE'
  | 'WEBHOOK_RATE'
  | 'WEBHOOK_SENDERS';

/** Environment variables that are not set everywhere. */
type OptionalSetting =
  | 'ACCESS_LOGS'
  | 'AWS_ENDPOINT_URL_DYNAMODB'
  | 'AWS_SESSION_TOKEN'
  | 'COUNTRIES'
  | 'COUNTRY_FROM'
  | 'DNS_SERVERS'
  | 'LINK_REPORTS'
  | 'MANAGED_DOMAINS'
  | 'METRICS'
  | 'SIGN_IN_OFFERED'
  | 'UNIQUE_CLICKS'
  | 'WEBHOOK_LOOPBACK';

/**
 * A setting that the function's environment must have. Functions read the environment only in this file, and not while
 * modules load. So a function without a setting still starts, and logs which one is missing.
 *
 * @throws Error with the name of the missing setting, which is a deployment error.
 */
export function setting(name: Setting): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set`);
  return value;
}

/** What a client assumes, because only the service knows these settings. */
const permissive: Partial<Record<OptionalSetting, string>> = { COUNTRIES: 'known', WEBHOOK_LOOPBACK: 'allowed' };

let isPermissive = false;

/** A setting that may be missing or empty. */
export const optionalSetting = (name: OptionalSetting): string | undefined =>
  (isPermissive ? permissive[name] : process.env[name]) || undefined;

/**
 * Runs a check of the API's rules outside the service, with the most permissive settings: countries are known, and
 * webhooks may go to this machine.
 */
export function withPermissiveSettings<T>(work: () => T): T {
  isPermissive = true;
  try {
    return work();
  } finally {
    isPermissive = false;
  }
}

/** The names under which the redirect answers, in the form that `isServed` expects. */
export const servedNames = (): readonly string[] => setting('SERVED_NAMES').split(' ');
