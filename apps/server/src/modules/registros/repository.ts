import * as z from 'zod/mini'
import type { ConversaBot } from '@balcao/contract/entities/conversa'
import { midiaSchema } from '@balcao/contract/entities/mensagem'
import { summarizeMensagem } from '@balcao/contract/text/mensagem-summary'
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
    const attended = line.status === 'aguardando' || line.status === 'em_atendimento'
    return {
      id: line.id,
      telefone: line.telefone,
      nome: line.nome,
      etapa: attended ? 'humano' : etapaOf(current ? line.estado : null, line.status),
      ativa: attended || (line.status === 'bot' && ultimaAtividade > inactiveBefore),
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
  const parsed = botStateSchema.safeParse(state)
  if (parsed.success) return parsed.data.etapa
  return status === 'finalizada' ? 'finalizada' : 'menu'
}
