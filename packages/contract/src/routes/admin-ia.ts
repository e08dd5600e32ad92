import { defineRoute } from '#define-route.ts'
import { hostsIaSchema } from '#entities/provedor-ia.ts'

export const hostsIaRoute = defineRoute({
  method: 'GET',
  path: '/admin/ia',
  permission: 'admin',
  response: hostsIaSchema,
  fallbackError: 'Erro ao carregar os endereços da IA',
})

/** Replaces the list. An account on a host that was removed is not answered from its next question on. */
export const salvarHostsIaRoute = defineRoute({
  method: 'PUT',
  path: '/admin/ia',
  permission: 'admin',
  stepUp: true,
  body: hostsIaSchema,
  response: hostsIaSchema,
  fallbackError: 'Erro ao salvar os endereços da IA',
})
