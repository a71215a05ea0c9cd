import { beforeAll, describe, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { drawSvg, readPng, scan } from '../../../support/store/scan.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { unknownLink } from '../../../support/things/links.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const png = { Accept: 'image/png' };

async function newLink() {
  const { workspaceId, domain } = await store.newWorkspace();
  const { link } = await store.createLink(
    domain,
    { url: 'https://secret.example.org/', customSlug: 'Launch', maxClicks: 1 },
    store.newLease(),
  );
  const get = (query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    callEndpoint('get-link-qr', { workspaceId, id: link.id, query, headers });
  return { workspaceId, link, get, text: `HTTPS://${domain.host}/LAUNCH.Q`.toUpperCase() };
}

test('Without parameters, a code is an SVG in black and white that leads to the link.', async () => {
  const { get, text } = await newLink();
  const { status, headers, body } = await get();
  expect([status, headers['Content-Type']]).toEqual([200, 'image/svg+xml']);
  expect(body).toContain('width="512" height="512"');
  expect(body).toContain('fill="#000000"');
  expect(scan(drawSvg(body, 4))).toBe(text);
});

test('A PNG has the requested size, margin, level and colours.', async () => {
  const { get, text } = await newLink();
  const query = { format: 'png', size: '300', margin: '0', ecc: 'H', foreground: '#102030', background: 'FFEEDD' };
  const { status, headers, body } = await get(query, png);
  expect([status, headers['Content-Type']]).toEqual([200, 'image/png']);
  const image = readPng(Buffer.from(body, 'base64'));
  expect([image.width, image.height]).toEqual([300, 300]);
  const colors = new Set(
    Array.from({ length: 300 * 300 }, (_, pixel) => Buffer.from(image.data.subarray(4 * pixel, 4 * pixel + 3)).toString('hex')),
  );
  expect(colors).toEqual(new Set(['102030', 'ffeedd']));
  expect(scan(image)).toBe(text);
});

test('A code does not reveal the destination.', async () => {
  const { get } = await newLink();
  expect((await get()).body).not.toContain('secret');
});

test('A code that the client has already is not sent again, and other parameters have another entity tag.', async () => {
  const { get } = await newLink();
  const { headers } = await get();
  expect(await get({}, { 'If-None-Match': String(headers.ETag) })).toMatchObject({ status: 304, body: undefined });
  expect(await get({ ecc: 'H' }, { 'If-None-Match': String(headers.ETag) })).toMatchObject({ status: 200 });
  expectProblem(await get({ ecc: 'H' }, { 'If-Match': String(headers.ETag) }), 412, 'precondition_failed');
});

describe('A parameter is refused by name', () => {
  test.for([
    [{ format: 'gif' }, 'format', 'invalid_value'],
    [{ size: '63' }, 'size', 'out_of_range'],
    [{ size: '2049' }, 'size', 'out_of_range'],
    [{ size: '1e3' }, 'size', 'out_of_range'],
    [{ size: '-64' }, 'size', 'out_of_range'],
    [{ format: 'png', size: '64' }, 'size', 'too_small'],
    [{ margin: '17' }, 'margin', 'out_of_range'],
    [{ margin: '' }, 'margin', 'out_of_range'],
    [{ ecc: 'm' }, 'ecc', 'invalid_value'],
    [{ foreground: 'red' }, 'foreground', 'invalid_color'],
    [{ background: '#fff' }, 'background', 'invalid_color'],
    [{ foreground: 'eeeeee' }, 'foreground', 'low_contrast'],
    [{ background: '111111' }, 'background', 'low_contrast'],
    [{ color: '111111' }, 'color', 'unknown_parameter'],
  ] as const)('%j', async ([query, name, code]) => {
    const { get } = await newLink();
    const response = await get(query as Record<string, string>, png);
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.errors).toEqual([{ path: '', code, message: expect.stringContaining(`"${name}"`) }]);
  });
});

test.for([undefined, '*/*', 'image/svg+xml, image/png', 'text/html,image/png', 'image/pngs', 'image/*'])(
  'A PNG is not acceptable to %j, which would get Base64 from the gateway.',
  async (Accept) => {
    const { get } = await newLink();
    expectProblem(await get({ format: 'png' }, Accept === undefined ? {} : { Accept }), 406, 'not_acceptable');
  },
);

test.for(['image/png', ' Image/PNG;q=0.9, */*', 'image/png,image/svg+xml'])('A PNG is sent to %j.', async (Accept) => {
  const { get } = await newLink();
  expect((await get({ format: 'png' }, { Accept })).status).toBe(200);
});

test("An unknown link, a deleted one, another workspace's and a malformed id are all not found.", async () => {
  const [own, other] = [await newLink(), await newLink()];
  await callEndpoint('delete-link', { workspaceId: own.workspaceId, id: own.link.id });
  for (const id of [unknownLink, own.link.id, other.link.id, 'nonsense', '']) {
    expectProblem(await callEndpoint('get-link-qr', { workspaceId: own.workspaceId, id }), 404, 'not_found');
  }
});
