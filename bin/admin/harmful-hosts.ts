import { open as openHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { countNames, listedNames, listedPlace, listedShards, writeMarks } from '../../lambdas/core/host/listed-hosts.ts';
import { parseHostToBlock } from '../../lambdas/core/link/destination.ts';

// Reads lists of harmful hosts, in the formats in which they are published.

/** A list as it is stored, and how many lines it was read from. */
export type HarmfulHosts = { readonly marks: readonly Uint8Array[]; readonly lines: number; readonly unreadable: number };

/** Names that files of hosts begin with, and that nobody means to list. */
const ownNames = /^(localhost|local|broadcasthost|ip6-[a-z]+|0\.0\.0\.0|127\.0\.0\.1|::1|fe80::1%lo0|ff0[0-2]::[0-3])$/i;

/** The share of lines that may be unreadable. In an error page instead of a list, nearly all are. */
const mostUnreadable = 0.05;

/** The longest line that is read. The longest URLs of URLhaus have some 2,000 characters. */
const longestLine = 10_000;

/**
 * The hosts that a line of a list names:
 *
 * - of a hosts file, `0.0.0.0 evil.example` (https://man7.org/linux/man-pages/man5/hosts.5.html)
 * - of a list of names or URLs, one a line
 * - of URLhaus' CSV file, whose third column is a URL (https://urlhaus.abuse.ch/api/#csv)
 *
 * @returns none for a comment or an empty line; undefined if the line is none of these.
 */
export function hostsInLine(line: string): string[] | undefined {
  const text = line.replace(/^\uFEFF/, '').trim();
  if (text === '' || /^(#|!|\/\/|;)/.test(text) || text.length > longestLine) return text.length > longestLine ? undefined : [];
  const [, column] = /^"\d+","[^"]*","([^"]*)"/.exec(text) ?? [];
  const [, names] = /^(?:0\.0\.0\.0|127\.0\.0\.1|::1?)\s+([^#]*)/.exec(text) ?? [];
  const named =
    column !== undefined ? [column] : names !== undefined ? names.trim().split(/\s+/) : [text.replace(/\s#.*$/, '').trim()];
  const hosts = named.filter((name) => name !== '' && !ownNames.test(name)).map(hostIn);
  return hosts.some((host) => host === undefined) ? undefined : hosts.filter((host) => host !== undefined);
}

/** The canonical host of a name or a URL. */
const hostIn = (text: string): string | undefined =>
  parseHostToBlock(
    /^https?:\/\//i.test(text) ? (URL.parse(text)?.hostname.replace(/^\[|\]$/g, '') ?? '') : text.replace(/\.$/, ''),
  );

/** The marks of a shard, as they are collected. */
type Growing = { marks: BigUint64Array; length: number };

function add(to: Growing, mark: bigint): void {
  if (to.length === to.marks.length) {
    const larger = new BigUint64Array(to.length * 2);
    larger.set(to.marks);
    to.marks = larger;
  }
  to.marks[to.length++] = mark;
}

/**
 * Reads lists, a line at a time. Only the hashes of names are kept: some 8 MB for a million.
 *
 * @param sources files, or https URLs.
 * @param most how many names they may have.
 * @throws Error with one line for the operator if one of them cannot be read as a whole, is not a list, or if they have
 * more names
 */
export async function readHarmfulHosts(sources: readonly string[], most = listedNames): Promise<HarmfulHosts> {
  const shards = Array.from({ length: listedShards }, (): Growing => ({ marks: new BigUint64Array(64), length: 0 }));
  let [lines, unreadable, names] = [0, 0, 0];
  for (const source of sources) {
    const before = { lines, unreadable };
    for await (const line of linesOf(await open(source))) {
      const hosts = hostsInLine(line);
      if (hosts?.length === 0) continue;
      lines++;
      if (!hosts) unreadable++;
      for (const host of hosts ?? []) {
        const { shard, mark } = listedPlace(host);
        add(shards[shard] as Growing, mark);
        // Names may occur twice, but not many of them.
        if (++names > 2 * most) throw tooMany(most);
      }
    }
    const [read, bad] = [lines - before.lines, unreadable - before.unreadable];
    if (read === 0) throw new Error(`${source} has no names`);
    if (bad > read * mostUnreadable) {
      throw new Error(`${source} is not a list of hosts: ${bad} of its ${read} lines are neither names nor URLs`);
    }
  }
  const marks = shards.map(({ marks, length }) => writeMarks(marks.subarray(0, length)));
  if (countNames(marks) > most) throw tooMany(most);
  return { marks, lines, unreadable };
}

/** The lines of a text. A line that is too long is cut, and is then unreadable. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = (lines.pop() ?? '').slice(0, longestLine + 1);
    yield* lines;
  }
  yield rest;
}

const tooMany = (most: number) =>
  new Error(`a list may have at most ${most.toLocaleString('en-US')} names: choose a shorter one`);

/** How many redirects are followed. */
const mostRedirects = 5;

/** @throws Error if there is no such file, or if the server does not send the list */
async function open(source: string): Promise<Readable> {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(source)) return openFile(source);
  const url = URL.parse(source);
  if (!url) throw new Error(`${source} is not a URL`);
  if (!/^https?:$/.test(url.protocol)) throw new Error(`${source} cannot be read: use an https URL or the path of a file`);
  return download(url, mostRedirects);
}

async function openFile(path: string): Promise<Readable> {
  const file = await openHandle(path).catch((error: NodeJS.ErrnoException) => error);
  if (file instanceof Error) throw new Error(`${path || 'a file without a name'} cannot be read: ${reasonOf(file)}`);
  if (!(await file.stat()).isDirectory()) return file.createReadStream();
  await file.close();
  throw new Error(`${path} is a folder: name the file`);
}

const reasonOf = ({ code, message }: NodeJS.ErrnoException): string =>
  ({ ENOENT: 'there is no such file', EACCES: 'permission denied' })[code ?? ''] ?? message;

/** Follows redirects itself, because each address on the way must use HTTPS. */
async function download(url: URL, redirects: number): Promise<Readable> {
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && /^(127\.0\.0\.1|localhost)$/.test(url.hostname))) {
    throw new Error(`${url} could be altered in transit: use https`);
  }
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10 * 60_000) }).catch((error) => {
    throw new Error(`${url} cannot be reached: ${error.cause?.message ?? error.message}`);
  });
  const location = response.headers.get('location');
  if (response.status >= 300 && response.status < 400 && location !== null) {
    if (redirects === 0) throw new Error(`${url} redirects too often`);
    await response.body?.cancel();
    return download(new URL(location, url), redirects - 1);
  }
  if (!response.ok || !response.body) throw new Error(`${url} answers ${response.status}`);
  return Readable.from(wholeBody(url, response.body), { objectMode: false });
}

/** @throws Error if the connection ends before the whole body has arrived */
async function* wholeBody(url: URL, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch {
    throw new Error(`${url} ended before the whole list was received`);
  }
}
