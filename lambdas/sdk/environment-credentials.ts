/**
 * Takes the place of `@aws-sdk/credential-provider-node` in the bundles: a function on Lambda gets its credentials from the
 * environment and from nowhere else, and the providers for everywhere else are 130 kB of its start-up.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
 */
export const defaultProvider = () => async () => ({
  accessKeyId: required('AWS_ACCESS_KEY_ID'),
  secretAccessKey: required('AWS_SECRET_ACCESS_KEY'),
  ...(process.env.AWS_SESSION_TOKEN && { sessionToken: process.env.AWS_SESSION_TOKEN }),
});

function required(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`the environment has no ${name}`);
  return value;
}
