import { RequestError } from '../../core/errors.ts';
import { templateLoss } from '../../core/history/history.ts';
import { isTemplateId, newTemplateId } from '../../core/ids.ts';
import { templatesPerWorkspace } from '../../core/limits.ts';
import { linkFlags, redirectTypes } from '../../core/link/link.ts';
import { type Template, type TemplateSettings, templateDefaults } from '../../core/template/template.ts';
import type { DeletionEntry } from '../history/history.ts';
import { liveTags, refuseUnknownTags } from '../links/tagging.ts';
import { createNamed, deleteNamed, findNamed, type Kind, restoreNamed, updateNamed } from '../names/unique-names.ts';
import type { Item } from '../table/client.ts';
import { flag, maybeNumber, maybeText, number, oneOf, text, texts } from '../table/fields.ts';
import { templateKey, templateNameKey, templatesOf } from '../table/keys.ts';
import { query } from '../table/reads.ts';

/**
 * The templates of a workspace. A deleted tag stays in their items, because a deletion that also changed them would
 * conflict with requests that do. Reads leave such tags out (`withLiveTags`), which is safe because ids of tags are
 * never used again.
 */

export const toTemplate = (item: Item): Template => ({
  id: text(item, 'id'),
  name: text(item, 'name'),
  createdAt: text(item, 'createdAt'),
  revision: number(item, 'revision', 0),
  domain: maybeText(item, 'domain') ?? templateDefaults.domain,
  tagIds: texts(item, 'tagIds', templateDefaults.tagIds),
  utmSource: maybeText(item, 'utmSource') ?? templateDefaults.utmSource,
  utmMedium: maybeText(item, 'utmMedium') ?? templateDefaults.utmMedium,
  utmCampaign: maybeText(item, 'utmCampaign') ?? templateDefaults.utmCampaign,
  utmTerm: maybeText(item, 'utmTerm') ?? templateDefaults.utmTerm,
  utmContent: maybeText(item, 'utmContent') ?? templateDefaults.utmContent,
  redirectType: oneOf(item, 'redirectType', redirectTypes, templateDefaults.redirectType),
  expiresAfterDays: maybeNumber(item, 'expiresAfterDays') ?? templateDefaults.expiresAfterDays,
  ...(Object.fromEntries(linkFlags.map((name) => [name, flag(item, name, templateDefaults[name])])) as Flags),
});
type Flags = Pick<Template, (typeof linkFlags)[number]>;

const kind: Kind<Template> = {
  what: 'template',
  isId: isTemplateId,
  keyOf: templateKey,
  nameKeyOf: templateNameKey,
  read: toTemplate,
  most: templatesPerWorkspace,
};

type Named = Pick<Template, 'name'>;

/**
 * Creates a template. Fields that are not given have their default values.
 *
 * @throws RequestError `template_name_taken`, `template_limit_reached`, `tag_not_found`
 */
export async function createTemplate(workspaceId: string, sent: Named & Partial<TemplateSettings>): Promise<Template> {
  await refuseUnknown(workspaceId, sent);
  const own = { id: newTemplateId(), createdAt: new Date().toISOString(), revision: 0 };
  const said = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null));
  return createNamed(kind, workspaceId, { ...templateDefaults, ...sent, ...own }, { ...said, ...own });
}

export type TemplateChanges = Partial<Named & TemplateSettings>;

/**
 * Changes a template, and returns the changed one.
 *
 * @param asRead the template as it was read, to change it only if it is still the same.
 * @throws RequestError `not_found`, `template_name_taken`, `precondition_failed`, `tag_not_found`
 */
export async function updateTemplate(
  workspaceId: string,
  id: string,
  changes: TemplateChanges,
  asRead?: Template,
): Promise<Template> {
  await refuseUnknown(workspaceId, changes);
  const template = await updateNamed<Template>(kind, workspaceId, id, changes, asRead);
  const [updated] = await withLiveTags(workspaceId, [template]);
  return updated as Template;
}

/** @throws RequestError `tag_not_found` */
async function refuseUnknown(workspaceId: string, { tagIds = [] }: Partial<TemplateSettings>): Promise<void> {
  refuseUnknownTags(tagIds, await liveTags(workspaceId, tagIds));
}

/** The templates without tags that are gone. One batch read for every 100 tags; none without tags. */
async function withLiveTags(workspaceId: string, templates: readonly Template[]): Promise<Template[]> {
  const live = await liveTags(
    workspaceId,
    templates.flatMap(({ tagIds }) => tagIds),
  );
  return templates.map((template) => ({ ...template, tagIds: template.tagIds.filter((id) => live.has(id)) }));
}

/** The workspace's template with that id; undefined if it has none. */
export async function getTemplate(workspaceId: string, id: string): Promise<Template | undefined> {
  const item = await findNamed(kind, workspaceId, id);
  const [template] = await withLiveTags(workspaceId, item ? [toTemplate(item)] : []);
  return template;
}

/**
 * The template that a request for new links names. It may have tags that are gone.
 *
 * @throws RequestError `template_not_found`
 */
export async function templateToUse(workspaceId: string, id: string): Promise<Template> {
  const item = await findNamed(kind, workspaceId, id);
  if (item) return toTemplate(item);
  const code = 'template_not_found';
  const fieldErrors = [{ path: '/templateId', code, message: 'does not exist in this workspace' }];
  throw new RequestError(code, 'The template does not exist in this workspace.', { fieldErrors });
}

/** All templates of a workspace, in arbitrary order. */
export const listTemplates = async (workspaceId: string): Promise<Template[]> =>
  withLiveTags(workspaceId, (await Array.fromAsync(query(templatesOf(workspaceId)))).map(toTemplate));

/**
 * Deletes a template. Links that were made with it stay as they are.
 *
 * @param asRead the template as it was read, to delete it only if it is still the same.
 * @throws RequestError `not_found`, `precondition_failed`
 */
export const deleteTemplate = (workspaceId: string, id: string, asRead?: Template): Promise<void> =>
  deleteNamed(kind, workspaceId, id, templateLoss, asRead);

/**
 * Undoes the deletion of a template, and returns it without tags that are gone.
 *
 * @throws RequestError `not_found`, `revert_refused`, `template_limit_reached`
 */
export async function restoreTemplate(workspaceId: string, entry: DeletionEntry): Promise<Template> {
  const [template] = await withLiveTags(workspaceId, [toTemplate(await restoreNamed(kind, workspaceId, entry))]);
  return template as Template;
}
