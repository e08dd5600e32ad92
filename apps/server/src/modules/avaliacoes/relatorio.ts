import type { Relatorio } from '@balcao/contract/entities/relatorio'
import type { Tx } from '#db/transaction.ts'
import { GRUPO, type LinhaDeNumeros, readHoje, readNumeros } from './numeros.ts'
import { diasDe, lerPeriodo, somarDias } from './periodo.ts'
import { listNomes } from './repository.ts'

type Numeros = Relatorio['total']

const NADA: Numeros = {
  conversas: 0,
  finalizadas: 0,
  primeiraRespostaMs: null,
  resolucaoMs: null,
  avaliacoes: 0,
  notaMedia: null,
}

interface Pedido {
  readonly de?: string | undefined
  readonly ate?: string | undefined
  readonly agora: Date
}

export async function readRelatorio(tx: Tx, contaId: string, { agora, ...dias }: Pedido): Promise<Relatorio> {
  const { fuso, hoje } = await readHoje(tx, contaId, agora)
  const periodo = lerPeriodo(dias, hoje)
  const linhas = await readNumeros(tx, contaId, { de: periodo.de, ateFora: somarDias(periodo.ate, 1), fuso })
  const de = (grupo: number): LinhaDeNumeros[] =>
    linhas.filter((linha) => linha.grupo === grupo).toSorted((a, b) => b.conversas - a.conversas)

  const porDia = new Map(de(GRUPO.dia).map((linha) => [linha.dia, toNumeros(linha)]))
  const operadores = de(GRUPO.operador).flatMap(({ operadorId, ...linha }) =>
    operadorId === null ? [] : [{ operadorId, ...toNumeros(linha) }],
  )
  const nomes = await listNomes(
    tx,
    contaId,
    operadores.map(({ operadorId }) => operadorId),
  )
  const [total] = de(GRUPO.total)
  return {
    ...periodo,
    total: total === undefined ? NADA : toNumeros(total),
    dias: diasDe(periodo).map((dia) => ({ dia, ...(porDia.get(dia) ?? NADA) })),
    setores: de(GRUPO.setor).map(({ setor, ...linha }) => ({ setor: setor ?? 'geral', ...toNumeros(linha) })),
    operadores: operadores.map((linha) => ({ ...linha, operador: nomes.get(linha.operadorId) ?? 'Operador' })),
  }
}

function toNumeros(linha: Numeros): Numeros {
  const { conversas, finalizadas, primeiraRespostaMs, resolucaoMs, avaliacoes, notaMedia } = linha
  return { conversas, finalizadas, primeiraRespostaMs, resolucaoMs, avaliacoes, notaMedia }
}
