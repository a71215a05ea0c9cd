import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import { type Answer, decode, encode, type Packet } from 'dns-packet';

/** Records by name and type. TXT records are texts; the others are names or addresses. */
type Records = Readonly<Record<string, Readonly<Partial<Record<(typeof types)[number], readonly string[]>>>>>;

const types = ['A', 'AAAA', 'CNAME', 'TXT'] as const;
const nameNotFound = 3;
const serverFailure = 2;

/**
 * Starts a DNS resolver over UDP on 127.0.0.1. Its records are in a JSON file, which is read again for each query:
 *
 *     { "go.acme.example": { "CNAME": ["links.localhost"] },
 *       "_links.go.acme.example": { "TXT": ["links-verification=…"] } }
 *
 * If the file does not exist, no name does. If it is unreadable or malformed, the response is SERVFAIL and the reason
 * is logged.
 */
export async function startDns(file: string, log: (line: string) => void) {
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    let question: Packet;
    try {
      question = decode(message);
    } catch {
      // Not a DNS query, so there is no id to respond to.
      return;
    }
    socket.send(answerTo(question, file, log), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  // The socket must not keep the process alive.
  socket.unref();
  return { server: `127.0.0.1:${socket.address().port}`, file, stop: () => socket.close() };
}

function answerTo({ id = 0, questions = [] }: Packet, file: string, log: (line: string) => void): Buffer {
  const answer = (code: number, answers: Answer[] = []) => encode({ type: 'response', id, questions, answers, flags: code });
  const [question] = questions;
  const type = types.find((one) => one === question?.type);
  try {
    const found = resolve(readRecords(file), question?.name ?? '', type);
    return found ? answer(0, found) : answer(nameNotFound);
  } catch (error) {
    // People edit the file: a mistake in it must not stop the service.
    log(`${file}: ${(error as Error).message}`);
    return answer(serverFailure);
  }
}

/** How many CNAMEs in a row are followed. The limit matters, since the CNAMEs of a file may form a loop. */
const mostAliases = 8;

/**
 * Resolves a name as a resolver does: follows its CNAME, unless the name itself has records of the wanted type.
 *
 * @param type undefined if this server does not serve the type that was asked for.
 * @returns undefined if there is no such name.
 */
function resolve(all: Records, asked: string, type: (typeof types)[number] | undefined): Answer[] | undefined {
  const answers: Answer[] = [];
  let name = asked;
  for (let aliases = 0; aliases <= mostAliases; aliases++) {
    const records = recordsOf(all, name);
    const values = (type && records?.[type]) ?? [];
    const [alias] = records?.CNAME ?? [];
    const isFollowed = values.length === 0 && alias !== undefined;
    if (!isFollowed) {
      const own = values.map((value) => ({ name, type, ttl: 0, data: type === 'TXT' ? partsOf(value) : value }) as Answer);
      return records || answers.length > 0 ? [...answers, ...own] : undefined;
    }
    answers.push({ name, type: 'CNAME', ttl: 0, data: alias });
    name = alias;
  }
  return answers;
}

const canonical = (name: string): string => name.toLowerCase().replace(/\.$/, '');

const recordsOf = (all: Records, name: string) => Object.entries(all).find(([one]) => canonical(one) === canonical(name))?.[1];

/**
 * Splits a text into the strings of a TXT record, which have at most 255 bytes each (RFC 1035, sections 3.3 and
 * 3.3.14).
 */
function partsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.max(1, Math.ceil(bytes.length / 255)) }, (_, part) =>
    bytes.subarray(part * 255, (part + 1) * 255),
  );
}

function readRecords(file: string): Records {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
  return checkRecords(JSON.parse(text));
}

/** The rules for the values of each type. The library checks nothing: it would turn any text into an address. */
const forms: Record<(typeof types)[number], { what: string; is: (value: string) => boolean }> = {
  A: { what: 'IPv4 addresses', is: isIPv4 },
  AAAA: { what: 'IPv6 addresses', is: isIPv6 },
  CNAME: { what: 'names', is: (value) => /^[^.]{1,63}(\.[^.]{1,63})*\.?$/.test(value) },
  TXT: { what: 'texts', is: () => true },
};

/** @throws Error that names the malformed part and says what it must be. */
function checkRecords(content: unknown): Records {
  if (!isObject(content)) throw new Error('must be an object with a member for each name');
  for (const [name, records] of Object.entries(content)) {
    if (!isObject(records)) throw new Error(`"${name}" must be an object with a member for each type of record`);
    for (const [type, values] of Object.entries(records)) {
      if (!Object.hasOwn(forms, type)) throw new Error(`"${name}": "${type}" must be one of ${types.join(', ')}`);
      const { what, is } = forms[type as keyof typeof forms];
      if (!Array.isArray(values) || !values.every((value) => typeof value === 'string' && is(value)))
        throw new Error(`"${name}": "${type}" must be a list of ${what}`);
    }
  }
  return content as Records;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
