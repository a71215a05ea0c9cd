import { ApiGatewayV2Client, CreateApiCommand, CreateStageCommand } from '@aws-sdk/client-apigatewayv2';
import {
  deleteCertificate,
  describeCertificate,
  ownCertificatesFor,
  requestCertificate,
} from '../../lambdas/outbound/certificates.ts';
import {
  allGatewayNames,
  changeCertificate,
  deleteGatewayName,
  deleteMapping,
  getGatewayName,
  makeGatewayName,
  mappingsOf,
  mapToRedirect,
} from '../../lambdas/outbound/domain-names.ts';
import { newTrials } from './steps.ts';

// The calls with which `manage-domains` makes and removes certificates and custom domain names, one after the other,
// against the emulator in the environment. A separate program, because a client keeps its first endpoint.

const host = 'go.judge.example';
const made = { domainId: 'judge', attempt: 'one' };
const other = { domainId: 'judge', attempt: 'two' };

const { results, step } = newTrials();

function expect(isRight: boolean, message: string): asserts isRight {
  if (!isRight) throw new Error(message);
}

const gateway = new ApiGatewayV2Client({});
const { ApiId = '' } = await gateway.send(new CreateApiCommand({ Name: 'judge', ProtocolType: 'HTTP' }));
await gateway.send(new CreateStageCommand({ ApiId, StageName: '$default', AutoDeploy: true }));
process.env.REDIRECT_API_ID = ApiId;

let first = '';
let second = '';
await step('certificate: request', async () => {
  first = await requestCertificate(host, made);
  second = await requestCertificate(host, other);
  expect(first !== second, 'two tokens get the same certificate');
  return undefined;
});
await step('certificate: token', async () => {
  const again = await requestCertificate(host, made);
  if (again !== first) await deleteCertificate(again);
  expect(again === first, 'the same token gets another certificate');
  return undefined;
});
await step('certificate: record', async () => {
  const { Name, Value, Type } =
    (await describeCertificate(first))?.DomainValidationOptions?.[0]?.ResourceRecord ?? ({} as Record<string, undefined>);
  expect(Type === 'CNAME' && Name !== undefined && Value !== undefined, 'the CNAME is missing');
  return undefined;
});
await step('certificate: tags', async () => {
  const own = (await ownCertificatesFor(host)).map((one) => one.made.attempt).sort();
  expect(own.join() === 'one,two', `of the attempts one and two, it finds ${own.join() || 'none'}`);
  return undefined;
});
await step('name: make', async () => {
  expect(await makeGatewayName(host, first, made), 'the name is taken');
  const name = await getGatewayName(host);
  expect(name?.made?.domainId === made.domainId, 'the tags of the name are missing');
  expect(name.certificateArn === first, 'the name has another certificate');
  return undefined;
});
await step('name: target', async () => {
  const name = await getGatewayName(host);
  expect(name?.target !== undefined && name.isAvailable, 'it does not say where it leads');
  return undefined;
});
await step('name: list', async () => {
  const names = (await allGatewayNames()).map((name) => name.host);
  expect(names.includes(host), 'the list lacks it');
  return undefined;
});
await step('name: taken', async () => {
  expect(!(await makeGatewayName(host, second, other)), 'it is made twice');
  return undefined;
});
await step('name: mapping', async () => {
  await mapToRedirect(host);
  const mappings = await mappingsOf(host);
  expect(mappings.length === 1 && mappings[0]?.isRedirect === true, `it has ${mappings.length} mappings`);
  return undefined;
});
await step('name: another certificate', async () => {
  await changeCertificate(host, second);
  expect((await getGatewayName(host))?.certificateArn === second, 'it keeps the former one');
  return undefined;
});
await step('certificate: in use', async () => {
  expect(!(await deleteCertificate(second)), 'it is deleted while the name uses it');
  return undefined;
});
await step('name: remove', async () => {
  for (const { id } of await mappingsOf(host)) await deleteMapping(host, id);
  await deleteGatewayName(host);
  expect((await getGatewayName(host)) === undefined, 'it is still there');
  await deleteGatewayName(host);
  return undefined;
});
await step('certificate: remove', async () => {
  for (const arn of [first, second]) {
    await deleteCertificate(arn);
    expect((await describeCertificate(arn)) === undefined, 'it is still there');
  }
  return undefined;
});

console.log(JSON.stringify(results));
