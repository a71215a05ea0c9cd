/** What the stacks give to functions; each function has those that it needs. */
type Setting =
  | 'TABLE_NAME'
  | 'PERMISSION'
  | 'MAX_LINKS_PER_IMPORT'
  | 'SHORT_URL_ORIGIN'
  | 'CLICK_DAYS'
  | 'DOMAIN_TARGET'
  | 'DOMAIN_ACTIVATION';

/**
 * A setting that the function's environment must have.
 *
 * @throws Error with the name of what is missing: a mistake of the deployment, never of a caller.
 */
export function setting(name: Setting): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment has no ${name}`);
  return value;
}
