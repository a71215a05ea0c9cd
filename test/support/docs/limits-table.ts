import * as limits from '../../../lambdas/core/limits.ts';

/** A limit by its name in lambdas/core/limits.ts; one that has several numbers has names such as `linksPerPage.most`. */
export const limitsByName: ReadonlyMap<string, number> = new Map(
  Object.entries(limits).flatMap(([name, value]): [string, number][] =>
    typeof value === 'number' ? [[name, value]] : Object.entries(value).map(([part, one]) => [`${name}.${part}`, one]),
  ),
);

/** Limits that users never see as a number. */
export const internal: readonly string[] = [
  'actorNameLength',
  'bytesPerResult',
  'clicksPerPage.unlessAsked',
  'linksPerPage.unlessAsked',
  'overlapSeconds.unlessAsked',
  'valuesPerGroup.unlessAsked',
  'variantsPerLink.least',
];

/** Limits that openapi.json has at a field, with the same number. */
export const inSchemas: readonly string[] = [
  'descriptionLength',
  'destinationLength',
  'emailLength',
  'externalIdLength',
  'idempotencyKeyLength',
  'keyNameLength',
  'mostWeight',
  'notesLength',
  'ownerLength',
  'parameterLength',
  'parametersPerRule',
  'partsBeforePath',
  'passwordLength',
  'pixelIdLength',
  'searchLength',
  'slugLength',
  'tagNameLength',
  'templateDays',
  'templateNameLength',
  'titleLength',
  'urlLength',
  'valuesPerCondition',
  'variantIdLength',
];

/** The rows of the table: a thing, and its limits. */
const rows: readonly (readonly [what: string, most: string])[] = [
  ['a response to an import', '{bytesPerResponse} bytes'],
  [
    'bulk requests of a workspace',
    '{bulkRequests.quota} imports in any {bulkRequests.windowSeconds|time} (the operator may allow {liftedImports.perMinute}, for ' +
      'at most {liftedImports.days} days), and {bulkChanges.quota} updates and deletions together in any {bulkChanges.windowSeconds|time}; ' +
      '{linksPerRequest} links each, or fewer if the stage says so (`maxLinksPerImport`)',
  ],
  ['an import', '{passwordsPerImport} different passwords, {hostsPerImport} different hosts'],
  ['a page of a list', '{linksPerPage.most} entries; {entriesPerPage} tags, templates, domains, webhooks, secrets or members'],
  [
    'a workspace',
    '{tagsPerWorkspace} tags, {templatesPerWorkspace} templates, {domainsPerWorkspace} domains and claims, {webhooksPerWorkspace} webhooks, {keysPerWorkspace} keys that are neither ' +
      'revoked nor replaced, {membersPerWorkspace} members with those who are invited, {framingLookUpsPerHour} checks an hour whether destinations allow framing',
  ],
  [
    'managed domains of a workspace',
    '{managedDomainsPerWorkspace}; {certificateRequests.quota} requests for certificates in any {certificateRequests.windowSeconds|time}',
  ],
  [
    'statistics',
    'some {clicksPerRequest} clicks ({readsPerRequest.bytes} bytes of files) in a request; {readsPerRequest.links} links with the tags, ' +
      'found with {readsPerRequest.units} read units; {rankedLinks} links with clicks in a list sorted by them; {valuesPerFilter} values in a filter; {valuesPerGroup.most} ' +
      'named values of a dimension; {pointsPerSeries} points; {clicksPerPage.most} clicks on a page',
  ],
  ['a domain', 'a logo of {logoLength} bytes, files for apps of {appLinksLength} bytes each'],
  ['a webhook', '{secretsAtOnce} valid secrets'],
  [
    'a key',
    '`overlapSeconds` {overlapSeconds.most|time}, `expiresInSeconds` {expiresInSeconds|time}; listed for {revokedKeyDays} days after its revocation; of a sign-in, valid for {signInKeySeconds|time}',
  ],
  ['a person', '{signInsPerPerson} sessions; the oldest ends when another one begins'],
  ['sign-ins from an address', '{signInAttempts.quota} attempts in any {signInAttempts.windowSeconds|time}'],
  [
    'reports of links',
    '{linkReports.quota} from an address on a domain in any {linkReports.windowSeconds|time}; each day, {reportedLinksPerDay} links of a domain, and {reportsPerLink} kept reports of a link; {reportNoteLength} characters of text',
  ],
  ['an invitation', 'valid for {invitationDays} days'],
  ['a delivery', 'shows its newest {attemptsPerDelivery} attempts'],
  [
    'a link',
    '{tagsPerLink} tags, {aliasesPerLink} aliases, {webhooksPerLink} webhook URLs, {rulesPerLink} rules, {variantsPerLink.most} variants; ' +
      'rules and variants together {routingBytes} bytes of JSON',
  ],
  [
    'metadata of pages',
    '{metadataRequests.quota} requests of a workspace in any {metadataRequests.windowSeconds|time}; the first {metadataBytes} bytes are read',
  ],
];

/** The names of the limits in the table. */
export const inTable = rows.flatMap(([, most]) => [...most.matchAll(/\{([\w.]+)(?:\|time)?\}/g)].map(([, name = '']) => name));

const spans = [
  [31_557_600, 'years'],
  [86_400, 'days'],
  [3_600, 'hours'],
  [60, 'minutes'],
] as const;

/** A number of seconds in words, such as `30 days`. One of a unit, such as an hour, is `60 minutes`. */
function timeOf(seconds: number): string {
  const [length, unit] = spans.find(([length]) => seconds % length === 0 && seconds > length) ?? [1, 'seconds'];
  return `${(seconds / length).toLocaleString('en-US')} ${unit}`;
}

/**
 * A text with the numbers of the limits that it names in braces: `{linksPerRequest}`, or `{overlapSeconds.most|time}` for one
 * that is in seconds.
 *
 * @throws Error if one isn't a limit
 */
const withLimits = (text: string): string =>
  text.replaceAll(/\{([\w.]+)(\|time)?\}/g, (_, name, isTime) => {
    const number = limitsByName.get(name);
    if (number === undefined) throw new Error(`${name} is not in lambdas/core/limits.ts`);
    return isTime ? timeOf(number) : number.toLocaleString('en-US');
  });

/** The table of docs/api/README.md. */
export const limitsTable = (): string =>
  ['| what | at most |', '|---|---|', ...rows.map(([what, most]) => `| ${what} | ${withLimits(most)} |`)].join('\n');
