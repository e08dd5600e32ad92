import { sql } from 'kysely'
import * as z from 'zod/mini'
import { FUSO_PADRAO } from '@balcao/contract/constants'
import type { Log, TipoLog } from '@balcao/contract/entities/log'
import { estadoMensagemSchema, midiaSchema } from '@balcao/contract/entities/mensagem'
import type { MensagemBot } from '@balcao/contract/entities/mensagem-bot'
import type { PeriodoLog } from '@balcao/contract/routes/registros'
import type { Tx } from '#db/transaction.ts'
import type { Page } from '#http/page.ts'
import { idDesde } from '#ids.ts'
import { ACENTOS, inicioDoPeriodo, semAcentos } from './rules.ts'

interface FiltroLogs {
  readonly tipo?: TipoLog | undefined
  readonly busca?: string | undefined
  readonly periodo?: PeriodoLog | undefined
}

const detalhesSchema = z.union([z.string(), z.record(z.string(), z.unknown())])

export async function insertLogRow(tx: Tx, contaId: string, log: Log): Promise<void> {
  await tx.kysely
    .insertInto('logs')
    .values({ ...log, contaId, detalhes: log.detalhes === undefined ? null : JSON.stringify(log.detalhes) })
    .execute()
}

export async function listLogs(
  tx: Tx,
  contaId: string,
  pagina: Page,
  { tipo, busca = '', periodo = 'todos' }: FiltroLogs,
  agora: Date,
): Promise<Log[]> {
  const conta = await tx.kysely.selectFrom('contas').select('fuso').where('id', '=', contaId).executeTakeFirst()
  const faixa = inicioDoPeriodo(periodo, agora, conta?.fuso ?? FUSO_PADRAO)
  const linhas = await logsQuery(tx, contaId, pagina, { tipo, busca, ...faixa }).execute()
  return linhas.map(({ id, tipo: doTipo, mensagem, detalhes, timestamp }) => ({
    id,
    tipo: doTipo,
    mensagem,
    ...(detalhes === null ? {} : { detalhes: detalhesSchema.parse(detalhes) }),
    timestamp: timestamp.toISOString(),
  }))
}

interface FaixaDeLogs extends Pick<FiltroLogs, 'tipo'> {
  readonly busca: string
  readonly desde: Date | null
  readonly ate: Date | null
}

/** Ids contain their time, so a period is a range of the primary key. */
export function logsQuery(
  tx: Tx,
  contaId: string,
  { limite, antesDe }: Page,
  { tipo, busca, desde, ate }: FaixaDeLogs,
) {
  let consulta = tx.kysely
    .selectFrom('logs')
    .select(['id', 'tipo', 'mensagem', 'detalhes', 'timestamp'])
    .where('contaId', '=', contaId)
    .orderBy('id', 'desc')
    .limit(limite + 1)
  if (antesDe !== null) consulta = consulta.where('id', '<', antesDe)
  if (tipo !== undefined) consulta = consulta.where('tipo', '=', tipo)
  if (desde !== null) consulta = consulta.where('id', '>=', idDesde(desde))
  if (ate !== null) consulta = consulta.where('id', '<', idDesde(ate))
  if (busca !== '') {
    const texto = sql`translate(lower(mensagem || ' ' || coalesce(detalhes::text, '')), ${ACENTOS[0]}, ${ACENTOS[1]})`
    // `strpos` instead of `like`, so `%` and `_` match literally.
    consulta = consulta.where(sql<boolean>`strpos(${texto}, ${semAcentos(busca)}) > 0`)
  }
  return consulta
}

/** A mensagem with a row in `saida` is reported as `pendente`. */
export async function listMensagens(tx: Tx, contaId: string, { limite, antesDe }: Page): Promise<MensagemBot[]> {
  let consulta = tx.kysely
    .selectFrom('mensagens as m')
    .innerJoin('conversas as v', (join) => join.onRef('v.contaId', '=', 'm.contaId').onRef('v.id', '=', 'm.conversaId'))
    .innerJoin('contatos as c', (join) => join.onRef('c.contaId', '=', 'v.contaId').onRef('c.id', '=', 'v.contatoId'))
    .leftJoin('saida as s', (join) => join.onRef('s.contaId', '=', 'm.contaId').onRef('s.mensagemId', '=', 'm.id'))
    .select(['m.id', 'm.criadaEm', 'm.texto', 'm.direcao', 'm.origem', 'm.estado', 'm.midia', 'c.nome', 'c.telefone'])
    .select('s.mensagemId as naFila')
    .where('m.contaId', '=', contaId)
    .orderBy('m.id', 'desc')
    .limit(limite + 1)
  if (antesDe !== null) consulta = consulta.where('m.id', '<', antesDe)
  const linhas = await consulta.execute()
  return linhas.map((linha) => {
    const estado = linha.naFila === null ? estadoMensagemSchema.safeParse(linha.estado).data : 'pendente'
    const midia = midiaSchema.safeParse(linha.midia).data
    return {
      id: linha.id,
      timestamp: linha.criadaEm.toISOString(),
      conteudo: linha.texto,
      contato: linha.nome,
      telefone: linha.telefone,
      direcao: linha.direcao,
      origem: linha.origem === 'telefone' ? 'celular' : linha.origem,
      ...(estado === undefined ? {} : { estado }),
      ...(midia === undefined ? {} : { midia }),
    }
  })
}
