import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import {
  exportacaoDoTitularSchema,
  privacidadeEdicaoSchema,
  privacidadeSchema,
  registroOperacoesSchema,
  resumoDoTitularSchema,
} from '#entities/lgpd.ts'

/**
 * Rights of customers (LGPD art. 18 and 37); only the owner of the account may use these routes, not operators.
 * `telefone` is a number in any notation, or the service's address when it hides the number.
 */

const titularParams = z.object({
  telefone: z.string().check(z.trim(), z.minLength(3, 'Informe um telefone com DDD'), z.maxLength(100)),
})

export const privacidadeRoute = defineRoute({
  method: 'GET',
  path: '/lgpd/privacidade',
  permissao: 'dono',
  response: z.object({ privacidade: privacidadeSchema }),
  erroPadrao: 'Erro ao carregar a privacidade',
})

export const salvarPrivacidadeRoute = defineRoute({
  method: 'PUT',
  path: '/lgpd/privacidade',
  permissao: 'dono',
  body: privacidadeEdicaoSchema,
  response: z.object({ privacidade: privacidadeSchema }),
  erroPadrao: 'Erro ao salvar a privacidade',
})

export const titularRoute = defineRoute({
  method: 'GET',
  path: '/lgpd/titulares/:telefone',
  permissao: 'dono',
  params: titularParams,
  response: z.object({ titular: resumoDoTitularSchema }),
  erroPadrao: 'Erro ao procurar o cliente',
})

export const exportarTitularRoute = defineRoute({
  method: 'GET',
  path: '/lgpd/titulares/:telefone/exportacao',
  permissao: 'dono',
  params: titularParams,
  response: exportacaoDoTitularSchema,
  erroPadrao: 'Erro ao exportar os dados do cliente',
})

export const apagarTitularRoute = defineRoute({
  method: 'DELETE',
  path: '/lgpd/titulares/:telefone',
  permissao: 'dono',
  params: titularParams,
  response: z.object({ sucesso: z.literal(true), apagado: resumoDoTitularSchema.shape.contagem }),
  erroPadrao: 'Erro ao apagar os dados do cliente',
})

export const registroOperacoesRoute = defineRoute({
  method: 'GET',
  path: '/lgpd/registro-operacoes',
  permissao: 'dono',
  response: registroOperacoesSchema,
  erroPadrao: 'Erro ao carregar o registro de operações',
})
