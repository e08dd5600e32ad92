import * as z from 'zod/mini'
import type { MensagemTarget } from '@balcao/connector/port'
import { channelParts, CONNECTORS } from '@balcao/contract/connectors'
import { CONECTORES } from '@balcao/contract/constants'
import { estadoMensagemSchema, midiaSchema } from '@balcao/contract/entities/mensagem'
import { lineOf } from '#db/statement/line.ts'
import { contaId, sql, value } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { isUuid } from '#lib/text.ts'
import { quoteText, mensagemMarksSchema } from '#modules/mensagens/index.ts'

const rowSchema = z.object({
  id: z.string(),
  direcao: z.enum(['entrada', 'saida']),
  texto: z.string(),
  midia: z.nullable(midiaSchema),
  canal: z.string(),
  idExterno: z.nullable(z.string()),
  estado: estadoMensagemSchema,
  extras: z.nullable(mensagemMarksSchema),
  conector: z.nullable(z.enum(CONECTORES)),
})

const findTarget = oneRow(
  'atendimento: find target',
  rowSchema,
  sql`select m.id, m.direcao, m.texto, m.midia, m.canal, m.id_externo, m.estado, m.extras,
        (select b.conector from conversas v join linhas_bots b on b.linha_id = ${lineOf('v')}
          where v.conta_id = m.conta_id and v.id = m.conversa_id) as conector
      from mensagens m where m.conta_id = ${contaId} and m.conversa_id = ${value('conversaId', 'uuid')}
        and m.id = ${value('mensagemId', 'uuid')}`,
)

interface TargetMensagem extends MensagemTarget {
  readonly reacaoLoja: string | null
  readonly edicao: string | undefined
  /** The whole text, after edits. */
  readonly atual: string
}

/**
 * Throws `naoEncontrado`, and `mensagemForaDeAlcance` if the service does not have it: never sent, deleted, a call, or
 * of another service.
 */
export async function requireTarget(
  tx: Tx,
  { teste, ...choice }: Parameters<typeof findTarget>[1] & { readonly teste: boolean },
): Promise<TargetMensagem> {
  const { mensagemId } = choice
  if (!isUuid(mensagemId)) throw new AppError('naoEncontrado')
  const line = await findTarget(tx, choice)
  if (line === null) throw new AppError('naoEncontrado')
  const { texto, midia, direcao } = line
  const { apagada = false, ligacao, edicao, reacaoLoja = null } = line.extras ?? {}
  // A test conversa has no messaging service, so our own id is enough.
  const id = teste ? line.id : serviceIdOf(line)
  if (id === null || apagada || ligacao !== undefined) throw new AppError('mensagemForaDeAlcance')
  const atual = edicao ?? texto
  const quote = quoteText({ texto: atual, ...(midia === null ? {} : { midia }) })
  return { id, nossa: direcao === 'saida', texto: quote, reacaoLoja, edicao, atual }
}

function serviceIdOf({ id, canal, conector, idExterno, estado }: z.output<typeof rowSchema>): string | null {
  if (conector === null || conector !== channelParts(canal).conector || !CONNECTORS[conector].marks) return null
  if (estado === 'falhou' || estado === 'limite') return null
  return idExterno ?? (CONNECTORS[conector].namesOurMessages ? null : id)
}
