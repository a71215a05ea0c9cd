import { expect, test } from 'vitest';
import { authorization } from '../../../../lambdas/store/table/signature.ts';

// AWS's Signature Version 4 test suite, for requests without a query and with a normal path
// (https://github.com/awslabs/aws-c-auth/tree/main/tests/aws-signing-test-suite/v4). Its names, and its signatures. Where
// a header comes several times, or has spaces to trim, its value is here as the caller has to pass it: joined and trimmed.

const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const scope = { amzDate: '20150830T123600Z', region: 'us-east-1', service: 'service' };
const stsToken =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';
const form = {
  'content-length': '13',
  'x-amz-content-sha256': '9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e',
};

type Case = {
  readonly name: string;
  readonly method: string;
  readonly path?: string;
  /** The headers besides the host and the date. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signature: string;
};

const cases: readonly Case[] = [
  { name: 'get-vanilla', method: 'GET', signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31' },
  {
    name: 'get-header-key-duplicate',
    method: 'GET',
    headers: { 'my-header1': 'value2,value2,value1' },
    signature: 'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  },
  {
    name: 'get-header-value-multiline',
    method: 'GET',
    headers: { 'my-header1': 'value1 value2 value3' },
    signature: 'cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd',
  },
  {
    name: 'get-header-value-order',
    method: 'GET',
    headers: { 'my-header1': 'value4,value1,value3,value2' },
    signature: '08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01',
  },
  {
    name: 'get-header-value-trim',
    method: 'GET',
    headers: { 'my-header1': 'value1', 'my-header2': '"a b c"' },
    signature: 'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  },
  // The token is added after signing.
  {
    name: 'post-sts-header-after',
    method: 'POST',
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  { name: 'post-vanilla', method: 'POST', signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b' },
  {
    name: 'post-header-key-sort',
    method: 'POST',
    headers: { 'my-header1': 'value1' },
    signature: 'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  },
  {
    name: 'post-header-value-case',
    method: 'POST',
    headers: { 'my-header1': 'VALUE1' },
    signature: 'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  },
  {
    name: 'post-sts-header-before',
    method: 'POST',
    headers: { 'x-amz-security-token': stsToken },
    signature: '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  },
  {
    name: 'post-x-www-form-urlencoded',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...form },
    body: 'Param1=value1',
    signature: 'd3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b',
  },
  {
    name: 'post-x-www-form-urlencoded-parameters',
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', ...form },
    body: 'Param1=value1',
    signature: '328d1b9eaadca9f5818ef05e8392801e091653bafec24fcab71e7344e7f51422',
  },
  {
    name: 'get-vanilla-with-session-token',
    method: 'GET',
    headers: { 'x-amz-security-token': '6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267' },
    signature: '07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8',
  },
  {
    name: 'get-unreserved',
    method: 'GET',
    path: '/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    signature: '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  },
];

test.for(cases)(
  "A request gets the signature of AWS's test suite: $name.",
  ({ method, path = '/', headers = {}, body = '', signature }) => {
    const all = { host: 'example.amazonaws.com', 'x-amz-date': scope.amzDate, ...headers };
    const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1)));
    const names = Object.keys(sorted).join(';');
    expect(authorization({ method, path, headers: sorted, body }, credentials, scope)).toBe(
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${names}, Signature=${signature}`,
    );
  },
);

test('A signature uses its own secret, day, region and service, whatever was signed before.', () => {
  const request = { method: 'POST', path: '/', headers: { host: 'host' }, body: '' };
  const others = [
    [{ ...credentials, secretAccessKey: 'other' }, scope],
    [credentials, { ...scope, amzDate: '20150831T123600Z' }],
    [credentials, { ...scope, region: 'eu-central-1' }],
    [credentials, { ...scope, service: 'dynamodb' }],
  ] as const;
  const first = authorization(request, credentials, scope);
  const signatures = others.map(([who, where]) => authorization(request, who, where));
  expect(new Set([first, ...signatures]).size).toBe(5);
  expect(authorization(request, credentials, scope)).toBe(first);
});
