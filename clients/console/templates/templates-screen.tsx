import { useState } from 'react';
import { Icon } from '../parts/icons.tsx';
import { Entry } from '../parts/kit/entry.tsx';
import { Entries, ListHead } from '../parts/kit/list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { Menu } from '../parts/menu.tsx';
import { useMay, useTemplates } from '../service/queries.ts';
import type { Template } from '../service/types.ts';
import { DeleteTemplate } from './delete-template.tsx';
import { TemplateForm } from './template-form.tsx';
import { summaryOf } from './words.ts';

type Open = { readonly what: 'new' } | { readonly what: 'edit' | 'delete'; readonly template: Template };

/** The templates of the workspace, and what each sets. */
export function TemplatesScreen() {
  const templates = useTemplates();
  const mayWrite = useMay('tags:write');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  return (
    <div className="screen">
      <ListHead title="Templates" action={mayWrite && 'Create a template'} onAction={() => setOpen({ what: 'new' })} />
      <Loaded query={templates} what="The templates" permission="tags:read">
        {(list) => (
          <Entries none="No templates yet. A template gives new links the same settings, such as those of a campaign.">
            {list.map((template) => (
              <TemplateEntry key={template.id} template={template} mayWrite={mayWrite} onOpen={setOpen} />
            ))}
          </Entries>
        )}
      </Loaded>
      {open?.what === 'new' && <TemplateForm onClose={close} />}
      {open?.what === 'edit' && <TemplateForm template={open.template} onClose={close} />}
      {open?.what === 'delete' && <DeleteTemplate template={open.template} onClose={close} />}
    </div>
  );
}

type TemplateEntryProps = {
  readonly template: Template;
  readonly mayWrite: boolean;
  readonly onOpen: (open: Open) => void;
};

const TemplateEntry = ({ template, mayWrite, onOpen }: TemplateEntryProps) => (
  <Entry
    side={
      mayWrite && (
        <Menu
          label={`Actions for the template ${template.name}`}
          button={<Icon name="more" />}
          items={[
            { label: 'Edit…', run: () => onOpen({ what: 'edit', template }) },
            { label: 'Delete…', isBad: true, run: () => onOpen({ what: 'delete', template }) },
          ]}
        />
      )
    }
  >
    <bdi className="cut">{template.name}</bdi>
    <span className="small long">{summaryOf(template)}</span>
  </Entry>
);
