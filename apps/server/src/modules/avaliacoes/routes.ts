import * as z from 'zod/mini'
import { avaliacoesRoute, testeAvaliacaoRoute } from '@balcao/contract/routes/atendimento-conversa'
import type { AvaliacaoStats } from '@balcao/contract/entities/avaliacao'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import { parsePhone } from '@balcao/contract/entities/telefone'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import type { Tx } from '#db/transaction.ts'
import { contaId, sql } from '#db/statement/sql.ts'
import { oneValue } from '#db/statement/statement.ts'
import { AppError } from '#errors.ts'
import { listUsuarioNames } from '#modules/contas/index.ts'
import { readerValues } from '#modules/leitores/index.ts'
import { countAttempt, testLimit } from '#modules/auth/index.ts'
import { openRehearsal } from '#modules/conversas/index.ts'
import { ensureContatoOfPhone } from '#modules/enderecos/index.ts'
import { countAvaliacoes, listLatestAvaliacoes, toAvaliacao } from './repository.ts'

type AvaliacoesDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'applyEventIn'>

export function avaliacoesRoutes(deps: AvaliacoesDeps): BoundRoute[] {
  return [
    bind(avaliacoesRoute, ({ sessao }) => deps.db.read(sessao.contaId, (tx) => readAvaliacaoStats(tx, sessao))),
    bind(testeAvaliacaoRoute, async ({ sessao, body }) => {
      const telefone = await testAvaliacao(deps, sessao.contaId, body.whatsappId)
      return { mensagem: `Pergunta de avaliação simulada para +${telefone}. A próxima nota de 0 a 5 será registrada.` }
    }),
  ]
}

const LATEST_COUNT = 20
const BY_NOTA = 3
const BY_SETOR = 5
const BY_OPERADOR = 6
const DEFAULT_NAME = 'Operador'

async function readAvaliacaoStats(
  tx: Tx,
  reader: ConversaReader & { readonly contaId: string },
): Promise<AvaliacaoStats> {
  const which = { contaId: reader.contaId, ...readerValues(reader) }
  const counts = await countAvaliacoes(tx, which)
  const de = (group: number) => counts.filter((count) => count.grupo === group).toSorted((a, b) => b.total - a.total)
  const notas = new Map(de(BY_NOTA).map(({ nota, total }) => [nota, total]))
  const times = (note: number): number => notas.get(note) ?? 0
  const totalAvaliacoes = [...notas.values()].reduce((sum, total) => sum + total, 0)
  const sum = [1, 2, 3, 4, 5].reduce((acumulada, note) => acumulada + note * times(note), 0)

  const operadores = de(BY_OPERADOR).flatMap(({ operadorId, total, media }) =>
    operadorId === null ? [] : [{ operadorId, total, notaMedia: media }],
  )
  const names = await listUsuarioNames(
    tx,
    reader.contaId,
    operadores.map(({ operadorId }) => operadorId),
  )
  return {
    totalAvaliacoes,
    notaMedia: totalAvaliacoes === 0 ? null : sum / totalAvaliacoes,
    distribuicaoNotas: { 0: times(0), 1: times(1), 2: times(2), 3: times(3), 4: times(4), 5: times(5) },
    ultimasAvaliacoes: (await listLatestAvaliacoes(tx, { ...which, limit: LATEST_COUNT })).map(toAvaliacao),
    porSetor: de(BY_SETOR).flatMap(({ setor, total, media }) =>
      setor === null ? [] : [{ setor, total, notaMedia: media }],
    ),
    porOperador: operadores.map((line) => ({ ...line, operador: names.get(line.operadorId) ?? DEFAULT_NAME })),
  }
}

type TestAvaliacaoDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'applyEventIn'>

/**
 * Sends and counts no message and needs no running bot. The bot stores the next nota of the contato. Throws
 * `dadosInvalidos` for an invalid phone, `muitasTentativas` after 60 tests in a minute, and `conflito` if the contato
 * is being served or the conta is in maintenance.
 */
async function testAvaliacao(deps: TestAvaliacaoDeps, contaId: string, whatsappId: string): Promise<string> {
  const telefone = parsePhone(whatsappId)
  if (telefone === null) {
    const mensagem = 'Informe um telefone com DDD'
    throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'whatsappId', mensagem }] })
  }
  await deps.db.transaction(contaId, (tx) => countAttempt(tx, deps, testLimit('avaliacao', contaId)))
  await deps.db.transaction(contaId, async (tx) => {
    await requireNoManutencao(tx, contaId)
    const contatoId = await ensureContatoOfPhone(tx, deps, contaId, { telefone, nome: '' })
    const open = await openRehearsal(tx, { contaId, id: deps.ids.uuid(), contatoId, em: deps.clock.now() })
    if (!open) {
      throw new AppError('conflito', { erro: 'Este contato está em atendimento. Finalize a conversa antes de testar.' })
    }
    await deps.applyEventIn(tx, { contaId, linhaId: contaId, contatoId }, (base) => ({
      tipo: 'avaliacaoSimulada',
      ...base,
    }))
  })
  return telefone
}

const isInManutencao = oneValue(
  'avaliacoes: is in manutencao',
  z.boolean(),
  sql`select manutencao as value from contas where id = ${contaId}`,
)

async function requireNoManutencao(tx: Tx, contaId: string): Promise<void> {
  if (await isInManutencao(tx, { contaId }))
    throw new AppError('conflito', { erro: 'O bot está em manutenção. Termine a manutenção e teste de novo.' })
}
