/** What the stacks give to functions. Each function has those that it needs. */
type Setting =
  | 'AWS_ACCESS_KEY_ID'
  | 'AWS_SECRET_ACCESS_KEY'
  | 'CLICK_DAYS'
  | 'DOMAIN_ACTIVATION'
  | 'DOMAIN_TARGET'
  | 'MAX_LINKS_PER_IMPORT'
  | 'PERMISSION'
  | 'SHORT_URL_ORIGIN'
  | 'TABLE_NAME';

/** What is set only in some places. */
type OptionalSetting = 'AWS_SESSION_TOKEN' | 'DNS_SERVERS';

/**
 * A setting that the function's environment must have. Nothing else reads the environment, and nothing does while modules load: a function
 * that lacks a setting starts, and says in its log which one.
 *
 * @throws Error with the name of what is missing: a mistake of the deployment, never of a caller.
 */
export function setting(name: Setting): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set`);
  return value;
}

/** A setting that may be missing, or empty. */
export const optionalSetting = (name: OptionalSetting): string | undefined => process.env[name] || undefined;
