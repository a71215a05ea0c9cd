import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isIPv4, isIPv6 } from 'node:net';
import { type Answer, decode, encode, type Packet } from 'dns-packet';

/** The records of a name, by their types. TXT records are texts, the others names and addresses. */
type Records = Readonly<Record<string, Readonly<Partial<Record<(typeof types)[number], readonly string[]>>>>>;

const types = ['A', 'AAAA', 'CNAME', 'TXT'] as const;
const nameNotFound = 3;
const serverFailure = 2;

/**
 * Answers questions to the DNS, over UDP on this machine, from a file that may change at any time:
 * `{ "go.acme.example": { "CNAME": ["links.localhost"] }, "_links.go.acme.example": { "TXT": ["links-verification=…"] } }`. Where there is no
 * file, there are no names. A file that cannot be read is a failure of the server, and is logged.
 */
export async function startDns(file: string, log: (line: string) => void) {
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    let question: Packet;
    try {
      question = decode(message);
    } catch {
      // Nobody who could be answered.
      return;
    }
    socket.send(encode(answerTo(question, file, log)), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  // The service ends by itself where nothing else is left to do.
  socket.unref();
  return { server: `127.0.0.1:${socket.address().port}`, file, stop: () => socket.close() };
}

function answerTo({ id = 0, questions = [] }: Packet, file: string, log: (line: string) => void): Packet {
  const answer = (code: number, answers: Answer[] = []): Packet => ({ type: 'response', id, questions, answers, flags: code });
  const [question] = questions;
  const type = types.find((one) => one === question?.type);
  const name = question?.name ?? '';
  try {
    const found = Object.entries(readRecords(file)).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1];
    if (!found) return answer(nameNotFound);
    const values = (type && found[type]) ?? [];
    return answer(
      0,
      values.map((value) => ({ name, type, ttl: 0, data: dataOf(type, value) }) as Answer),
    );
  } catch (error) {
    log(`${file}: ${(error as Error).message}`);
    return answer(serverFailure);
  }
}

/** @throws Error where a record cannot say that. */
function dataOf(type: (typeof types)[number] | undefined, value: string): string | Buffer[] {
  if (type === 'TXT') return partsOf(value);
  const isGood = type === 'A' ? isIPv4(value) : type === 'AAAA' ? isIPv6(value) : /^[a-z0-9_.-]{1,253}$/i.test(value);
  if (!isGood) throw new Error(`${JSON.stringify(value)} is no ${type}`);
  return value;
}

/** A text as a TXT record has it: parts of at most 255 bytes (RFC 1035, section 3.3.14). */
function partsOf(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.max(1, Math.ceil(bytes.length / 255)) }, (_, part) =>
    bytes.subarray(part * 255, (part + 1) * 255),
  );
}

function readRecords(file: string): Records {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}
