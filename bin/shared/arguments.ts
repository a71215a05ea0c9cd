import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseTimeZone } from '../../lambdas/core/click/statistics.ts';
import { RuleError } from '../../lambdas/core/errors.ts';
import { parseDomainName } from '../../lambdas/core/host/host.ts';
import { trimmed } from '../../lambdas/core/invisible.ts';
import { parseHostToBlock } from '../../lambdas/core/link/destination.ts';
import { isPreview, stageNames } from '../../lib/stages/stages.ts';

// Options and argument parsers that several commands share. A pasted URL or host may have spaces and invisible
// characters at its ends.

/** Makes an argument parser of a domain rule: a `RuleError` becomes commander's error for an invalid argument. */
export const ruled =
  <T>(rule: (text: string) => T) =>
  (text: string): T => {
    try {
      return rule(text);
    } catch (error) {
      throw error instanceof RuleError ? new InvalidArgumentError(`It ${error.message}.`) : error;
    }
  };

/** Parses a domain name, and returns its canonical form. */
export function host(text: string): string {
  const parsed = parseDomainName(trimmed(text));
  if (!parsed) throw new InvalidArgumentError('It is not a domain name.');
  return parsed;
}

/** Parses the name of an IANA time zone. */
export const timeZone = ruled(parseTimeZone);

/** Parses the origin of addresses, such as https://go.example.com. */
export function originOf(text: string): URL {
  const url = URL.parse(trimmed(text));
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url;
  throw new InvalidArgumentError('It must be like https://go.example.com, without a path.');
}

/** Parses a host to connect to, with or without a port. The rest of the URL is not used. */
export function hostAndPort(text: string): URL {
  // The scheme has no default port, which would be dropped from the URL.
  const url = URL.parse(`connect://${trimmed(text)}`);
  if (url && url.host !== '' && url.href === `connect://${url.host}`) return url;
  throw new InvalidArgumentError(
    'It must be a host such as d-1a2b3c.execute-api.eu-central-1.amazonaws.com, with or without a port.',
  );
}

/** Parses a host that links must not lead to, a name or an IP address, and returns its canonical form. */
export function hostToBlock(text: string): string {
  const parsed = parseHostToBlock(trimmed(text));
  if (!parsed) throw new InvalidArgumentError('It must be a domain name of two or more labels, or an IP address.');
  return parsed;
}

const names = ['local', ...stageNames()];
const choices = [...names, 'preview-<name>'].join(', ');

/** Parses the name of a stage, or `local`. */
function stage(text: string): string {
  if (names.includes(text) || isPreview(text)) return text;
  throw new InvalidArgumentError(`Allowed choices are ${choices}.`);
}

/** The options of every operator command: the stage, and the data folder of the local one. */
export const stageOption = (description: string) =>
  new Option('--stage <stage>', `${description}: ${choices}`).argParser(stage).default('local');
export const dataDirOption = () =>
  new Option('--data-dir <folder>', 'the data folder of the local service').env('DATA_DIR').default('.local');

/** Joins the lines of commander's error messages into one. */
export const withOneLineErrors = (program: Command): Command =>
  program.configureOutput({ outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, ' ')}\n`) });

/** Parses a whole number above 0. */
export function positiveNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is not a whole number above 0.');
  return Number(text);
}

/** Parses a whole number, which may be 0. */
export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('It is not a whole number.');
  return Number(text);
}

/**
 * Checks the URL of a service, and returns it without a slash at its end.
 *
 * @throws Error that does not quote the URL, because it may contain a password.
 */
export function checkAddress(text: string): string {
  const address = trimmed(text);
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) throw new Error('the URL of the service must be an http or https URL');
  if (url.username || url.password) throw new Error('the URL of the service must not have a user name or a password');
  return address.replace(/\/+$/, '');
}
