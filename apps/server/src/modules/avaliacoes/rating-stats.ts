import type { AvaliacaoStats } from '@balcao/contract/entities/avaliacao'
import type { ConversaReader } from '@balcao/contract/conversa-access'
import type { Tx } from '#db/transaction.ts'
import { listUsuarioNames } from '#modules/contas/index.ts'
import { readerValues } from '#modules/leitores/index.ts'
import { countAvaliacoes, listLatestAvaliacoes, toAvaliacao } from './repository.ts'

const LATEST_COUNT = 20
const BY_NOTA = 3
const BY_SETOR = 5
const BY_OPERADOR = 6
const DEFAULT_NAME = 'Operador'

export async function readAvaliacaoStats(
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
