import { Confirm } from '../parts/kit/confirm.tsx';
import { api } from '../service/client.ts';
import { deleteSurely } from '../service/removal.ts';
import type { Template } from '../service/types.ts';
import { refreshTemplates } from './create.ts';

type DeleteTemplateProps = { readonly template: Template; readonly onClose: () => void };

export const DeleteTemplate = ({ template: { id, name }, onClose }: DeleteTemplateProps) => (
  <Confirm
    title={`Delete the template ${name}?`}
    action="Delete template"
    permission="tags:write"
    onClose={onClose}
    run={async (say) => {
      await deleteSurely(() => api.DELETE('/api/v1/templates/{id}', { params: { path: { id } } }), say);
      refreshTemplates();
      return { text: `The template ${name} is deleted.` };
    }}
  >
    <p>Links that were made with it stay as they are. You cannot undo this.</p>
  </Confirm>
);
