import { beforeEach, expect, test, vi } from 'vitest';
import { useWebServer } from '../../support/http/web-server.ts';

const server = await useWebServer();

vi.stubEnv('AWS_ENDPOINT_URL_SECRETS_MANAGER', `http://127.0.0.1:${server.port}`);
vi.stubEnv('AWS_REGION', 'eu-central-1');
vi.stubEnv('AWS_ACCESS_KEY_ID', 'id');
vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');

const arn = 'arn:aws:secretsmanager:eu-central-1:111122223333:secret:links-sign-in-AbCdEf';
const asked: unknown[] = [];
/** Answers like Secrets Manager: https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_GetSecretValue.html */
const answering = (status: number, body: object) => {
  server.answer = async (request, response) => {
    asked.push([request.headers['x-amz-target'], (await Array.fromAsync(request.setEncoding('utf8'))).join('')]);
    response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  };
};

/** A function that has just started, with an empty cache. */
async function started() {
  vi.resetModules();
  return (await import('../../../lambdas/outbound/client-secret.ts')).clientSecret;
}
beforeEach(() => {
  asked.length = 0;
});

test('The secret is read by its ARN, without a line break at the end, and cached.', async () => {
  answering(200, { ARN: arn, SecretString: 's3cret\n' });
  const clientSecret = await started();
  expect([await clientSecret(arn), await clientSecret(arn)]).toEqual(['s3cret', 's3cret']);
  expect(asked).toEqual([['secretsmanager.GetSecretValue', JSON.stringify({ SecretId: arn })]]);
});

test.for<[string, number, object]>([
  ['denied', 400, { __type: 'AccessDeniedException', Message: 'User is not authorized' }],
  ['unknown', 400, { __type: 'ResourceNotFoundException', Message: 'no such secret' }],
  ['no text', 200, { ARN: arn, SecretBinary: 'AAAA' }],
  ['empty', 200, { ARN: arn, SecretString: ' \n' }],
])(
  'A secret that is %s is an outage, whose cause only the log has, and is read again the next time.',
  async ([, status, body]) => {
    answering(status, body);
    const clientSecret = await started();
    const error = (await clientSecret(arn).catch((caught) => caught)) as Error;
    expect(error).toMatchObject({
      code: 'temporarily_unavailable',
      cause: { message: expect.stringContaining('signIn.clientSecretArn') },
    });
    expect(error.message).not.toContain('arn:');
    answering(200, { ARN: arn, SecretString: 's3cret' });
    expect(await clientSecret(arn)).toBe('s3cret');
  },
);
