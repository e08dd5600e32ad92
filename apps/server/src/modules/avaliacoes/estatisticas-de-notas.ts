import type { AvaliacaoStats } from '@balcao/contract/entities/avaliacao'
import type { Tx } from '#db/transaction.ts'
import { countAvaliacoes, listUsuarioNames, listLatestAvaliacoes } from './repository.ts'

const LATEST_COUNT = 20
const BY_NOTA = 3
const BY_SETOR = 5
const BY_OPERADOR = 6
const DEFAULT_NAME = 'Operador'

export async function readAvaliacaoStats(tx: Tx, contaId: string): Promise<AvaliacaoStats> {
  const contagens = await countAvaliacoes(tx, contaId)
  const de = (grupo: number) =>
    contagens.filter((contagem) => contagem.grupo === grupo).toSorted((a, b) => b.total - a.total)
  const notas = new Map(de(BY_NOTA).map(({ nota, total }) => [nota, total]))
  const vezes = (nota: number): number => notas.get(nota) ?? 0
  const totalAvaliacoes = [...notas.values()].reduce((soma, total) => soma + total, 0)
  const soma = [1, 2, 3, 4, 5].reduce((acumulada, nota) => acumulada + nota * vezes(nota), 0)

  const operadores = de(BY_OPERADOR).flatMap(({ operadorId, total, media }) =>
    operadorId === null ? [] : [{ operadorId, total, notaMedia: media }],
  )
  const nomes = await listUsuarioNames(
    tx,
    contaId,
    operadores.map(({ operadorId }) => operadorId),
  )
  return {
    totalAvaliacoes,
    notaMedia: totalAvaliacoes === 0 ? null : soma / totalAvaliacoes,
    distribuicaoNotas: { 0: vezes(0), 1: vezes(1), 2: vezes(2), 3: vezes(3), 4: vezes(4), 5: vezes(5) },
    ultimasAvaliacoes: await listLatestAvaliacoes(tx, contaId, LATEST_COUNT),
    porSetor: de(BY_SETOR).flatMap(({ setor, total, media }) =>
      setor === null ? [] : [{ setor, total, notaMedia: media }],
    ),
    porOperador: operadores.map((linha) => ({ ...linha, operador: nomes.get(linha.operadorId) ?? DEFAULT_NAME })),
  }
}
