import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { unavailable } from '../core/errors.ts';
import { reportingDenials } from '../runtime/denials.ts';
import { instant } from '../runtime/instant.ts';
import { memory } from '../runtime/memory.ts';

/** How long a secret is cached, in milliseconds. After that, a new one is used. */
const rememberedMs = 5 * 60_000;
const remembered = memory<string>({ forMs: rememberedMs, most: 1 });

let client: SecretsManagerClient | undefined;

/**
 * The secret with which the service authenticates at the provider.
 *
 * @param arn of a secret of Secrets Manager, whose value is the secret and nothing else.
 * @throws RequestError `temporarily_unavailable` if it cannot be read
 */
export async function clientSecret(arn: string): Promise<string> {
  const now = instant();
  const known = remembered.get(arn, now);
  if (known) return known.value;
  client ??= new SecretsManagerClient({ maxAttempts: 2 });
  const { SecretString } = await reading(client, arn);
  const secret = SecretString?.trim();
  if (!secret)
    throw Object.assign(unavailable(), {
      cause: new Error('the secret of signIn.clientSecretArn must be a text that is not empty'),
    });
  remembered.set(arn, secret, now);
  return secret;
}

async function reading(from: SecretsManagerClient, SecretId: string) {
  try {
    return await reportingDenials(() =>
      from.send(new GetSecretValueCommand({ SecretId }), { abortSignal: AbortSignal.timeout(4_000) }),
    );
  } catch (error) {
    throw Object.assign(unavailable(), { cause: new Error(`signIn.clientSecretArn cannot be read: ${(error as Error).name}`) });
  }
}
