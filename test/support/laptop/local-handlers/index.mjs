// The fixture's functions. Each does what its event says.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { threadId } from 'node:worker_threads';

const json = (statusCode, body) => ({ statusCode, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/** Returns the event and the context. */
export const echo = async (event, context) => json(200, { event, context, remaining: context.getRemainingTimeInMillis() });

/** Behind the HTTP API: returns the JSON in the query, or misbehaves as it says. Without JSON, returns the event. */
export const visitor = async (event) => {
  const query = decodeURIComponent(event.rawQueryString.replace(/%(?![\da-f]{2})/gi, '%25'));
  if (!query.startsWith('{')) return json(200, { event });
  const wish = JSON.parse(query);
  return wish.does ? behave(wish) : wish;
};

export const environment = async () => ({ ...process.env });

let invocations = 0;
let underWay = 0;

/** Returns the `answer` in the body, or misbehaves as its `does` says. */
export const behave = async (event) => {
  const { does, answer } = event.body ? JSON.parse(event.body) : event;
  invocations++;
  if (does === 'throw') throw new TypeError('thrown on purpose');
  if (does === 'exit') process.exit(3);
  if (does === 'wait') await sleep(600_000);
  if (does === 'spin') while (true);
  if (does === 'exhaust') for (const all = []; ; ) all.push(new Array(8_000_000).fill(all.length));
  if (does === 'crash later') {
    setTimeout(() => {
      throw new Error('thrown outside of the handler');
    });
    await sleep(600_000);
  }
  if (does === 'reject unnoticed') {
    Promise.reject(new Error('rejected unnoticed'));
    await sleep(600_000);
  }
  if (does === 'answer a lot') return json(200, 'x'.repeat(answer));
  if (does === 'count') return json(200, { invocations, threadId });
  if (does === 'overlap') {
    underWay++;
    await sleep(20);
    const atOnce = underWay;
    underWay--;
    return json(200, { atOnce });
  }
  if (does === 'circle') {
    const circle = {};
    circle.circle = circle;
    return circle;
  }
  console.log('one line\nand another');
  return answer;
};

/** The token is `Token <wish>-<principal>`: the wish decides what the authorizer does. */
export const authorize = async ({ authorizationToken, methodArn }) => {
  const [wish, principalId = 'somebody'] = authorizationToken.slice('Token '.length).split('-');
  const policy = (Effect, Resource) => ({
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect, Resource }],
  });
  const call = crypto.randomUUID();
  const everything = `${methodArn.split('/').slice(0, 2).join('/')}/*`;
  const allow = { principalId, policyDocument: policy('Allow', everything), context: { call, number: 7, yes: true } };
  switch (wish) {
    case 'allow':
      return { ...allow, usageIdentifierKey: authorizationToken };
    case 'nokey':
      return allow;
    case 'only':
      return { ...allow, policyDocument: policy('Allow', methodArn) };
    case 'single':
      return { ...allow, policyDocument: policy('Allow', everything.replace('/*', '/GET/things/?')) };
    case 'deny':
      return { ...allow, policyDocument: policy('Deny', everything) };
    case 'both':
      return {
        ...allow,
        policyDocument: { Statement: [...policy('Allow', everything).Statement, ...policy('Deny', methodArn).Statement] },
      };
    case 'nothing':
      return null;
    case 'nobody':
      return { ...allow, principalId: undefined };
    case 'nested':
      return { ...allow, context: { nested: {} } };
    case 'conditional':
      return { ...allow, policyDocument: { Statement: [{ ...allow.policyDocument.Statement[0], Condition: {} }] } };
    case 'wait':
      return sleep(600_000);
    case 'exit':
      return process.exit(1);
    case 'unauthorized':
      throw new Error('Unauthorized');
    default:
      throw new Error(`no such wish: ${wish}`);
  }
};

/** Appends each batch to a file, and fails as the new images in it say. */
export const consume = async (event) => {
  const wishes = event.Records.map(({ dynamodb }) => dynamodb.NewImage?.wish?.S ?? '');
  appendFileSync(process.env.WRITTEN_DOWN, `${JSON.stringify(event)}\n`);
  if (wishes.includes('hang')) await sleep(600_000);
  if (wishes.includes('poison')) throw new Error('poison');
  const failed = event.Records.filter((_, i) => wishes[i] === 'fail').map(({ dynamodb }) => dynamodb.SequenceNumber);
  const state = { seen: (event.state?.seen ?? 0) + event.Records.length };
  return { state, batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
};

/** Returns what the modules of these names export. */
export const layered = async (names) => names.map((name) => createRequire(import.meta.url)(name));
