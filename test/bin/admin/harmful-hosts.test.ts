import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hostsInLine, readHarmfulHosts } from '../../../bin/admin/harmful-hosts.ts';
import { countMarks } from '../../../lambdas/core/host/listed-hosts.ts';
import { sized } from '../../support/run/proof.ts';

const folder = mkdtempSync(join(tmpdir(), 'lists-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
function file(content: string): string {
  const path = join(folder, `${files++}.txt`);
  writeFileSync(path, content);
  return path;
}
const namesIn = async (...contents: string[]) =>
  (await readHarmfulHosts(contents.map(file))).marks.reduce((sum, marks) => sum + countMarks(marks), 0);

test.for<[string, string[] | undefined]>([
  ['0.0.0.0 evil.example', ['evil.example']],
  ['127.0.0.1\tevil.example www.evil.example # both\r', ['evil.example', 'www.evil.example']],
  ['::1 localhost ip6-localhost', []],
  ['0.0.0.0 0.0.0.0', []],
  ['127.0.0.1 localhost', []],
  ['Evil.Example.', ['evil.example']],
  ['bücher.example', ['xn--bcher-kva.example']],
  ['evil.example # why', ['evil.example']],
  ['192.0.2.7', ['192.0.2.7']],
  ['http://192.0.2.7:8080/i', ['192.0.2.7']],
  ['https://user:secret@Evil.example/path?q', ['evil.example']],
  ['"3401","2026-11-20 08:01:07","http://evil.example/a,b","online","","malware_download","elf"', ['evil.example']],
  ['# a comment', []],
  ['! a comment', []],
  ['', []],
  ['  \t', []],
  ['\uFEFF# a comment', []],
  ['localhost', []],
  ['<!doctype html>', undefined],
  ['{"error":"none"}', undefined],
  ['not a name', undefined],
  ['toplevel', undefined],
  ['0.0.0.0 toplevel', undefined],
  ['javascript:alert(1)', undefined],
  [`${'a'.repeat(20_000)}.example`, undefined],
])('The line %j names the hosts %j.', ([line, hosts]) => {
  expect(hostsInLine(line)).toEqual(hosts);
});

test('Several lists become one, with each name once, whatever their line breaks.', async () => {
  expect(await namesIn('a.example\nb.example', '0.0.0.0 b.example\r\n0.0.0.0 c.example\r\n')).toBe(3);
});

test.for([
  ['', /has no names/],
  ['# only a comment\n', /has no names/],
  ['<html>\n<body>\nNot found\n</body>\n</html>\n', /is not a list of hosts: 5 of its 5 lines/],
  [`${'a.example\n'.repeat(80)}${'what is this\n'.repeat(20)}`, /20 of its 100 lines/],
  ['\0'.repeat(100_000), /is not a list of hosts/],
] as const)('%j is refused, with a line that says why.', async ([content, message]) => {
  await expect(readHarmfulHosts([file(content)])).rejects.toThrow(message);
});

test("A few lines that aren't names are counted, and the rest is read.", async () => {
  const { lines, unreadable } = await readHarmfulHosts([file(`${'a.example\n'.repeat(99)}what is this\n`)]);
  expect([lines, unreadable]).toEqual([100, 1]);
});

test.for([
  [join(folder, 'none.txt'), `${join(folder, 'none.txt')} cannot be read: there is no such file`],
  [folder, `${folder} is a folder: name the file`],
  ['', 'a file without a name cannot be read: there is no such file'],
  ['ftp://lists.example/hosts', 'ftp://lists.example/hosts cannot be read: use an https URL or the path of a file'],
  ['file:///etc/hosts', 'file:///etc/hosts cannot be read: use an https URL or the path of a file'],
  ['https://', 'https:// is not a URL'],
  ['http://lists.example/hosts', 'http://lists.example/hosts could be altered in transit: use https'],
] as const)('The source "%s" is refused: %s.', async ([source, message]) => {
  await expect(readHarmfulHosts([source])).rejects.toThrow(new Error(message));
});

test('A list that ends before the server has sent all of it is refused, and so is an error page.', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/whole') return void response.end('a.example\nb.example\n');
    if (request.url === '/missing') return void response.writeHead(404).end('a.example\n');
    response.writeHead(200, { 'Content-Length': 1_000 });
    response.write('a.example\nb.example\n', () => response.destroy());
  }).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await readHarmfulHosts([`${base}/whole`])).lines).toBe(2);
    await expect(readHarmfulHosts([`${base}/missing`])).rejects.toThrow('answers 404');
    await expect(readHarmfulHosts([`${base}/cut`])).rejects.toThrow(`${base}/cut ended before the whole list was received`);
  } finally {
    server.close();
  }
});

test('Redirects are followed, except to plain HTTP, to a file, in a circle, or to a server that cannot be reached.', async () => {
  const targets = ['/whole', 'http://127.0.0.2:1/list', 'file:///etc/hosts', '/3', 'http://127.0.0.1:1/'];
  const server = createServer((request, response) => {
    const target = targets[Number(request.url?.slice(1))];
    return target === undefined ? void response.end('a.example\n') : void response.writeHead(302, { Location: target }).end();
  }).listen(0, '127.0.0.1');
  try {
    await new Promise((resolve) => server.once('listening', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect((await readHarmfulHosts([`${base}/0`])).lines).toBe(1);
    for (const index of [1, 2]) await expect(readHarmfulHosts([`${base}/${index}`])).rejects.toThrow('use https');
    await expect(readHarmfulHosts([`${base}/3`])).rejects.toThrow('redirects too often');
    await expect(readHarmfulHosts([`${base}/4`])).rejects.toThrow('http://127.0.0.1:1/ cannot be reached');
  } finally {
    server.close();
  }
});

test('A list of the most names allowed is kept, each name once, and one more name is refused.', async () => {
  const most = sized(1_000, 1_000_000);
  const list = (count: number) => file(Array.from({ length: count }, (_, index) => `h${index}.example\n`).join(''));
  const { marks } = await readHarmfulHosts([list(most), list(most)], most);
  expect([marks.length, marks.reduce((sum, one) => sum + countMarks(one), 0)]).toEqual([256, most]);
  // A shard has room for a tenth of what DynamoDB allows an item.
  expect(Math.max(...marks.map(({ length }) => length))).toBeLessThan(40_000);
  await expect(readHarmfulHosts([list(most + 1)], most)).rejects.toThrow(`at most ${most.toLocaleString('en-US')} names`);
  await expect(readHarmfulHosts([list(2 * most + 1)], most)).rejects.toThrow('choose a shorter one');
});
