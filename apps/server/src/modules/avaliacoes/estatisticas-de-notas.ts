import type { AvaliacaoStats } from '@balcao/contract/entities/avaliacao'
import type { Tx } from '#db/transaction.ts'
import { countAvaliacoes, listNomes, listUltimas } from './repository.ts'

const ULTIMAS = 20
const POR_NOTA = 3
const POR_SETOR = 5
const POR_OPERADOR = 6
const SEM_NOME = 'Operador'

export async function readAvaliacoes(tx: Tx, contaId: string): Promise<AvaliacaoStats> {
  const contagens = await countAvaliacoes(tx, contaId)
  const de = (grupo: number) =>
    contagens.filter((contagem) => contagem.grupo === grupo).toSorted((a, b) => b.total - a.total)
  const notas = new Map(de(POR_NOTA).map(({ nota, total }) => [nota, total]))
  const vezes = (nota: number): number => notas.get(nota) ?? 0
  const totalAvaliacoes = [...notas.values()].reduce((soma, total) => soma + total, 0)
  const soma = [1, 2, 3, 4, 5].reduce((acumulada, nota) => acumulada + nota * vezes(nota), 0)

  const operadores = de(POR_OPERADOR).flatMap(({ operadorId, total, media }) =>
    operadorId === null ? [] : [{ operadorId, total, notaMedia: media }],
  )
  const nomes = await listNomes(
    tx,
    contaId,
    operadores.map(({ operadorId }) => operadorId),
  )
  return {
    totalAvaliacoes,
    notaMedia: totalAvaliacoes === 0 ? null : soma / totalAvaliacoes,
    distribuicaoNotas: { 0: vezes(0), 1: vezes(1), 2: vezes(2), 3: vezes(3), 4: vezes(4), 5: vezes(5) },
    ultimasAvaliacoes: await listUltimas(tx, contaId, ULTIMAS),
    porSetor: de(POR_SETOR).flatMap(({ setor, total, media }) =>
      setor === null ? [] : [{ setor, total, notaMedia: media }],
    ),
    porOperador: operadores.map((linha) => ({ ...linha, operador: nomes.get(linha.operadorId) ?? SEM_NOME })),
  }
}
