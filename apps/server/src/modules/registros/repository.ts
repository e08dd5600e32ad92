import * as z from 'zod/mini'
import { sql } from 'kysely'
import type { ConversaBot } from '@balcao/contract/entities/conversa'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/mensagem-summary'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'

const botStateSchema = z.looseObject({ etapa: z.string() })

/** A bot conversa without activity since `expiradaAntes` is reported as inactive. */
export async function listConversas(
  tx: Tx,
  contaId: string,
  { limite, before }: Page,
  inactiveBefore: Date,
): Promise<ConversaBot[]> {
  let query = tx.kysely
    .selectFrom('conversas as v')
    .innerJoin('contatos as c', (join) => join.onRef('c.contaId', '=', 'v.contaId').onRef('c.id', '=', 'v.contatoId'))
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('mensagens as m')
          .select(['m.texto', 'm.midia', 'm.criadaEm'])
          .whereRef('m.contaId', '=', 'v.contaId')
          .whereRef('m.conversaId', '=', 'v.id')
          .orderBy('m.id', 'desc')
          .limit(1)
          .as('u'),
      (join) => join.onTrue(),
    )
    .select(['v.id', 'v.status', 'v.iniciadaEm', 'v.finalizadaEm', 'c.telefone', 'c.nome', 'c.estado', 'c.conversaId'])
    .select(['u.texto', 'u.midia', 'u.criadaEm'])
    .where('v.contaId', '=', contaId)
    .orderBy('v.id', 'desc')
    .limit(limite + 1)
  if (before !== null) query = query.where('v.id', '<', before)
  const lines = await query.execute()
  return lines.map((line) => {
    const current = line.conversaId === line.id
    const ultimaAtividade = line.criadaEm ?? line.finalizadaEm ?? line.iniciadaEm
    const humana = line.status === 'aguardando' || line.status === 'em_atendimento'
    return {
      id: line.id,
      telefone: line.telefone,
      nome: line.nome,
      etapa: humana ? 'humano' : etapaOf(current ? line.estado : null, line.status),
      ativa: humana || (line.status === 'bot' && ultimaAtividade > inactiveBefore),
      ...(line.texto === null || line.criadaEm === null
        ? {}
        : { ultimaMensagem: { texto: summaryOf(line.texto, line.midia), timestamp: line.criadaEm.toISOString() } }),
      ultimaAtividade: ultimaAtividade.toISOString(),
      iniciadoEm: line.iniciadaEm.toISOString(),
    }
  })
}

function summaryOf(texto: string, midia: unknown): string {
  const parsed = midiaSchema.safeParse(midia)
  return summarizeMensagem(parsed.success ? { texto, midia: parsed.data } : { texto })
}

function etapaOf(state: unknown, status: string): string {
  const lido = botStateSchema.safeParse(state)
  if (lido.success) return lido.data.etapa
  return status === 'finalizada' ? 'finalizada' : 'menu'
}

export interface ClearedConversa {
  readonly contatoId: string
  readonly telefone: string
  readonly nome: string
  /** The bot was serving it, so panels show it as active until an event. */
  readonly withBot: boolean
}

/**
 * Deletes finished and bot-only conversas of up to `maximo` candidates with their mensagens and resets their
 * contatos. Locks the contatos first, in id order, as customer messages do, which prevents deadlocks.
 */
export async function deleteFinishedConversas(tx: Tx, contaId: string, max: number): Promise<ClearedConversa[]> {
  const candidates = await tx.kysely
    .selectFrom('conversas')
    .select('contatoId')
    .where('contaId', '=', contaId)
    .where('status', 'in', ['bot', 'finalizada'])
    .limit(max)
    .execute()
  if (candidates.length === 0) return []
  const ids = [...new Set(candidates.map(({ contatoId }) => contatoId))]
  const contatos = await tx.kysely
    .selectFrom('contatos')
    .select(['id', 'nome', 'telefone'])
    .where('contaId', '=', contaId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forUpdate()
    .execute()
  // Read again under the lock, because a conversa may have been handed to an operador meanwhile.
  const removed = await tx.kysely
    .selectFrom('conversas')
    .select(['id', 'contatoId', 'status'])
    .where('contaId', '=', contaId)
    .where('contatoId', 'in', ids)
    .where('status', 'in', ['bot', 'finalizada'])
    .execute()
  if (removed.length > 0)
    await deleteConversaRows(
      tx,
      contaId,
      removed.map(({ id }) => id),
    )
  const porId = new Map(contatos.map((contato) => [contato.id, contato]))
  return removed.map(({ contatoId, status }) => ({
    contatoId,
    telefone: porId.get(contatoId)?.telefone ?? '',
    nome: porId.get(contatoId)?.nome ?? '',
    withBot: status === 'bot',
  }))
}

/** Keeps the privacy notice and the opt-out of the contato, which do not belong to the conversa. */
const keptState = sql<null>`nullif(
  jsonb_strip_nulls(jsonb_build_object('avisadoEm', estado -> 'avisadoEm', 'paradoEm', estado -> 'paradoEm')), '{}')`

const reactionMensagemId = sql<string>`(conteudo #>> '{reacao,mensagemId}')::uuid`

async function deleteConversaRows(tx: Tx, contaId: string, ids: readonly string[]): Promise<void> {
  const { kysely } = tx
  const contatos = kysely
    .selectFrom('contatos')
    .select('id')
    .where('contaId', '=', contaId)
    .where('conversaId', 'in', ids)
  const mensagens = kysely
    .selectFrom('mensagens')
    .select('id')
    .where('contaId', '=', contaId)
    .where('conversaId', 'in', ids)
  await kysely.deleteFrom('perguntasIa').where('contaId', '=', contaId).where('contatoId', 'in', contatos).execute()
  await kysely
    .deleteFrom('saida')
    .where('contaId', '=', contaId)
    // The `saida` row of a reaction has its own id; the mensagem is in its JSON.
    .where((eb) => eb.or([eb('mensagemId', 'in', mensagens), eb(reactionMensagemId, 'in', mensagens)]))
    .execute()
  await kysely
    .updateTable('contatos')
    .set({ estado: keptState, conversaId: null })
    .where('contaId', '=', contaId)
    .where('conversaId', 'in', ids)
    .execute()
  await kysely.deleteFrom('conversas').where('contaId', '=', contaId).where('id', 'in', ids).execute()
}
