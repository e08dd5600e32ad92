import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { idSchema, instantSchema } from '#entities/common.ts'
import { loteSchema } from '#entities/lote.ts'
import { finalizarConversaRoute, transferirConversaRoute } from './atendimento-conversa.ts'

/** One act on many conversas or contatos. Each is done or refused by the rules of the single act. */

const idsOf = (max: number) =>
  z.array(idSchema).check(
    z.minLength(1, 'Escolha pelo menos uma linha'),
    z.maxLength(max, `Escolha até ${max} linhas`),
    z.refine((ids) => new Set(ids).size === ids.length, 'A mesma linha aparece duas vezes.'),
  )

const etiquetaIds = z.optional(z.array(idSchema).check(z.maxLength(50)))
const etiquetasSchema = z.object({ adicionar: etiquetaIds, remover: etiquetaIds })
const conversaIds = idsOf(100)

export const loteRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/lote',
  permission: 'atendimentoHumano',
  body: z.union([
    z.extend(etiquetasSchema, { ato: z.literal('etiquetar'), conversaIds }),
    z.intersection(z.object({ ato: z.literal('transferir'), conversaIds }), transferirConversaRoute.body),
    z.extend(finalizarConversaRoute.body, { ato: z.literal('finalizar'), conversaIds }),
    /** Without `marcada`: read up to the last message. */
    z.object({ ato: z.literal('leitura'), conversaIds, marcada: z.optional(z.literal(true)) }),
    z.object({ ato: z.literal('lembrar'), conversaIds, em: z.nullable(instantSchema) }),
  ]),
  response: loteSchema,
  fallbackError: 'Erro ao mudar as conversas',
})

export const contatosLoteRoute = defineRoute({
  method: 'POST',
  path: '/contatos/lote',
  permission: 'atendimentoHumano',
  body: z.extend(etiquetasSchema, { contatoIds: idsOf(500) }),
  response: loteSchema,
  fallbackError: 'Erro ao mudar os contatos',
})
