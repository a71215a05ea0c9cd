import { optionalSetting, setting } from '../runtime/settings.ts';

/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. A function on Lambda gets its credentials only from the
 * environment, and the other providers would add 139 kB to its bundle.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export const defaultProvider = () => async () => ({
  accessKeyId: setting('AWS_ACCESS_KEY_ID'),
  secretAccessKey: setting('AWS_SECRET_ACCESS_KEY'),
  ...sessionToken(),
});

function sessionToken() {
  const token = optionalSetting('AWS_SESSION_TOKEN');
  return token ? { sessionToken: token } : {};
}
