import { type Command, InvalidArgumentError, Option } from 'commander';
import { RuleError } from '../lambdas/domain/errors.ts';
import { parseDomainName } from '../lambdas/domain/host.ts';
import { stageNames } from '../lib/stages.ts';

// How the commands read what was typed.

/** Reads an argument by a rule of the domain. */
export const ruled =
  <T>(rule: (text: string) => T) =>
  (text: string): T => {
    try {
      return rule(text);
    } catch (error) {
      throw error instanceof RuleError ? new InvalidArgumentError(`it ${error.message}.`) : error;
    }
  };

/** Reads the name of a domain, and gives it in its canonical form. */
export function host(text: string): string {
  const parsed = parseDomainName(text);
  if (!parsed) throw new InvalidArgumentError('it is no domain name.');
  return parsed;
}

/** Which stage, and where the local one's data are: the options of every command that works as the operator. */
export const stageOption = (description: string) =>
  new Option('--stage <stage>', description).choices(['local', ...stageNames]).default('local');
export const dataDirOption = () =>
  new Option('--data-dir <folder>', 'the data folder of the local service').env('DATA_DIR').default('.local');

/** Lets an error be one line, whatever was typed. */
export const withOneLineErrors = (program: Command): Command =>
  program.configureOutput({ outputError: (text, write) => write(`${text.trim().replace(/\s*\n\s*/g, ' ')}\n`) });
