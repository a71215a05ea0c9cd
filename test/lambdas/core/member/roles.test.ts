import { expect, test } from 'vitest';
import { permissions } from '../../../../lambdas/core/key/permissions.ts';
import { rolePermissions } from '../../../../lambdas/core/member/roles.ts';
import { permissionsOf, routes } from '../../../../lib/endpoints.ts';

const namesFor = (role: keyof typeof rolePermissions) =>
  routes.filter((route) => permissionsOf(route).every((one) => rolePermissions[role].includes(one))).map(({ name }) => name);

test('A viewer reads everything and changes nothing, an editor also writes links and tags, and an owner may do everything.', () => {
  expect(rolePermissions.viewer).toEqual(permissions.filter((one) => one.endsWith(':read')));
  expect(rolePermissions.editor.filter((one) => !rolePermissions.viewer.includes(one))).toEqual(['links:write', 'tags:write']);
  expect(rolePermissions.owner).toEqual(permissions);
});

test('Each role has all permissions of the one below.', () => {
  expect(namesFor('editor')).toEqual(expect.arrayContaining(namesFor('viewer')));
  expect(namesFor('owner')).toEqual(routes.map(({ name }) => name));
});
