import { optionalSetting, setting } from '../runtime/settings.ts';

/**
 * Takes the place of `@aws-sdk/credential-provider-node` in the bundles: a function on Lambda gets its credentials from the
 * environment and from nowhere else, and the providers for everywhere else are 130 kB of its start-up.
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
