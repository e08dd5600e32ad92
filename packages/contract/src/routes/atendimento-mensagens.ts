import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { idSchema, requiredTextSchema } from '#entities/common.ts'
import { loteSchema } from '#entities/lote.ts'
import { mensagemSchema } from '#entities/mensagem.ts'
import { produtoSchema } from '#entities/produto.ts'
import { idParamsSchema } from './common.ts'

/**
 * Sends the text or file of a message to other conversas, each by the rules of a send. Throws `mensagemForaDeAlcance` for
 * a deleted message, a call, and a file that was not stored.
 */
export const encaminharMensagemRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/mensagens/:id/encaminhar',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.object({
    conversaIds: z.array(idSchema).check(
      z.minLength(1, 'Escolha uma conversa'),
      z.maxLength(5, 'Escolha até 5 conversas'),
      z.refine((ids) => new Set(ids).size === ids.length, 'A mesma conversa aparece duas vezes.'),
    ),
  }),
  response: loteSchema,
  fallbackError: 'Erro ao encaminhar mensagem',
})

const changedResponse = z.object({ mensagem: mensagemSchema, conversaId: z.string() })

/**
 * Edits a text of the caller, up to 15 minutes after it was written. `texto` keeps the original and `edicao` is the new
 * text. Throws `semPermissao` for a message of another person, `conectorNaoPermite`, `prazoDaMensagem`, and
 * `mensagemForaDeAlcance` for a file, a deleted message and one that was not sent.
 */
export const editarMensagemRoute = defineRoute({
  method: 'PUT',
  path: '/atendimento/mensagens/:id',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.object({ texto: requiredTextSchema }),
  response: changedResponse,
  fallbackError: 'Erro ao editar mensagem',
})

/** Deletes a message of the caller, also on the customer's phone, up to 48 hours after it was written. Throws as an edit. */
export const apagarMensagemRoute = defineRoute({
  method: 'DELETE',
  path: '/atendimento/mensagens/:id',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  response: changedResponse,
  fallbackError: 'Erro ao apagar mensagem',
})

/** The produtos that an operador may send: the active ones, in the order of the catalogue. */
export const produtosDoAtendimentoRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/produtos',
  permission: 'atendimentoHumano',
  response: z.object({ produtos: z.array(produtoSchema) }),
  fallbackError: 'Erro ao carregar produtos',
})

/**
 * Sends picture and text of an active produto, by the rules of a send. A text above the limit of a caption follows as a
 * second message; `mensagem` is the first.
 */
export const enviarProdutoRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/produto',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.object({ produtoId: idSchema }),
  response: z.object({ mensagem: mensagemSchema, conversaId: z.string() }),
  status: 201,
  fallbackError: 'Erro ao enviar produto',
})
